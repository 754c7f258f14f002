import pytest

from neural_enquirer.encoding.closed import vocabulary_of
from neural_enquirer.encoding.words import PADDING
from neural_enquirer.programs.language import Constant
from neural_enquirer.programs.paper import named_by, parts
from neural_enquirer.programs.paper_parsing import parse_paper
from neural_enquirer.synthesis.splits import split_of
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.forms import TrainingForms, taken_apart


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ("select #_participants, where host_city = Beijing", "Beijing"),
        ("argmax(host_city, year)", None),
        ("where #_participants < 3,000, argmax(#_duration, #_medals)", "3,000"),
        ("where year < (select year, where GDP = 45), argmax(host_country, #_duration)", "45"),
    ],
)
def test_a_form_is_its_pattern_with_its_value(form: str, value: str | None) -> None:
    pattern, found = taken_apart(form)
    assert found == value
    assert pattern.replace("\0", found or "") == form
    assert value is None or value not in pattern


def test_forms_with_two_values_are_refused() -> None:
    with pytest.raises(ValueError, match="one value at most, not Asia, 1980"):
        taken_apart("where continent = Asia and year > 1980, argmax(host_city, year)")


@pytest.mark.parametrize("task", ["olympics-25k", "olympics-oov", "olympics-large-kb"])
def test_places_say_the_value_that_the_program_has(task: str) -> None:
    examples = generate(task, "train", examples=120)
    vocabulary = vocabulary_of(examples)
    forms = TrainingForms.of(examples, vocabulary)
    for form, (pattern, code) in zip(examples.logical_forms, forms.places.tolist(), strict=True):
        conditions = parts(parse_paper(form)).conditions
        if not conditions:
            assert code == PADDING
        else:
            operand = (named_by(conditions[0]) or conditions[0]).operand
            assert isinstance(operand, Constant)
            assert vocabulary.words[code - 2].replace(",", "") == str(operand.value).lower()
        assert forms.allowed[pattern, code]


def test_what_is_allowed_is_what_the_split_says() -> None:
    examples = generate("olympics-25k", "train", examples=60)
    vocabulary = vocabulary_of(examples)
    forms = TrainingForms.of(examples, vocabulary)
    index = examples.types.tolist().index(2)  # a condition on a number or a name, then a superlative
    pattern, value = taken_apart(examples.logical_forms[index])
    assert value is not None
    number = forms.places[index, 0]
    same_kind = [word for word in examples.words if word[0].isdigit() == value[0].isdigit()]
    splits = {word: split_of(pattern.replace("\0", word)) for word in same_kind}
    assert set(splits.values()) == {"train", "validation", "test"}
    for word, split in splits.items():
        assert not forms.allowed[number, vocabulary.codes[word.lower()]] or split == "train"
    assert forms.allowed[number].sum() > 0.6 * len(same_kind)
