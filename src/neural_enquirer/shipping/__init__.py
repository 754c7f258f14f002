"""Shipping: what is still missing when a model is trained, and putting it where shipped models live.

An open model gets the temperature of its cascade and a judge, both from questions that nothing else was
learned from.
"""

from neural_enquirer.shipping.problems import ShippingError
from neural_enquirer.shipping.shipment import Shipment, ship

__all__ = ["Shipment", "ShippingError", "ship"]
