"""Five labels a row, the likeliest first."""

PREDICTS = "five"
TASKS = ["multiclass"]


def encode(ids, labels, classes):
    return labels


def sample(keys, targets, classes):
    return {}


def parse(table, targets, classes):
    return table
