"""Shipping: what is still missing when a model is trained, and putting it where shipped models live.

An open model gets the temperature of its cascade and a judge, both from questions that nothing else was
learned from.
"""

from neural_enquirer.shipping.collecting import collect, read_sources
from neural_enquirer.shipping.judge import LearnedJudge, learned
from neural_enquirer.shipping.problems import ShippingError
from neural_enquirer.shipping.shipment import Shipment, ship
from neural_enquirer.shipping.temperature import temperature_of

__all__ = [
    "LearnedJudge",
    "Shipment",
    "ShippingError",
    "collect",
    "learned",
    "read_sources",
    "ship",
    "temperature_of",
]
