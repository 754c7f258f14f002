import pytest
import torch

from neural_enquirer.model.layers import tanh, tanh_

VALUES = torch.cat((torch.linspace(-12, 12, 1001), torch.tensor([0.0, 1e-4, -1e-4, 80.0, -80.0])))


@pytest.mark.parametrize("requires_grad", [False, True])
def test_is_the_hyperbolic_tangent(requires_grad: bool) -> None:
    x = VALUES.clone().requires_grad_(requires_grad)
    torch.testing.assert_close(tanh(x).detach(), VALUES.tanh(), rtol=0, atol=2e-7)
    assert torch.equal(x.detach(), VALUES)  # left as it was


def test_in_place() -> None:
    x = VALUES.clone()
    assert tanh_(x) is x
    torch.testing.assert_close(x, VALUES.tanh(), rtol=0, atol=2e-7)


def test_gradient() -> None:
    x = VALUES[::50].double().requires_grad_()
    assert torch.autograd.gradcheck(tanh, x)
