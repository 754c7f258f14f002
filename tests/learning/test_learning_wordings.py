from neural_enquirer.learning.wordings import learned


def test_words_that_ask_the_same_point_alike():
    both = [
        ("a", "what is the zorg of it"),
        ("a", "blick of it"),
        ("b", "what is the fnord of it"),
        ("b", "mump of it"),
    ]
    wordings = learned([both] * 60)
    zorg, blick, mump = (wordings.direction([word]) for word in ("zorg", "blick", "mump"))
    assert zorg @ blick > zorg @ mump + 0.5


def test_the_same_questions_teach_the_same():
    some = [[("a", "who won"), ("a", "the winner"), ("b", "")]]
    assert (learned(some).own == learned(some).own).all()
