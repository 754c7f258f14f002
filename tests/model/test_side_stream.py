import pytest
import torch

from neural_enquirer.model.side_stream import SideStream


@pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
def test_work_sees_what_was_done_before_and_is_seen_after_the_join(device: str) -> None:
    large = torch.eye(1000, device=device)
    for _ in range(20):
        large = large @ torch.eye(1000, device=device)
    side = SideStream(large)
    with side.work():
        doubled = 2 * large
    halved = large / 2
    side.join(doubled)
    assert torch.equal(doubled * halved, torch.eye(1000, device=device))
