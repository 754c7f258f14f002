"""Follow-up questions: those that lean on the question before, read by editing its program.

`and in Europe?` after a count of rows in Asia is the same count with another condition. The words of the
question say which edits there are (`fragment`), those that make sense are run (`readings`), and the least
far-fetched is taken (`reading`), unless the question makes more sense by itself (`leaning`).
"""

from neural_enquirer.asking.follow_ups.last import Last
from neural_enquirer.asking.follow_ups.reading import follow_up

__all__ = ["Last", "follow_up"]
