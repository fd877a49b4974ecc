"""Cases that tests/bench/randomCases draws, and its judge.

Thirty seeds were chosen by family and by the time that they take, not by verdict:
of seeds 1 to 300 those with the fewest cells times steps of icoFoam, at least
150 000; one of each family in a plane, one in three dimensions where it has
fewer than 700 000, and second ones in a plane. Six of all take more than half of
the time: without -long, others of their families run.
"""

import csv
import hashlib
import json
import os
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from caseTest import *

bench = top/"tests/bench/randomCases"
sys.path.insert(0, str(bench))

import cases  # noqa: E402
import verdicts  # noqa: E402

#: What is not fine, and known: a lid in a skewed cavity and a free stream past
#: a body in a turned mesh (which may take too long), and an expansion
KNOWN = {62: ("wrong",), 181: ("wrong", "timeout"),
         260: ("wrong", "diverged")}

SEEDS = {
    "backwardStep": [239], "bend": [212, 261], "cavity": [62],
    "channel": [149, 31], "constriction": [232], "contraction": [51],
    "cube": [37], "expansion": [267, 260], "forwardStep": [166],
    "freeBody": [300, 181], "jet": [254, 242], "junction": [130],
    "nozzle": [202, 283, 95], "obstacle": [34], "periodic": [103],
    "pipe": [185], "plate": [236, 258, 135], "ring": [270],
    "sector": [170, 86], "uBend": [9],
}

#: Others, that failed: a pipe at Re 380 between two pressures diverged, a mean
#: velocity between ribs oscillated with the sound, a jet sped itself up
FAILED = {"pipe": [60209], "periodic": [62343], "jet": [180365]}

#: What takes long, and runs without -long in its place: a nozzle in a plane with the
#: same inlet, a sector in three dimensions; of a body, a plate and an expansion those that
#: take the least time of seeds 200001 to 200225; nothing for the pipe, whose finer mesh
#: takes long
SLOW = {283: ("nozzle", [362]), 86: ("sector", [899]), 181: ("freeBody", [200060]),
        258: ("plate", [200102]), 260: ("expansion", [200199]), 60209: ("pipe", [])}

for seed, (family, others) in SLOW.items():
    if not ifLong(f"{family}{seed}"):
        for group in SEEDS, FAILED:
            if seed in group.get(family, []):
                group[family] = [s for s in group[family] if s != seed] + others

#: Digest of the descriptions of seeds 1 to 200
DRAWN = "79c1fbac68ff3b84"

#: A graded one, one between arcs, one in three dimensions, a pipe
CHILDREN = (3, 6, 31, 185)

#: With more than laminar flow of one viscosity. Four of them failed: a scalar past an
#: edge of the mesh, at an oblique inlet and in fluid that comes back through an outlet,
#: and a porous zone that takes much pressure
PHYSICS = {"scalar": [12, 19, 36], "heat": [14], "fluid": [14], "porous": [16],
           "turbulent": [14]}

#: A channel that lbmGpuFoam runs well
EASY = 149

work = Path("randomCases").resolve()


def judged(seed, name="", kind=None, **settings):
    options = verdicts.Options()
    for key, value in settings.items():
        setattr(options, key, value)
    return verdicts.judge(cases.draw(seed, kind), work/f"{seed}{name}", options)


# The same case for a seed, on every machine

drawn = json.dumps([cases.draw(seed) for seed in range(1, 201)],
                   sort_keys=True)
found = hashlib.sha256(drawn.encode()).hexdigest()[:16]
check("seedsStayWhatTheyAre", found == DRAWN,
      f"descriptions of seeds 1 to 200 have {found}, not {DRAWN}")

# Cells half as large lie inside those of the case: graded, bent, in a plane
# and in three dimensions

for seed in CHILDREN:
    d = cases.draw(seed)
    coarse, _ = verdicts.prepare(d, work/"coarse")
    fine, _ = verdicts.prepare(d, work/"fine", 2, coarse)
    children = cases.blocksOf(d).children()
    sums = fine.volumes[children].sum(axis=1)
    # Arcs of twice as many edges enclose a little more
    off = abs(sums/coarse.volumes - 1).max()
    away = abs(fine.cellCentres[children].mean(axis=1)
               - coarse.cellCentres).max()/coarse.smallest()
    check(f"childrenAreInside{seed}", off < 0.03 and away < 0.1,
          f"volumes differ by {off:.2g}, centres by {away:.2g} cells")

# What the judge says of runs that are known to be bad

easy = cases.draw(EASY)
FORCE = 30*easy["U"]**2/easy["L"]
path = os.environ["PATH"]

for name, verdict, settings, script in (
    ("refused", "refused", {"lbm": "nonsense 1;"}, None),
    ("wrong", "wrong", {"lbm": f"bodyForce ({FORCE} 0 0);"}, None),
    ("noReference", "icoFoam failed", {"limit": 0.001}, None),
    # In the place of lbmGpuFoam
    ("diverged", "diverged", {},
     "echo '--> FOAM FATAL ERROR:'; echo 'The flow diverges.'; exit 1"),
    ("signal", "crashed", {}, "kill -SEGV $$"),
    ("lateError", "crashed", {},
     "echo 'Time = 1'; echo '--> FOAM FATAL ERROR:'; exit 1"),
    ("withoutTimes", "crashed", {}, "echo End"),
    ("late", "timeout", {"limit": 5}, "exec sleep 60"),
):
    if script:
        program = work/"programs"/name/"lbmGpuFoam"
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/sh\n" + script + "\n")
        program.chmod(0o755)
        os.environ["PATH"] = f"{program.parent}:{path}"
    row = judged(EASY, name, **settings)
    os.environ["PATH"] = path
    check(f"judges{name[0].upper()}{name[1:]}", row["verdict"] == verdict, row)

