"""Follow-up questions: those that lean on the question before, read by editing its program.

`and in Europe?` after a count of rows in Asia is the same count with another condition. The words of the
question say which edits there are (`fragment`, `readings`). The model is asked too, whole questions that
are put together from both: `how many did he lose?` as `how many did Noah Quist lose?` (`wholes`,
`opinions`). What makes sense is run, and the least far-fetched reading taken (`reading`), unless the
question makes more sense by itself (`leaning`).
"""

from neural_enquirer.asking.follow_ups.last import Last
from neural_enquirer.asking.follow_ups.reading import follow_up

__all__ = ["Last", "follow_up"]
