"""The share of texts that are right."""

PREDICTS = "speech"
TASKS = ["recitation"]
GREATER_IS_BETTER = True
BOUNDS = [0, 1]
PARAMETERS = {}


def exact_text(truth, prediction):
    return float((truth == prediction).mean())
