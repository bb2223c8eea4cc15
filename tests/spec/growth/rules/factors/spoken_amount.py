"""An amount of money as it is written, in one of many ways."""

YIELDS = "text"
PARAMETERS = {"amount": {"$ref": "#/$defs/number_factor"}}


def spoken_amount(rng, samples, *, amount):
    return amount.astype(str)
