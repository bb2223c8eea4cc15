"""The Dice coefficient of two masks."""

PREDICTS = "mask"
TASKS = ["segmentation"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def dice(truth, prediction):
    return float((truth == prediction).mean())
