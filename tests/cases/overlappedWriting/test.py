"""A time is written beside the next steps: the files are the same, the steps
go on meanwhile, and whatever needs the files waits for them.

What is written is held from outside, at the renaming that makes it a time: the
order of things is what is looked at, not how long they take.
"""

import filecmp
import os
import re
import shutil
import signal
import subprocess
import time

from caseTest import *

average = """
functions
{
    average
    {
        type fieldAverage; libs (fieldFunctionObjects);
        writeControl writeTime;
        fields ( U { mean on; prime2Mean on; base time; } );
    }
}
"""


def prepare(name, cells=20, functions=average, LBM="", **entries):
    """The cavity with 20 steps of deltaT, written twice."""
    case = copyCase("cavity", name)
    path = case / "system/blockMeshDict"
    path.write_text(path.read_text().replace("(20 20 1)",
                                             f"({cells} {cells} 1)"))
    mustRun("blockMesh", case)
    control = {"startFrom": "latestTime", "endTime": 0.1, "writeInterval": 10,
               **entries}
    for entry, value in control.items():
        setEntry(case / "system/controlDict", entry, value)
    (case / "system/controlDict").open("a").write(functions)
    if LBM:
        (case / "system/fvSolution").open("a").write(f"\nLBM {{ {LBM} }}\n")
    return case


def files(case):
    """Files of all times but the first, by their path."""
    return sorted(
        str(path.relative_to(case)) for name in times(case) if name != "0"
        for path in (case / name).rglob("*") if path.is_file()
    )


# The same files. Another file handler does not know of the writer, and leaves
# all to OpenFOAM

for name, entries in (
    ("ascii", {"cells": 200, "deltaT": 0.0005, "endTime": 0.01}),
    ("binary", {"writeFormat": "binary"}),
    ("compressed", {"writeCompression": "on"}),
    ("digits", {"writePrecision": 14, "timeFormat": "scientific"}),
    ("purgeWrite", {"purgeWrite": 2, "writeInterval": 4}),
    ("runTime", {"writeControl": "runTime", "writeInterval": 0.025}),
    ("adjustableRunTime", {"writeControl": "adjustableRunTime",
                           "writeInterval": 0.02}),
    ("writeNow", {"stopAt": "writeNow"}),
):
    case = prepare(name, **entries)
    other = Path(shutil.copytree(case, name + "-reference"))
    mustRun("lbmGpuFoam", case)
    mustRun("lbmGpuFoam -fileHandler masterUncollated", other)
    mine, reference = files(case), files(other)
    _, differ, missing = filecmp.cmpfiles(case, other, reference, False)
    check(f"sameFiles-{name}",
          mine == reference and reference and not differ and not missing
          and any("UMean" in file for file in mine)
          and not (case / ".writing").exists(),
          f"{mine}, by OpenFOAM {reference}, different {differ + missing}")


# Signals

case = prepare("signals", endTime=1e6, writeInterval=1000000)
(case / "system/controlDict").open("a").write(
    "\nOptimisationSwitches "
    "{ writeNowSignal 10; stopAtWriteNowSignal 12; }\n")


class running:
    """The solver in the background; what it writes may be held."""

    def __init__(self, case, hold=None, fail=None, **environment):
        self.case = case
        self.log = case / "log.lbmGpuFoam"
        self.until = case.resolve() / "go"
        environment = {**os.environ, "PWD": str(case.resolve()), **environment}
        if hold or fail:
            environment["LD_PRELOAD"] = str(shim)
        if hold:
            environment["HOLD_RENAME"] = (
                hold if hold.startswith("/") else "/.writing/" + hold)
            environment["HOLD_UNTIL"] = str(self.until)
        if fail:
            environment["FAIL_RENAME"] = (
                fail if fail.startswith("/") else "/.writing/" + fail)
        self.process = subprocess.Popen(
            ["lbmGpuFoam"], cwd=case, stdin=subprocess.DEVNULL,
            stdout=self.log.open("w"), stderr=subprocess.STDOUT,
            env=environment)

    def text(self):
        return self.log.read_text(errors="replace")

    def count(self, what):
        return len(re.findall(what, self.text(), re.M))

    def wait(self, condition, seconds=60):
        """Wait for something to happen; whether it did."""
        limit = time.time() + seconds
        while not condition():
            if time.time() > limit or self.process.poll() is not None:
                return condition()
            time.sleep(0.02)
        return True

    def stays(self, condition):
        """Whether something holds for a while, and the solver runs."""
        limit = time.time() + 0.5
        while time.time() < limit:
            if not condition() or self.process.poll() is not None:
                return False
            time.sleep(0.02)
        return True

    def release(self):
        self.until.touch()

    def end(self, seconds=60):
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None


