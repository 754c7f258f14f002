"""The list of mutants fits the tree: a line that moved is still the one that is broken."""

from tests.mutants import ROOT, read_mutants


def test_every_mutant_breaks_a_line_that_is_there() -> None:
    mutants = read_mutants("")
    assert len(mutants) > 100
    assert [problem for mutant in mutants for problem in mutant.problems(ROOT)] == []
