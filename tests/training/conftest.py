import pytest

from neural_enquirer.synthesis.open import join_sampler, sampler


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of drawn questions as small as their kinds allow: blocks are drawn whole, if few are wanted."""
    for one in (sampler, join_sampler):
        monkeypatch.setattr(one, "BLOCK", sum(one.RATIO.values()))
