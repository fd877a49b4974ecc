"""controlDict means what it means to icoFoam: the same log lines, the same
time directories, and changes while the solver runs.
"""

import os
import re
import subprocess
import time

from caseTest import *


def prepare(name, **entries):
    case = copyCase("cavity", name)
    mustRun("blockMesh", case)
    for entry, value in {"endTime": 0.1, **entries}.items():
        setEntry(case / "system/controlDict", entry, value)
    return case


def solve(case, **entries):
    for entry, value in entries.items():
        setEntry(case / "system/controlDict", entry, value)
    return mustRun("lbmGpuFoam", case)


def steps(output):
    return re.findall(r"^Time = (.*)$", output, re.M)


# Log lines, to the letter

case = prepare("log", endTime=0.02, writeInterval=2)
mine = solve(case)
ico = mustRun("icoFoam", case)


def skeleton(output):
    """Lines that both print, with numbers that differ taken out."""
    lines = []
    for line in output.splitlines():
        line = re.sub(r"(mean: |max: |ExecutionTime = |ClockTime = )\S+",
                      r"\1#", line)
        if re.match(r"Create|Reading|Starting time loop|Time = |Courant|"
                    r"ExecutionTime|End$", line):
            lines.append(line)
    return lines


check("logLines", skeleton(mine) == skeleton(ico),
      "\n".join([*skeleton(mine), "icoFoam:", *skeleton(ico)]))


def numbers(output):
    return [(float(a), float(b)) for a, b in re.findall(
        r"^Courant Number mean: (\S+) max: (\S+)$", output, re.M)]


# In the steady state, where both have the same flow; measured: 1.0 % for the
# mean, 0.4 % for the largest
setEntry(case / "system/controlDict", "endTime", 0.5)
setEntry(case / "system/controlDict", "writeInterval", 1000)
a, b = (numbers(mustRun(program, case))[-1]
        for program in ("lbmGpuFoam", "icoFoam"))
check("CourantNumbers",
      abs(a[0] - b[0]) < 0.015*b[0] and abs(a[1] - b[1]) < 0.01*b[1],
      f"{a}, icoFoam {b}")

# When to write

for control, interval, more, expected in (
    ("timeStep", 10, {}, ["0", "0.05", "0.1"]),
    ("runTime", 0.02, {}, ["0", "0.02", "0.04", "0.06", "0.08", "0.1"]),
    ("adjustableRunTime", 0.05, {}, ["0", "0.05", "0.1"]),
    ("timeStep", 5, {"purgeWrite": 2}, ["0", "0.075", "0.1"]),
    ("runTime", 0.025, {"deltaT": 0.0125}, ["0", "0.025", "0.05", "0.075",
                                            "0.1"]),
    ("none", 1, {}, ["0"]),
):
    case = prepare("write", writeControl=control, writeInterval=interval,
                   **more)
    solve(case)
    check(f"writeControl-{control}-{interval}" + "".join(more),
          times(case) == expected, f"{times(case)}, expected {expected}")

# When to start

case = prepare("start", writeInterval=4)
solve(case)
for startFrom, more, first in (
    ("startTime", {"startTime": 0.02}, "0.025"),
    ("firstTime", {}, "0.005"),
    ("latestTime", {"endTime": 0.12}, "0.105"),
):
    output = solve(case, startFrom=startFrom, **more)
    check(f"startFrom-{startFrom}", steps(output)[0] == first,
          steps(output)[:3])

# When to stop

for stopAt, expected, written in (
    ("writeNow", ["0.005"], ["0", "0.005"]),
    ("noWriteNow", ["0.005"], ["0"]),
    ("nextWrite", ["0.005", "0.01", "0.015", "0.02"], ["0", "0.02"]),
):
    case = prepare("stop", writeInterval=4, stopAt=stopAt)
    output = solve(case)
    check(f"stopAt-{stopAt}",
          steps(output) == expected and times(case) == written,
          f"{steps(output)}, {times(case)}")

# How to write

