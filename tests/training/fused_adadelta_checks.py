"""Holds the kernel of AdaDelta against PyTorch's; as a script, on a given device or in the interpreter."""

import sys

import torch
from torch import nn

from neural_enquirer.training.fused_adadelta import BLOCK, FusedAdadelta


def check(device: str) -> None:
    """Compares weights and state after some steps of more weights than one program takes."""
    torch.manual_seed(0)
    start = torch.randn(BLOCK + 7, device=device)
    ours, theirs = nn.Parameter(start.clone()), nn.Parameter(start.clone())
    settings = {"lr": 0.5, "rho": 0.9, "eps": 1e-5}
    fused, plain = FusedAdadelta([ours], **settings), torch.optim.Adadelta([theirs], **settings)
    for _ in range(5):
        ours.grad = torch.randn_like(start)
        theirs.grad = ours.grad.clone()
        fused.step()
        plain.step()
    assert not torch.equal(start, ours)
    torch.testing.assert_close(ours, theirs)
    for name in ("square_avg", "acc_delta"):
        torch.testing.assert_close(fused.state[ours][name], plain.state[theirs][name])
    assert fused.state[ours].keys() == plain.state[theirs].keys()


if __name__ == "__main__":
    check(*sys.argv[1:] or ["cpu"])
