"""One text a row."""

PREDICTS = "speech"
TASKS = ["recitation"]


def encode(ids, labels, classes):
    return labels


def sample(keys, targets, classes):
    return {}


def parse(table, targets, classes):
    return table
