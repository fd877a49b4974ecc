"""Restart data and times of parallel runs: from any number of processes to any
other, through decomposePar and reconstructPar; what fails on one process fails
on all; runs that are killed leave times that are complete on all.
"""

import os
import random
import re
import shutil
import signal
import subprocess
import time

from caseTest import *
from parallelCase import environment

restarted = "Restarting from the populations of time"
endOfFile = b"* //\n"


def newCase(name, cells=20, **entries):
    case = copyCase("cavity", name)
    path = case / "system/blockMeshDict"
    path.write_text(
        path.read_text().replace("(20 20 1)", f"({cells} {cells} 1)")
    )
    mustRun("blockMesh", case)
    for entry, value in {
        "startFrom": "latestTime", "endTime": 0.05, "writeInterval": 5,
        "writePrecision": 12, **entries,
    }.items():
        setEntry(case / "system/controlDict", entry, value)
    (case / "system/decomposeParDict").write_text(
        HEADER.format("dictionary", "decomposeParDict")
        + "numberOfSubdomains 2; method simple;\n"
        "simpleCoeffs { n (2 1 1); delta 0.001; }\n"
    )
    return case


def decompose(case, n, options="-latestTime -force"):
    dictionary = case / "system/decomposeParDict"
    setEntry(dictionary, "numberOfSubdomains", n)
    setEntry(dictionary, "simpleCoeffs/n",
             "(2 2 1)" if n == 4 else f"({n} 1 1)")
    mustRun(f"decomposePar {options}", case)


def command(n, options=""):
    return f"mpirun -np {n} lbmGpuFoam -parallel {options}"


def runParallel(case, n, options=""):
    return mustRun(command(n, options), case, environment=environment)


def runTo(case, n, endTime):
    """Go on to a time, on n processes, serial with 1; the output."""
    setEntry(case / "system/controlDict", "endTime", endTime)
    if n == 1:
        return mustRun("lbmGpuFoam", case)
    decompose(case, n)
    output = runParallel(case, n)
    mustRun("reconstructPar -newTimes", case)
    return output


def populations(folder):
    """Entries of the header, but for residuals of solvers; all that follows."""
    data = (folder / "uniform/latticePopulations").read_bytes()
    header, values = data.split(b"\ndata\n", 1)
    entries = [
        line for line in header.decode(errors="replace").splitlines()
        if not re.match(r"sound|headerChecksum", line)
    ]
    return entries, values


def same(a, b):
    """What differs between the populations of two times."""
    (headerA, valuesA), (headerB, valuesB) = populations(a), populations(b)
    difference = [f"{x} | {y}" for x, y in zip(headerA, headerB) if x != y]
    if valuesA != valuesB:
        difference.append("values")
    return difference


def children(process):
    """Numbers of the processes that a process has started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name, in brackets, may hold anything
            parent = status.read_text().rsplit(")", 1)[1].split()[1]
        except OSError:
            continue
        if int(parent) == process.pid:
            found.append(int(status.parent.name))
    return sorted(found)


def alive(pid):
    """Whether a process runs; what has ended may be left in the table."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1][1] != "Z"
    except OSError:
        return False


# From any number of processes to any other one

reference = newCase("reference")
runTo(reference, 1, 0.05)
runTo(reference, 1, 0.1)

for numbers in ((3, 3), (1, 2), (3, 1), (2, 4)):
    name = "To".join(str(n) for n in numbers)
    case = newCase(name)
    runTo(case, numbers[0], 0.05)
    first = same(case / "0.05", reference / "0.05")
    output = runTo(case, numbers[1], 0.1)
    second = same(case / "0.1", reference / "0.1")
    check(f"sameBits-{name}", not first and not second, f"{first} {second}")
    check(f"restarts-{name}", restarted in output, output[-3000:])

# More nodes than are held in memory at a time

for n in (1, 3):
    case = newCase(f"chunks{n}", cells=60, deltaT=1e-4, endTime=2e-4,
                   writeInterval=1)
    (case / "system/fvSolution").open("a").write("\nLBM { refinement 10; }\n")
    runTo(case, n, 2e-4)
output = runTo(case, 3, 3e-4)
difference = same(case / "0.0002", Path("chunks1/0.0002"))
check("sameBits-chunks", restarted in output and not difference, difference)


# Values of a lid that varies, between two of their evaluations

def newLid(name):
    case = newCase(name)
    (case / "system/fvSolution").open("a").write(
        "\nLBM { boundaryUpdateInterval 4; }\n"
    )
    setEntry(case / "0/U", "boundaryField/movingWall",
             "{ type uniformFixedValue;"
             " uniformValue table ((0 (1 0 0)) (0.2 (2 0 0))); }")
    return case

