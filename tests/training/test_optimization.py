import math

import pytest
import torch
from torch import nn

from neural_enquirer.training.experiment import TrainingConfig
from neural_enquirer.training.optimization import FlatParameters, make_optimizer, rate_factor, set_rate

ADAMW = TrainingConfig(optimizer="adamw", learning_rate=0.01, warmup=0.1, weight_decay=0.3)


class TestRateFactor:
    def test_adadelta_keeps_its_rate(self) -> None:
        assert {rate_factor(TrainingConfig(), step, 100) for step in range(100)} == {1.0}

    def test_adamw_warms_up_and_goes_to_zero(self) -> None:
        factors = [rate_factor(ADAMW, step, 100) for step in range(101)]
        assert factors[:3] == pytest.approx([1 / 11, 2 / 11, 3 / 11])
        assert factors[10] == max(factors) == 1.0
        assert factors[55] == pytest.approx(0.5)
        assert factors[100] == pytest.approx(0.0)
        assert factors[10:] == sorted(factors[10:], reverse=True)

    def test_no_warm_up(self) -> None:
        config = TrainingConfig(optimizer="adamw", warmup=0.0)
        assert rate_factor(config, 0, 4) == 1.0
        assert rate_factor(config, 1, 4) == pytest.approx(0.5 + math.cos(math.pi / 4) / 2)


class TestMakeOptimizer:
    weights = nn.Parameter(torch.ones(3))

    def test_adadelta_as_in_the_paper(self) -> None:
        optimizer = make_optimizer(self.weights, TrainingConfig())
        assert isinstance(optimizer, torch.optim.Adadelta)
        assert {name: optimizer.defaults[name] for name in ("lr", "rho", "eps", "weight_decay")} == {
            "lr": 1.0,
            "rho": 0.95,
            "eps": 1e-6,
            "weight_decay": 0,
        }

    def test_adamw(self) -> None:
        optimizer = make_optimizer(self.weights, ADAMW)
        assert isinstance(optimizer, torch.optim.AdamW)
        assert (optimizer.defaults["lr"], optimizer.defaults["weight_decay"]) == (0.01, 0.3)

    @pytest.mark.parametrize("rate", [0.5, torch.tensor(0.5)])
    def test_set_rate(self, rate: float | torch.Tensor) -> None:
        optimizer = torch.optim.AdamW([self.weights], lr=rate, fused=True)
        set_rate(optimizer, 0.25)
        found = optimizer.param_groups[0]["lr"]
        assert float(found) == 0.25
        assert isinstance(found, type(rate))


class TestFlatParameters:
    def test_what_is_written_into_the_whole_the_model_reads(self) -> None:
        model = nn.Linear(2, 3)
        before = [parameter.detach().clone() for parameter in model.parameters()]
        flat = FlatParameters(model)
        for parameter, value in zip(model.parameters(), before, strict=True):
            assert torch.equal(parameter, value)
        with torch.no_grad():
            flat.whole.copy_(torch.arange(9.0))
        assert model.weight.tolist() == [[0, 1], [2, 3], [4, 5]]
        assert model.bias.tolist() == [6, 7, 8]

    def test_gradients_are_gathered_in_the_same_order(self) -> None:
        model = nn.Linear(2, 3)
        flat = FlatParameters(model)
        flat.forget_gradients()
        model(torch.tensor([[1.0, 2.0]])).sum().backward()
        flat.gather_gradients()
        assert flat.whole.grad is not None
        assert flat.whole.grad.tolist() == [1, 2, 1, 2, 1, 2, 1, 1, 1]

    def test_a_weight_without_a_gradient_stays(self) -> None:
        model = nn.Linear(2, 3)
        flat = FlatParameters(model)
        model.bias.sum().backward()
        flat.gather_gradients()
        assert flat.whole.grad is not None
        assert flat.whole.grad.tolist() == [0, 0, 0, 0, 0, 0, 1, 1, 1]
