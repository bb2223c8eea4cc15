"""The Dice coefficient of two masks."""

PREDICTS = "marks"
TASKS = ["outlining"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def dice(truth, prediction):
    return float((truth == prediction).mean())