# A failing case is cut down to the least that fails. What fails here is whatever has a
# wall without slip

program = work/"programs/shrink/lbmGpuFoam"
program.parent.mkdir(parents=True)
program.write_text("#!/bin/sh\ngrep -q 'type noSlip' 0/U || exec "
                   f"{shutil.which('lbmGpuFoam')}\n"
                   "echo '--> FOAM FATAL ERROR:'; echo 'The flow diverges.'; exit 1\n")
program.chmod(0o755)
os.environ["PATH"] = f"{program.parent}:{path}"
status, output = run([sys.executable, str(bench/"randomCases"), "-shrink", "201",
                      "-work", str(work)], work, log="log.shrink")
os.environ["PATH"] = path
least = json.loads((work/"shrunk/201/description.json").read_text())
whole = cases.draw(201)
walls = [c["U"] for c in least["patches"].values()].count("noSlip")
check("cutsDown", status == 1 and walls >= 1 and least["cells"] <= 5
      and least["angle"] == 0 and least["start"] == "rest" and least["Re"] == 1
      and whole["angle"] != 0 and whole["cells"] > 20,
      f"status {status}: {cases.describe(least)}: {output[-800:]}")

# A run that is stopped from outside has no verdict

program = work/"programs/stopped/lbmGpuFoam"
program.parent.mkdir(parents=True)
program.write_text("#!/bin/sh\nkill -TERM $$\n")
program.chmod(0o755)
os.environ["PATH"] = f"{program.parent}:{path}"
stopped = None
try:
    stopped = judged(EASY, "stopped")
except verdicts.Stopped as reason:
    stopped = str(reason)
os.environ["PATH"] = path
check("stoppedHasNoVerdict",
      stopped == "lbmGpuFoam was stopped by a signal", stopped)

# Where icoFoam fails on cells half as large, deltaT is divided further

coarse, _ = verdicts.prepare(easy, work/"coarse")
solved, deltaTs = verdicts.solved, []


def failsTwice(description, case, geometry, limit):
    control = (case/"system/controlDict").read_text()
    deltaTs.append(float(re.search(r"(?m)^deltaT\s+(\S+);", control)[1]))
    if len(deltaTs) < 3:
        raise verdicts.Failed("icoFoam failed", "floating point exception")
    return "solved"


verdicts.solved = failsTwice
found = verdicts.finer(easy, work/"finer", coarse, verdicts.Options())
verdicts.solved = solved
deltaT, _ = cases.stepOf(easy, coarse)
check("dividesTheStepOfTheFiner", found == "solved" and all(
    abs(deltaT/k/found - 1) < 1e-9 for k, found in zip((2, 4, 8), deltaTs)),
      f"{found}, {deltaTs} of {deltaT}")

# The cases, on two cores like the rest


def one(family, seed, kind=None):
    row = judged(seed, kind or "", kind, limit=180)
    return family, seed, row


with ThreadPoolExecutor(2) as pool:
    for future in [pool.submit(one, kind, seed, kind)
                   for kind, seeds in PHYSICS.items() for seed in seeds]:
        kind, seed, row = future.result()
        check(f"{kind}{seed}", row["verdict"] == "fine",
              f"{row['verdict']}, U {row.get('U')}, p {row.get('p')},"
              f" s {row.get('s')}, {row['message']}:"
              f" {cases.describe(cases.draw(seed, kind))}")
    for future in [pool.submit(one, family, seed)
                   for group in (SEEDS, FAILED)
                   for family, seeds in group.items() for seed in seeds]:
        family, seed, row = future.result()
        d = cases.draw(seed)
        check(f"{family}{seed}", d["family"] == family
              and row["verdict"] in ("fine", *KNOWN.get(seed, ())),
              f"{row['verdict']}, U {row.get('U')}, p {row.get('p')},"
              f" {row['message']}: {cases.describe(d)}")

# The program: a row for a seed, which is not run again; what it refuses

bench = str(bench/"randomCases")
command = [sys.executable, bench, "-seeds", str(EASY), "-work", str(work)]
first = mustRun(command, work, log="log.first")
second = mustRun(command, work, log="log.second")
with open(work/"results.csv") as file:
    rows = list(csv.DictReader(file))
check("goesOnWhereItStopped", len(rows) == 1
      and rows[0]["seed"] == str(EASY) and f"{EASY}: fine" in first
      and f"{EASY}: fine" not in second, f"{rows} {first} {second}")

for name, arguments, words in (
    ("Seeds", ["-seeds", "1-a"], ["-seeds", "1-a", "possible"]),
    ("Nothing", [], ["-seeds", "-n", "-shrink"]),
    ("Jobs", ["-seeds", "1", "-jobs", "0"], ["-jobs", "0", "1"]),
    ("File", ["-run", "nothing.json"], ["nothing.json", "possible"]),
    ("Physics", ["-seeds", str(EASY), "-work", str(work), "-physics", "heat"],
     ["results.csv", "heat", "-results"]),
):
    status, output = run([sys.executable, bench, *arguments], work,
                         log="log.refused")
    missing = [word for word in words if word not in output]
    check(f"refuses{name}", status != 0 and not missing
          and "Traceback" not in output,
          f"status {status}, without {missing} in {output[-500:]}")

finish()
