# Builds the corpus in the current folder: one job a spec, then the index, then the gate.
#
# `sandmle build` runs this very file. A rejected task is a verdict and no failed job; the gate at
# the end fails the run and says which tasks were rejected and why. The target `examined` looks at
# the accepted tasks thoroughly, as `sandmle audit --deep` does. The target `eval` evaluates policies
# on tasks that are built already, in several jobs: see docs/evaluation.md. The target `train` trains
# a policy on them, anew where the tasks or the settings have changed: see docs/training.md.

import shlex
import sys
from pathlib import Path

from sandmle.build import warm
from sandmle.build.engine import stamp
from sandmle.build.examination import EXAMINATION_FILE
from sandmle.build.index import INDEX_FILE
from sandmle.build.lifetime import end_with_parent
from sandmle.build.lock import hold_lock
from sandmle.build.plan import corpus_specs, plan, specs_by_id
from sandmle.build.verdict import VERDICT_FILE
from sandmle.errors import SpecError, VocabularyError
from sandmle.evaluation.files import RUN_FILES
from sandmle.train import files as training_files

BUILD = Path(config.get("build", "build"))
CHOSEN = config.get("specs")  # the specs to build; all of the corpus by default
SPECS = specs_by_id(map(Path, CHOSEN) if CHOSEN else corpus_specs(Path()))
if workflow.is_main_process:
    if "parent" in config:
        end_with_parent(config["parent"])
    try:
        LOCK = hold_lock(BUILD)
    except BlockingIOError as error:
        raise WorkflowError(str(error))
try:
    INPUTS = plan(SPECS, corpus=Path(), build=BUILD)
except VocabularyError as error:
    raise WorkflowError(str(error))
ENGINE = str(stamp(BUILD))
PYTHON = shlex.quote(sys.executable)
WARM = warm.new_name() if workflow.is_main_process else ""  # on a cluster's node jobs run cold
TASK = shlex.join(warm.command("sandmle.build.job", hash_seed="0", warm=WARM))
RUN = Path(config.get("run", "runs/eval"))  # what `eval` leaves
EVALUATION = config.get("evaluation", "eval.yaml")  # what it plays: settings of `sandmle eval`
SHARDS = int(config.get("shards", 1))
SHARD = str(RUN / "shards" / f"{{number}}-of-{SHARDS}")
PLAYING = config.get("playing", str(RUN / "playing"))  # where shards are played: it must last
TRAINING = str(config.get("training", "tiny"))  # what `train` does: a file, or a shipped one's name
TRAINED = Path(config.get("run", Path("runs") / Path(TRAINING).stem))  # what it leaves
TRAINED_IN = config.get("playing", str(TRAINED / "playing"))
CORPUS = config.get("corpus", ".")
LAUNCH = config.get("launch", "")  # `accelerate launch ...`, for several processes
EXAMINATION = shlex.join(warm.command("sandmle.build.examine_job", hash_seed="0", warm=WARM))


onstart:
    warm.start(WARM)
    if workflow.local_exec:
        # Clusters need a limit of jobs a second. Here it would only cost: each job that ends has the
        # scheduler look at all jobs once a second more, for the rest of the build.
        workflow.scheduler.job_rate_limiter = None


localrules: all, index, gate, examined, eval


rule all:
    input:
        BUILD / INDEX_FILE if CHOSEN else BUILD / "accepted.txt",


rule task:
    input:
        lambda wildcards: str(SPECS[wildcards.task]),
        lambda wildcards: INPUTS[wildcards.task],
        ENGINE,
    output:
        BUILD / "tasks" / "{task}" / VERDICT_FILE,
    wildcard_constraints:
        task="[^/]+",
    params:
        folder=lambda wildcards, output: str(Path(output[0]).parent),
    shell:
        "{TASK} {input[0]:q} --out {params.folder:q} --corpus . --warm {WARM:q}"


rule index:
    input:
        [BUILD / "tasks" / task / VERDICT_FILE for task in SPECS],
    output:
        BUILD / INDEX_FILE,
    shell:
        "{PYTHON} -P -m sandmle.build.index {BUILD:q} --corpus ."


