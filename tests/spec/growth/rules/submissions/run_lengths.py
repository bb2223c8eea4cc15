"""A mask as the runs of its pixels."""

PREDICTS = "marks"
TASKS = ["outlining"]


def encode(ids, labels, classes):
    return labels


def sample(keys, targets, classes):
    return {}


def parse(table, targets, classes):
    return table
