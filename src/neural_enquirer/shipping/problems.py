"""What can be wrong with a model that is to be shipped."""


class ShippingError(ValueError):
    """A model that cannot be shipped; the message is one line that says why."""