case = prepare("compressed", writeInterval=20, writeCompression="on")
solve(case)
check("writeCompression", (case / "0.1/U.gz").exists()
      and (case / "0.1/uniform/latticePopulations").exists(),
      sorted(p.name for p in (case / "0.1").iterdir()))
output = solve(case, startFrom="latestTime", endTime=0.11)
check("restartFromCompressed", "Restarting from the populations" in output,
      output[-1500:])

case = prepare("precise", writeInterval=20, timePrecision=4,
               timeFormat="fixed")
solve(case)
check("timeFormat", "0.1000" in times(case), times(case))

# adjustTimeStep: deltaT is as given, and the log says so
case = prepare("adjust")
(case / "system/controlDict").open("a").write(
    "\nadjustTimeStep yes;\nmaxCo 0.5;\n")
output = solve(case)
check("adjustTimeStep",
      "adjustTimeStep is on" in output and steps(output)[0] == "0.005"
      and len(steps(output)) == 20, steps(output)[:3])


# Changed while it runs

class running:
    """The solver in the background, with its log."""

    def __init__(self, case):
        self.case = case
        self.changed = time.time()
        self.log = case / "log.lbmGpuFoam"
        self.process = subprocess.Popen(
            ["lbmGpuFoam"], cwd=case, stdin=subprocess.DEVNULL,
            stdout=self.log.open("w"), stderr=subprocess.STDOUT)

    def change(self, entry, value):
        """Set an entry of controlDict, some time after the last change.

        OpenFOAM may ignore a file that is less than fileModificationSkew
        seconds newer; the date stands in for the waiting.
        """
        path = self.case / "system/controlDict"
        new = path.with_name("controlDict.new")
        new.write_bytes(path.read_bytes())
        setEntry(new, entry, value)
        self.changed += 60
        os.utime(new, (self.changed, self.changed))
        new.rename(path)

    def text(self):
        return self.log.read_text(errors="replace")

    def waitFor(self, pattern, seconds=60):
        limit = time.time() + seconds
        while time.time() < limit:
            if re.search(pattern, self.text(), re.M):
                return True
            if self.process.poll() is not None:
                return bool(re.search(pattern, self.text(), re.M))
            time.sleep(0.05)
        return False

    def end(self, seconds=60):
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return None


case = prepare("modified", endTime=1e6, writeInterval=1000000)
solver = running(case)
started = solver.waitFor(r"^Time = [3-9]")     # [s]: steady
solver.change("deltaT", 0.01)
doubled = solver.waitFor(r"deltaT is now 0\.01 s, \d+ steps of the lattice")
solver.change("deltaT", 0.0037)
other = solver.waitFor(r"New lattice step")
solver.change("stopAt", "writeNow")
status = solver.end()
log = solver.text()
check("modifiedDeltaT", started and doubled, log[-1500:])
check("modifiedDeltaTNewLatticeStep",
      other and log.count("Consistent start from U and p") == 1,
      log[-1500:])
check("modifiedStopAt",
      status == 0 and log.rstrip().endswith("End") and len(times(case)) == 2,
      f"status {status}, {times(case)}: {log[-800:]}")

# The flow goes on from where it was: it is steady by then
numbersAfter = numbers(log.split("New lattice step")[-1])
check("modifiedDeltaTKeepsTheFlow",
      numbersAfter and abs(numbersAfter[0][0]/numbersAfter[-1][0] - 1) < 1e-4,
      numbersAfter[:1] + numbersAfter[-1:])

case = prepare("modifiedEnd", endTime=1e6, writeInterval=1000000)
solver = running(case)
solver.waitFor(r"^Time = ")
solver.change("endTime", 0.001)
status = solver.end()
check("modifiedEndTime", status == 0 and solver.text().rstrip().endswith("End"),
      f"status {status}: {solver.text()[-800:]}")

case = prepare("notModifiable", endTime=5, runTimeModifiable="no",
               writeInterval=1000)
solver = running(case)
solver.waitFor(r"^Time = ")
solver.change("endTime", 0.001)
status = solver.end(120)
check("notModifiable", status == 0 and times(case) == ["0", "5"],
      f"status {status}, {times(case)}")

finish()
