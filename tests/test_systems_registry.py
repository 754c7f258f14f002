"""The registry of systems: every part is where its entry says."""

import dataclasses

import pytest

from neural_enquirer.systems import SYSTEMS


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_part_is_there(name: str) -> None:
    system = SYSTEMS[name]
    for part in dataclasses.fields(system):
        assert not getattr(system, part.name) or callable(system.part(part.name))
    assert dataclasses.is_dataclass(system.part("config"))
    assert not system.network or system.part("network").kind == name