lid = newLid("lid")
runTo(lid, 1, 0.05)
runTo(lid, 1, 0.1)
case = newLid("lid23")
runTo(case, 2, 0.05)
file = "0.05/uniform/latticeBoundaryValues"
check("sameBoundaryValues",
      (case / file).read_text() == (lid / file).read_text(), "other values")
output = runTo(case, 3, 0.1)
difference = same(case / "0.1", lid / "0.1")
check("sameBits-boundaryValues", restarted in output and not difference,
      f"{difference} {output[-3000:]}")


# Without reconstruction, and one file for all processes

case = newCase("asItIs")
decompose(case, 3)
runParallel(case, 3)
setEntry(case / "system/controlDict", "endTime", 0.1)
output = runParallel(case, 3)
check(
    "restartsAsItIs",
    restarted in output
    and not same(case / "processor0/0.1", reference / "0.1"),
    output[-3000:],
)
files = list(case.glob("processor*/0.1/uniform/latticePopulations"))
check("oneFile", len(files) == 1, files)

# Damaged: all processes start from the fields

path = case / "processor0/0.1/uniform/latticePopulations"
data = path.read_bytes()
setEntry(case / "system/controlDict", "endTime", 0.105)
for what, damaged in (
    ("short", data[:-3000]),
    ("changed", data[:-2000] + bytes([data[-2000] ^ 1]) + data[-1999:]),
    ("noHeader", b"nothing"),
):
    path.write_bytes(damaged)
    output = runParallel(case, 3)
    check(
        f"damaged-{what}",
        "they are damaged" in output and "End" in output,
        output[-3000:],
    )
    for folder in case.glob("processor*/0.105"):
        shutil.rmtree(folder)


# Refused

status, output = run(command(3, "-fileHandler collated"), case,
                     environment=environment)
check(
    "refusesCollated",
    status != 0 and "file handler collated" in output
    and "Possible are uncollated" in output,
    output[-2000:],
)

# Where the master alone writes

case = newCase("ofMaster")
decompose(case, 3)
runParallel(case, 3, "-fileHandler masterUncollated")
setEntry(case / "system/controlDict", "endTime", 0.1)
output = runParallel(case, 3, "-fileHandler masterUncollated")
difference = same(case / "processor0/0.1", reference / "0.1")
check("masterUncollated", restarted in output and not difference,
      f"{difference} {output[-3000:]}")


# Forces are those of the whole lattice, with a reference cell on one process

forces = """
functions
{
    forces
    {
        type latticeForces; libs (latticeForces); patches (movingWall);
        rho rhoInf; rhoInf 1; pRef 0.5; CofR (0 0 0); log yes;
    }
    coeffs
    {
        type latticeForceCoeffs; libs (latticeForces); patches (fixedWalls);
        rho rhoInf; rhoInf 1; CofR (0.01 0.02 0); liftDir (0 1 0);
        dragDir (1 0 0); pitchAxis (0 0 1); magUInf 1; lRef 1; Aref 1;
    }
}
"""
numbers = []
for n in (1, 3):
    case = newCase(f"forces{n}")
    setEntry(case / "system/fvSolution", "PISO/pRefCell", 390)
    (case / "system/controlDict").open("a").write(forces)
    if n == 1:
        mustRun("lbmGpuFoam", case)
    else:
        decompose(case, n)
        runParallel(case, n)
    numbers.append([])
    for file in ("forces/0/force", "forces/0/moment", "coeffs/0/coefficient"):
        text = (case / f"postProcessing/{file}.dat").read_text()
        rows = [r for r in text.splitlines() if r and not r.startswith("#")]
        numbers[-1] += [
            float(x) for r in rows for x in re.findall(r"[-+.\de]+", r)
        ]
difference = max(
    abs(a - b)/max(1e-6, abs(a)) for a, b in zip(*numbers)
)
# Sums over faces are rounded differently
sizes = [len(n) for n in numbers]
check("sameForces", sizes[0] == sizes[1] > 100 and difference < 1e-9,
      f"{sizes} {difference}")


# An obstacle that was drawn

case = newCase("drawn")
decompose(case, 2)
(case / "processor0/0/uniform").mkdir(exist_ok=True)
(case / "processor0/0/uniform/latticeObstacle").write_text("of 400;\n")
output = runParallel(case, 2)
check("saysThatAnObstacleIsLeftOut",
      "No obstacle in the flow: one that was drawn" in output, output[-3000:])


# Full on one process: an error of all, and the times as they were