def complete(folder):
    """Whether a time has all its files, to their end."""
    return folder.is_dir() and all(
        (folder / name).is_file()
        and (folder / name).read_bytes().endswith(b"* //\n")
        for name in ("U", "p", "phi", "uniform/time",
                     "uniform/latticePopulations",
                     "uniform/functionObjects/functionObjectProperties")
    ) and not (folder.parent / ".writing").exists()


solver = running(case)
started = solver.wait(lambda: solver.count(r"^Time = ") > 2)
solver.process.send_signal(signal.SIGUSR1)
written = solver.wait(lambda: len(times(case)) > 1)
first = times(case)[-1]
goesOn = solver.process.poll() is None
solver.process.send_signal(signal.SIGUSR2)
status = solver.end()
check("signals",
      started and written and goesOn and status == 0 and len(times(case)) == 3
      and all(complete(case / name) for name in times(case)[1:])
      and solver.text().rstrip().endswith("End"),
      f"status {status}, {times(case)}: {solver.text()[-800:]}")


# Held and failing

shim = Path("rename.so").resolve()
compiler = shutil.which("cc") or shutil.which("gcc")

if not compiler:
    for name in ("stepsGoOn", "theNextWriteWaits", "heldTimeIsComplete",
                 "theEndWaits", "readersWait", "errorsWait", "abortsWait",
                 "killedTimeIsAbsent", "killedRunGoesOn", "failures",
                 "averagesKeepTheirWeight", "endedRunsWait",
                 "synchronised", "populationsLost"):
        skipped(name, "no C compiler to hold the writer with")
    finish()

subprocess.run([compiler, "-shared", "-fPIC", "-o", shim, "rename.c", "-ldl"],
               check=True)

case = prepare("held")
solver = running(case, hold="0.05")
reached = solver.wait(lambda: solver.count(r"^Lattice: \d+ steps") == 20)
check("stepsGoOn",
      reached and not (case / "0.05").exists()
      and (case / ".writing/0.05/U").is_file(),
      solver.text()[-800:])
check("theNextWriteWaits",
      solver.stays(lambda: solver.count(r"^ExecutionTime") == 19)
      and not (case / "0.1").exists(), solver.text()[-800:])
solver.release()
status = solver.end()
check("heldTimeIsComplete",
      status == 0 and times(case) == ["0", "0.05", "0.1"]
      and complete(case / "0.05") and complete(case / "0.1")
      and (case / "0.05/UMean").is_file(),
      f"status {status}, {files(case)}")

case = prepare("end")
solver = running(case, hold="0.1")
reached = solver.wait(lambda: solver.count(r"^ExecutionTime") == 20)
waits = solver.stays(lambda: solver.count(r"^End") == 0)
before = (case / "0.1").exists()
solver.release()
status = solver.end()
check("theEndWaits",
      reached and waits and not before and status == 0
      and complete(case / "0.1") and solver.count(r"^End") == 1,
      f"status {status}, {files(case)}: {solver.text()[-800:]}")

case = prepare("readers", functions="""
functions
{
    again
    {
        type readFields; libs (fieldFunctionObjects);
        fields (U);
    }
}
""")
solver = running(case, hold="0.05")
reached = solver.wait(lambda: solver.count(r"^ExecutionTime") == 10)
waits = solver.stays(lambda: solver.count(r"^Time = ") == 10)
solver.release()
status = solver.end()
check("readersWait",
      reached and waits and status == 0 and complete(case / "0.1"),
      f"status {status}: {solver.text()[-800:]}")

# Killed while a time is held: it is not there, and the run goes on without

case = prepare("killed")
solver = running(case, hold="0.05")
reached = solver.wait(lambda: solver.count(r"^Lattice: \d+ steps") == 20)
solver.process.kill()
solver.process.wait()
check("killedTimeIsAbsent",
      reached and times(case) == ["0"] and (case / ".writing").exists(),
      files(case))
output = mustRun("lbmGpuFoam", case)
check("killedRunGoesOn",
      times(case) == ["0", "0.05", "0.1"] and complete(case / "0.05")
      and complete(case / "0.1"), files(case))

# Killed while the fields of functionObjects are added to a time: they come with
# the weights that belong to them, or not at all

