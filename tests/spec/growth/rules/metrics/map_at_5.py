"""Mean average precision of the five labels that come first."""

PREDICTS = "five"
TASKS = ["multiclass"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def map_at_5(truth, prediction):
    return float((truth == prediction).mean())