rule gate:
    input:
        BUILD / INDEX_FILE,
    output:
        BUILD / "accepted.txt",
    shell:
        "{PYTHON} -P -m sandmle.build.index {BUILD:q} --gate && touch {output:q}"


rule examination:
    input:
        BUILD / "tasks" / "{task}" / VERDICT_FILE,
    output:
        BUILD / "tasks" / "{task}" / EXAMINATION_FILE,
    wildcard_constraints:
        task="[^/]+",
    params:
        spec=lambda wildcards: str(SPECS[wildcards.task]),
        folder=lambda wildcards, output: str(Path(output[0]).parent),
    shell:
        "{EXAMINATION} {params.spec:q} {params.folder:q} --corpus ."


rule examined:
    input:
        BUILD / INDEX_FILE,
        [BUILD / "tasks" / task / EXAMINATION_FILE for task in SPECS],
    output:
        BUILD / "examined.txt",
    shell:
        "{PYTHON} -P -m sandmle.build.index {BUILD:q} --corpus . && touch {output:q}"


# A shard is played in a folder of its own, where it goes on after a kill, and its files are copied
# when it is done: Snakemake removes what a failed job leaves of its output.
rule shard:
    input:
        EVALUATION,
    output:
        [f"{SHARD}/{name}" for name in RUN_FILES],
    wildcard_constraints:
        number=r"\d+",
    threads: 4
    params:
        corpus=CORPUS,
        playing=f"{PLAYING}/{{number}}-of-{SHARDS}",
        files=lambda wildcards: [
            f"{PLAYING}/{wildcards.number}-of-{SHARDS}/{name}" for name in RUN_FILES
        ],
        folder=lambda wildcards, output: str(Path(output[0]).parent),
    shell:
        "{PYTHON} -P -m sandmle eval --config {input:q} --shard {wildcards.number}/{SHARDS}"
        " --out {params.playing:q} --cores {threads} --corpus {params.corpus:q} > /dev/null"
        " && cp {params.files:q} {params.folder:q}"


rule eval:
    input:
        expand(f"{SHARD}/{{name}}", number=range(1, SHARDS + 1), name=RUN_FILES),
    output:
        [RUN / name for name in RUN_FILES],
    params:
        folder=lambda wildcards, output: str(Path(output[0]).parent),
        shards=lambda wildcards, input: list(dict.fromkeys(str(Path(path).parent) for path in input)),
    shell:
        "{PYTHON} -P -m sandmle.evaluation.merge {params.folder:q} {params.shards:q}"


def to_be_trained(wildcards):
    """The file that changes with what is trained on what. Read where `train` is asked for alone."""
    from sandmle.train.target import stamp as stamp_training  # loads what no other target needs

    try:
        return stamp_training(TRAINED, TRAINING, corpus=Path(CORPUS))
    except (SpecError, OSError, ValueError) as error:
        raise WorkflowError(str(error))


# Neither the training file nor the index is an input: a comment, a task that is not trained on, and
# a file that was touched retrain nothing. Where it happens and how it is launched is no parameter,
# lest another place retrains, too. As a shard it goes on after a kill in a folder of its own.
rule train:
    input:
        to_be_trained,
    output:
        [TRAINED / name for name in training_files.FILES],
        [directory(TRAINED / name) for name in training_files.FOLDERS],
        page=TRAINED / "training.html",
    threads: int(config.get("threads", 2))
    resources:
        mem_mb=int(config.get("mem_mb", 4000)),
        runtime=config.get("runtime", "1h"),
        gpu=int(config.get("gpus", 0)),
    shell:
        "{PYTHON} -P -m sandmle.train.job {TRAINING:q} {TRAINED:q} --playing {TRAINED_IN:q}"
        " --corpus {CORPUS:q} --launch={LAUNCH:q}"
        " && {PYTHON} -P -m sandmle curves {TRAINED:q} --out {output.page:q} > /dev/null"