def mean(case):
    return (case / "0.1/UMean").read_bytes()


# Stopped and gone on with in the ordinary way
whole = prepare("averaged", endTime=0.05)
mustRun("lbmGpuFoam", whole)
setEntry(whole / "system/controlDict", "endTime", 0.1)
mustRun("lbmGpuFoam", whole)
weights = "uniform/functionObjects/functionObjectProperties"

for name, hold in (("before", "/.writing/added"),
                   ("field", "/.adding/0.05/UMean"),
                   ("weight", f"/.adding/0.05/{weights}")):
    case = prepare("averaging-" + name)
    solver = running(case, hold=hold)
    there = case / (f".writing/added/0.05/{weights}" if name == "before"
                    else ".adding")
    reached = solver.wait(
        lambda: solver.count(r"^Lattice: \d+ steps") == 20 and there.exists())
    solver.process.kill()
    solver.process.wait()
    left = files(case)
    output = mustRun("lbmGpuFoam", case)
    goesOn = "starting averaging at time 0.05" not in output
    check(f"averagesKeepTheirWeight-{name}",
          reached and "0.05/U" in left
          and ((mean(case) == mean(whole) and goesOn) if name != "before" else
               "0.05/UMean" not in left and f"0.05/{weights}" not in left
               and not goesOn)
          and not (case / ".adding").exists(),
          f"{left}: {output[:3000]}")


# Asked to end meanwhile: what is under way is finished, and nothing else begins

for name, number in (("terminated", signal.SIGTERM), ("hangup", signal.SIGHUP),
                     ("interrupted", signal.SIGINT)):
    case = prepare(name)
    solver = running(case, hold="0.05")
    reached = solver.wait(lambda: solver.count(r"^Lattice: \d+ steps") == 20)
    solver.process.send_signal(number)
    waits = solver.stays(lambda: not (case / "0.05").exists())
    solver.release()
    status = solver.end()
    check(f"endedRunsWait-{name}",
          reached and waits and status == -number
          and times(case) == ["0", "0.05"] and complete(case / "0.05"),
          f"reached {reached}, waits {waits}, status {status}, {files(case)}")

case = prepare("terminatedIdle", endTime=1e6, writeInterval=1000000)
setEntry(case / "system/controlDict", "writeInterval", 10)
solver = running(case)
solver.wait(lambda: len(times(case)) > 3)
solver.process.send_signal(signal.SIGTERM)
status = solver.end()
check("endedRunsEnd", status == -signal.SIGTERM, f"status {status}")


# The run stops with an error of its own: what is under way is finished

for name, environment, expected in (
    ("errorsWait", {}, 1),
    ("abortsWait", {"FOAM_ABORT": "1"}, -signal.SIGABRT),
):
    case = prepare(name, LBM="referenceVelocity 1; adaptiveStep no;"
                   " secondChance no;")
    path = case / "0/U"
    text, n = re.subn(
        r"(movingWall\s*\{)[^}]*\}",
        r"\1 type uniformFixedValue; uniformValue table "
        r"((0 (1 0 0)) (0.06 (1 0 0)) (0.065 (50 0 0)) (1 (50 0 0))); }",
        path.read_text())
    path.write_text(text)
    solver = running(case, hold="0.05", **environment)
    reached = solver.wait(lambda: solver.count("The flow diverges") == 1)
    waits = solver.stays(lambda: not (case / "0.05").exists())
    solver.release()
    status = solver.end()
    check(name,
          reached and waits and status == expected and complete(case / "0.05"),
          f"status {status}, {files(case)}: {solver.text()[-1500:]}")


# On disk before it gets its name, and that before an older time is purged

def calls(name, **entries):
    """What the run of a case did with files, in this order."""
    case = prepare(name, **entries)
    log = case.resolve() / "calls"
    mustRun("lbmGpuFoam", case,
            environment={"LD_PRELOAD": str(shim), "LOG_CALLS": str(log)})
    return case.resolve(), log.read_text().splitlines()


case, made = calls("synchronised", purgeWrite=1)
for file in ("U", "p", "phi", "uniform/time", "uniform/latticePopulations", "",
             "uniform"):
    path = str(case / ".writing/0.05" / file)
    check(f"synchronised-{file or 'directory'}",
          f"sync {path}" in made and made.index(f"sync {path}")
          < made.index(f"rename {case}/0.05"), made)
