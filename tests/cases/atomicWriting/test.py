"""Time directories appear complete or not at all: runs are killed while they
write, the disk fills up, directories are written again.
"""

import random
import re
import resource
import shutil
import signal
import subprocess
import time

from caseTest import *

endOfFile = b"* //\n"
wanted = ("U", "p", "phi", "uniform/time", "uniform/latticePopulations")


def broken(folder):
    """What is wrong with a time directory."""
    problems = []
    for name in wanted:
        path = folder / name
        if not path.is_file():
            problems.append(f"{name} is missing")
    for path in folder.rglob("*"):
        if path.is_file() and not path.read_bytes().endswith(endOfFile):
            problems.append(f"{path.name} has no end")
        if path.name.startswith("."):
            problems.append(f"{path.name} is left")
    return problems


def start(case):
    """Start the solver without waiting for it."""
    return subprocess.Popen(
        ["lbmGpuFoam"], cwd=case, stdin=subprocess.DEVNULL,
        stdout=(case / "log.lbmGpuFoam").open("w"), stderr=subprocess.STDOUT,
    )


def runWithFullDisk(case, limit):
    """Run with at most this many bytes in a file; status and output."""
    def setLimit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = subprocess.run(
        ["lbmGpuFoam"], cwd=case, stdin=subprocess.DEVNULL, timeout=300,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=setLimit,
        text=True,
    )
    return done.returncode, done.stdout


# Killed while it writes

case = copyCase("cavity", "killed")
path = case / "system/blockMeshDict"
path.write_text(path.read_text().replace("(20 20 1)", "(150 150 1)"))
mustRun("blockMesh", case)
for entry, value in {
    "startFrom": "latestTime", "endTime": 100, "deltaT": 1e-4,
    "writeInterval": 1, "writePrecision": 12, "purgeWrite": 3,
}.items():
    setEntry(case / "system/controlDict", entry, value)

(case / "system/controlDict").open("a").write("""
functions
{
    average
    {
        type fieldAverage; libs (fieldFunctionObjects);
        writeControl writeTime;
        fields
        (
            U { mean on; prime2Mean on; base time; }
            p { mean on; prime2Mean on; base time; }
        );
    }
}
""")

random.seed(1)
interrupted, problems, reached = 0, [], 0.0

# More than 15, on a machine so busy that none of them falls into a write
for i in range(60):
    if i >= 15 and interrupted:
        break
    before = times(case)[-1]
    process = start(case)

    # From the first new time on, at any moment
    limit = time.time() + 60
    while times(case)[-1] == before and time.time() < limit:
        time.sleep(0.01)
    time.sleep(random.uniform(0, 0.3))
    process.send_signal(signal.SIGKILL)
    process.wait()

    log = (case / "log.lbmGpuFoam").read_text()
    if i and "Restarting from the populations of time" not in log:
        problems.append(f"round {i}: no restart: {log[-500:]}")
    interrupted += (case / ".writing").exists()
    names = [name for name in times(case) if name != "0"]
    for name in names:
        problems += [f"round {i}: {name}: {p}" for p in broken(case / name)]
    if len(names) > 4 * (i + 1) or not names:
        problems.append(f"round {i}: times {names}")
    if names and float(names[-1]) <= reached:
        problems.append(f"round {i}: no progress beyond {reached}")
    reached = float(names[-1]) if names else reached

check("killedRunsLeaveCompleteTimes", not problems, "\n".join(problems[:5]))
check("killsHitWrites", interrupted >= 1,
      "no kill fell into a write: nothing was tested")

setEntry(case / "system/controlDict", "stopAt", "writeNow")
output = mustRun("lbmGpuFoam", case)
left = [p.name for p in case.iterdir() if p.name.startswith(".")]
check("leftOversAreRemoved", not left, f"left: {left}")


# An interrupted replacement is undone

shutil.copytree(case, "moved")
moved = case.parent / "moved"
last = times(moved)[-1]
(moved / ".replaced").mkdir()
(moved / last).rename(moved / ".replaced" / last)
output = mustRun("lbmGpuFoam", moved)
check("replacedTimeComesBack",
      f"Restarting from the populations of time {last}" in output
      and not broken(moved / last) and not (moved / ".replaced").exists(),
      output[:2000])


# Full disk: here, a file may only have so many bytes

case = copyCase("cavity", "fullDisk")
mustRun("blockMesh", case)
for entry, value in {"startFrom": "latestTime", "endTime": 0.01,
                     "writeInterval": 1}.items():
    setEntry(case / "system/controlDict", entry, value)
(case / "system/fvSolution").open("a").write("\nLBM { precision double; }\n")
mustRun("lbmGpuFoam", case)
good = times(case)
content = (case / good[-1] / "U").read_bytes()

for limit, what in ((20000, "populations"), (6000, "fields")):
    setEntry(case / "system/controlDict", "endTime", 0.1)
    status, log = runWithFullDisk(case, limit)
    check(
        f"fullDiskStops-{what}",
        status != 0 and re.search(r"Cannot write time 0\.015", log)
        and "FOAM FATAL ERROR" in log,
        f"status {status}: {log[-800:]}",
    )
    check(
        f"fullDiskKeepsTimes-{what}",
        times(case) == good and not broken(case / good[-1])
        and (case / good[-1] / "U").read_bytes() == content
        and not (case / ".writing").exists(),
        f"{times(case)}, {broken(case / good[-1])}",
    )


# Written again: new files win, other files stay, old populations do not

case = copyCase("cavity", "again")
mustRun("blockMesh", case)
setEntry(case / "system/controlDict", "endTime", 0.1)
mustRun("lbmGpuFoam", case)
(case / "0.1/UMean").write_text("kept")
(case / "0.1/uniform/other").write_text("kept")
(case / "0.1/U").write_text("replaced")
(case / "system/fvSolution").open("a").write("\nLBM { restartData false; }\n")
mustRun("lbmGpuFoam", case)
check(
    "writtenAgain",
    (case / "0.1/UMean").read_text() == "kept"
    and (case / "0.1/uniform/other").read_text() == "kept"
    and (case / "0.1/U").read_bytes().endswith(endOfFile)
    and not (case / "0.1/uniform/latticePopulations").exists()
    and not (case / ".replaced").exists(),
    sorted(str(p) for p in (case / "0.1").rglob("*")),
)

finish()
