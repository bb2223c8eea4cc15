"""The episode on the README's picture of `sandmle view`: somebody finds the way to a medal."""

from __future__ import annotations

from collections.abc import Sequence

from sandmle.play.conversation import Turn
from sandmle.play.scripted import Scripted, answer, digest_of, look_at_score, run
from sandmle.play.task import Task

_LOOK = """\
import pandas as pd

train = pd.read_csv("data/train.csv")
print(train.drop(columns="id").corr()["needs_repair"].round(3))
"""

_COLUMNS = """\
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

train, test = (pd.read_csv(f"data/{name}.csv") for name in ("train", "test"))
columns = [name for name in test if name != "id"]

model = RandomForestClassifier(400, random_state=0).fit(train[columns], train["needs_repair"])
chance = model.predict_proba(test[columns])[:, 1]
pd.DataFrame({"id": test["id"], "needs_repair": chance}).to_csv("submission.csv", index=False)
"""

_WRONG = """\
import numpy as np
from PIL import Image

pixels = np.asarray(Image.open("data/images/cj354k97.png"), dtype=float)
print(pixels.shape, pixels.min(), pixels.max())
"""

_PIXELS = """\
import numpy as np
import pandas as pd
from PIL import Image
from scipy.ndimage import gaussian_filter
from sklearn.ensemble import RandomForestClassifier

train, test = (pd.read_csv(f"data/{name}.csv") for name in ("train", "test"))


def direction(identifier):
    \"\"\"The angle of the cracks of a segment, from the gradients of its photograph.\"\"\"
    pixels = np.asarray(Image.open(f"data/segments/{identifier}.png"), dtype=float)
    down, right = np.gradient(gaussian_filter(pixels, 0.8))
    return np.degrees(np.arctan2(2 * (down * right).sum(), (right**2 - down**2).sum())) / 2


def features(table):
    return np.c_[table["id"].map(direction), table["frost_days"], table["vehicles_a_day"]]


model = RandomForestClassifier(400, random_state=0)
model.fit(features(train), train["needs_repair"])
chance = model.predict_proba(features(test))[:, 1]
pd.DataFrame({"id": test["id"], "needs_repair": chance}).to_csv("submission.csv", index=False)
"""

_TOGETHER = _PIXELS.replace(
    """\
    return np.c_[table["id"].map(direction), table["frost_days"], table["vehicles_a_day"]]
""",
    """\
    angle = table["id"].map(direction) % 180 - 75  # they run at 0 to 150 degrees
    frost = np.log1p(table["frost_days"]) - np.log1p(train["frost_days"]).median()
    return np.c_[angle, frost, angle * frost]
""",
)


def _turns(task: Task) -> Sequence[Turn]:
    return (
        run(
            "180 rows with a photograph each. I look at what the columns say by themselves.", _LOOK
        ),
        run("They say little. A forest on them gives me something valid to start from.", _COLUMNS),
        look_at_score("It should be valid; I check before I go on."),
        run("The cracks are in the photographs. What do their pixels look like?", _WRONG),
        run(
            "They lie in segments/, not images/. The cracks of a segment all run one way: I "
            "measure at which angle, and give it to the forest beside the frost.",
            _PIXELS,
        ),
        run(
            "The crews look at cracks and climate together: cracks one way may open under frost, "
            "cracks the other way without it. I add their product.",
            _TOGETHER,
        ),
        look_at_score("I check what lies there now."),
        answer("A forest on the direction of the cracks, the frost, and their product."),
    )


def episode_policy(name: str) -> Scripted:
    """Plays the episode on the task `road-cracks`."""
    return Scripted(name, digest_of(_LOOK, _COLUMNS, _WRONG, _PIXELS, _TOGETHER), _turns)