check("synchronised-functionObject",
      f"sync {case}/.writing/added/0.05/UMean" in made
      and made.index(f"sync {case}/.writing/added/0.05/UMean")
      < made.index(f"rename {case}/.adding")
      < made.index(f"rename {case}/0.05/UMean"), made)
check("synchronised-purged",
      f"sync {case}" in made[made.index(f"rename {case}/0.1"):
                             made.index(f"rename {case}/.writing/0.05")], made)

case, made = calls("synchronisedAgain")
mustRun("lbmGpuFoam", case)
setEntry(case / "system/controlDict", "startFrom", "startTime")
log = case / "calls"
log.unlink()
mustRun("lbmGpuFoam", case,
        environment={"LD_PRELOAD": str(shim), "LOG_CALLS": str(log)})
made = log.read_text().splitlines()
check("synchronised-replaced",
      f"sync {case}" in made[made.index(f"rename {case}/.replaced/0.05"):
                             made.index(f"rename {case}/0.05")]
      and f"sync {case}/0.05" in made, made)


# The populations cannot be had: the fields are written, and the run stops

def withoutPopulations(name, what, environment, LBM="", half=0.05, **entries):
    """half: of the run; times are named by it and by twice as much"""
    first, last = f"{half:g}", f"{2*half:g}"
    case = prepare(name, LBM="secondChance no; " + LBM, deltaT=half/10,
                   endTime=2*half, **entries)
    status, log = run("lbmGpuFoam", case, environment=environment)
    check(f"populationsLost-{name}",
          status == 1 and "FOAM FATAL ERROR" in log
          and re.search(rf"Time {first} of case \S+ is incomplete\n"
                        r" *latticePopulations: " + what, log)
          and not re.search("^End", log, re.M),
          f"status {status}: {log[-1500:]}")
    check(f"fieldsKept-{name}",
          times(case) == ["0", first] and all(
              (case / first / file).read_bytes().endswith(b"* //\n")
              for file in ("U", "p", "phi", "uniform/time"))
          and not (case / first / "uniform/latticePopulations").exists()
          and not (case / ".writing").exists(), files(case))
    log = mustRun("lbmGpuFoam", case)
    check(f"goesOnFromFields-{name}",
          "populations are not used, there are none" in log
          and complete(case / last), log[-1500:])


# 102400 nodes of 36 B; a field of 400 cells has the least size, 2 MiB. Their
# steps are short
withoutPopulations("memory", "no memory for a copy of them, 3.686 MB",
                   {"LD_PRELOAD": str(shim), "FAIL_ALIGNED": "3000000"},
                   LBM="refinement 16; layout dense; backend host;",
                   half=0.0005)

device = Path("device.so").resolve()
if shutil.which("g++"):
    subprocess.run(["g++", "-std=c++17", "-shared", "-fPIC", "-I",
                    str(top / "src/lattice"), "-o", device, "device.C"],
                   check=True)
    withoutPopulations("device", "unspecified launch failure",
                       {"LD_PRELOAD": str(device)})
else:
    skipped("populationsLost-device", "no C++ compiler")


# Writing fails: the run stops with OpenFOAM's error

for name, fail, what in (
    ("time", "0.05", r"Cannot write time 0\.05 of case \S+\n.*No space left"),
    ("lastTime", "0.1", r"Cannot write time 0\.1 of case \S+\n.*No space left"),
    ("functionObject", "/.adding/0.05/UMean",
     r"Cannot write the files of functionObjects of case \S+\n.*No space"),
):
    case = prepare("failing-" + name)
    solver = running(case, fail=fail)
    status = solver.end()
    log = solver.text()
    check(f"failureStops-{name}",
          status == 1 and "FOAM FATAL ERROR" in log and re.search(what, log)
          and not re.search("^End", log, re.M),
          f"status {status}: {log[-1500:]}")
    check(f"failureLeavesTimesComplete-{name}",
          times(case) == {"time": ["0"], "lastTime": ["0", "0.05"],
                          "functionObject": ["0", "0.05"]}[name]
          and all((case / t / "U").read_bytes().endswith(b"* //\n")
                  for t in times(case))
          and (name == "functionObject" or not (case / ".writing").exists()),
          files(case))

# What is in the way of a time is not a directory
case = prepare("inTheWay")
(case / "0.05").write_text("a file")
status, log = run("lbmGpuFoam", case)
check("failureStops-inTheWay",
      status == 1 and re.search(r"Cannot write time 0\.05 .*\n.*Not a dir", log)
      and (case / "0.05").read_text() == "a file",
      f"status {status}: {log[-1500:]}")

finish()