for process in (0, 2):
    case = newCase(f"full{process}", writeInterval=2)
    (case / "system/fvSolution").open("a").write(
        "\nLBM { precision double; }\n"
    )
    decompose(case, 3)
    setEntry(case / "system/controlDict", "endTime", 0.02)
    runParallel(case, 3)
    setEntry(case / "system/controlDict", "endTime", 0.1)
    good = [times(case / f"processor{i}") for i in range(3)]
    wrapper = case / "limited"
    wrapper.write_text(
        "#!/bin/sh\n"
        f'if [ "$OMPI_COMM_WORLD_RANK" = {process} ]; then\n'
        "    trap '' XFSZ; ulimit -f 4\n"
        "fi\n"
        "exec lbmGpuFoam -parallel\n"
    )
    wrapper.chmod(0o755)
    status, output = run(
        f"mpirun -np 3 {wrapper.resolve()}", case, environment=environment
    )
    now = [times(case / f"processor{i}") for i in range(3)]
    check(
        f"fullDiskOf{process}",
        status != 0 and now == good
        and f"processor{process}: Cannot write" in output
        and re.search(r"Cannot write time 0\.03", output),
        f"{now} {output[-1500:]}",
    )
    left = [str(p) for p in case.glob("processor*/.writing/0.*")]
    check(f"fullDiskOf{process}LeavesNothing", not left, left)


# Killed at any moment

case = newCase("killed", cells=100, endTime=100, deltaT=1e-4, writeInterval=1,
               purgeWrite=3)
(case / "system/controlDict").open("a").write("""
functions
{
    average
    {
        type fieldAverage; libs (fieldFunctionObjects);
        writeControl writeTime;
        fields ( U { mean on; prime2Mean on; base time; } );
    }
}
""")
decompose(case, 3)
random.seed(1)
problems, interrupted, restarts, reached = [], 0, 0, 0.0

for i in range(12):
    log = case / "log.killed"
    with log.open("w") as stream:
        process = subprocess.Popen(
            command(3).split(), cwd=case, stdin=subprocess.DEVNULL,
            stdout=stream, stderr=subprocess.STDOUT,
            env={**os.environ, **environment}, start_new_session=True,
        )
    before = times(case / "processor0")[-1]
    waitFor(lambda: times(case / "processor0")[-1] != before)
    time.sleep(random.uniform(0, 0.3))
    # All at once: the solver's processes are those of this case
    killed = children(process) + [process.pid]
    for pid in killed:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()
    waitFor(lambda: not any(map(alive, killed)))

    # A time that the start finished may be the new one: killed before a restart
    text = log.read_text()
    if i and "Starting time loop" in text and restarted not in text:
        problems.append(f"round {i}: no restart: {text[-800:]}")
    restarts += restarted in text
    folders = [case / f"processor{p}" for p in range(3)]
    interrupted += any((f / ".writing").exists() for f in folders)
    names = [t for t in times(folders[0]) if t != "0"]
    for name in names:
        for folder in folders:
            for field in ("U", "p", "phi", "uniform/time"):
                file = folder / name / field
                if (not file.is_file()
                        or not file.read_bytes().endswith(endOfFile)):
                    problems.append(f"round {i}: {file}")
        if not populations(folders[0] / name)[1].endswith(endOfFile):
            problems.append(f"round {i}: populations of {name}")
    if not names or float(names[-1]) <= reached:
        problems.append(f"round {i}: no progress beyond {reached}: {names}")
        break
    reached = float(names[-1])

check("killedRunsLeaveCompleteTimes", not problems, "\n".join(problems[:5]))
check("killedRunsAreContinued", restarts >= 6, f"{restarts} of 11")
check("killsHitWrites", interrupted >= 1, "no kill fell into a write")

# One of them is lost: the others do not wait for it

with (case / "log.lost").open("w") as stream:
    process = subprocess.Popen(
        command(3).split(), cwd=case, stdin=subprocess.DEVNULL, stdout=stream,
        stderr=subprocess.STDOUT, env={**os.environ, **environment},
        start_new_session=True,
    )
before = times(case / "processor0")[-1]
waitFor(lambda: times(case / "processor0")[-1] != before)
os.kill(children(process)[1], signal.SIGKILL)
start = time.time()
try:
    status = process.wait(timeout=60)
except subprocess.TimeoutExpired:
    process.kill()
    status = 0
check("lostProcessEndsAll", status != 0 and "signal 9" in
      (case / "log.lost").read_text(), f"{status} {time.time() - start}")

setEntry(case / "system/controlDict", "stopAt", "writeNow")
runParallel(case, 3)
left = [str(p) for p in case.glob("processor*/.*")]
check("leftOversAreRemoved", not left, left)
all_ = [times(case / f"processor{i}") for i in range(3)]
check("timesOfAllAreTheSame", all_[0] == all_[1] == all_[2], all_)

finish()
