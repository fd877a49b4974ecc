"""What case tests share: copying a case, running programs, reporting.

A case test is a folder tests/cases/<name> with a test.py or test.sh. Alltest
runs it in a copy of that folder, with the OpenFOAM environment set, and counts
the lines PASS, FAIL and SKIP that it prints.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

#: Top folder of lbmGpuFoam
top = Path(os.environ.get("LBMGPUFOAM_DIR") or Path(__file__).parents[2])

#: Name of the GPU that runs can use; empty if there is none
gpu = os.environ.get("LBMGPUFOAM_GPU", "")

#: Whether to run what takes long, too: Alltest -long
long = bool(os.environ.get("LBMGPUFOAM_LONG"))

#: Head of a dictionary or field, for its class and name
HEADER = "FoamFile {{ version 2.0; format ascii; class {}; object {}; }}\n"

_failed = False


def passed(name):
    print(f"PASS {name}")


def failed(name, why):
    global _failed
    _failed = True
    print(f"FAIL {name}: {' | '.join(str(why).split(chr(10)))}")


def skipped(name, why):
    print(f"SKIP {name}: {why}")


def check(name, condition, why=""):
    """PASS or FAIL, by the condition; returns it."""
    if condition:
        passed(name)
    else:
        failed(name, why)
    return bool(condition)


def ifLong(name):
    """Whether to run a check that takes long; if not, a line that says so."""
    if not long:
        skipped(name, "only with -long")
    return long


def finish():
    """Last call of a test: leave with status 1 if anything failed."""
    sys.exit(1 if _failed else 0)


def copyCase(source, target):
    """Copy a case without its results; 0.orig becomes 0.

    source: path, or the name of a folder in tutorials/lbmGpuFoam
    """
    source = Path(source)
    if not source.is_dir():
        source = top / "tutorials" / "lbmGpuFoam" / source
    target = Path(target)
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for part in ("0", "0.orig", "constant", "system"):
        if (source / part).is_dir():
            shutil.copytree(
                source / part,
                target / part,
                ignore=shutil.ignore_patterns("polyMesh"),
            )
    if (target / "0.orig").is_dir():
        shutil.rmtree(target / "0", ignore_errors=True)
        shutil.copytree(target / "0.orig", target / "0")
    return target


def writeFields(case, patches):
    """Write 0/U and 0/p of fluid at rest in a plane case: conditions of U and p by
    patch; frontAndBack is empty.
    """
    for i, (field, kind, dimensions, value) in enumerate((
            ("U", "volVectorField", "[0 1 -1 0 0 0 0]", "(0 0 0)"),
            ("p", "volScalarField", "[0 2 -2 0 0 0 0]", "0"))):
        (case / "0" / field).write_text(
            HEADER.format(kind, field)
            + f"dimensions {dimensions};\ninternalField uniform {value};\n"
            "boundaryField\n{\n"
            + "".join(f"{patch} {{ {conditions[i]} }}\n"
                      for patch, conditions in patches.items())
            + "frontAndBack { type empty; }\n}\n")


def run(command, case=".", log=None, environment=None, timeout=1200):
    """Run a program in a case; returns (exit status, all that it printed).

    The output also goes to the file log.<program> of the case.
    """
    if isinstance(command, str):
        command = command.split()
    done = subprocess.run(
        command,
        cwd=case,
        # OpenFOAM warns of a PWD that is not the current folder
        env={**os.environ, "PWD": str(Path(case).resolve()),
             **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=timeout,
        text=True,
        errors="replace",
    )
    name = log or "log." + Path(command[0]).name
    (Path(case) / name).write_text(done.stdout)
    return done.returncode, done.stdout


def mustRun(command, case=".", **options):
    """As run, but a status other than 0 ends the test; returns the output."""
    status, output = run(command, case, **options)
    if status != 0:
        tail = "\n".join(output.splitlines()[-15:])
        failed(Path(command.split()[0] if isinstance(command, str)
                    else command[0]).name, f"exit status {status}\n{tail}")
        finish()
    return output


def setEntry(dictionary, entry, value):
    """Set an entry of a dictionary file; sub-dictionaries by LBM/collision."""
    # One in a line of its own, without a program
    path = Path(dictionary)
    text, n = re.subn(
        rf"(?m)^({re.escape(entry)}[ \t]+)[^\s;{{}}()\"#$]+;",
        lambda m: f"{m[1]}{value};", path.read_text())
    if n == 1 and re.fullmatch(r"[\w.+-]+", str(value)):
        path.write_text(text)
        return
    subprocess.run(
        ["foamDictionary", str(dictionary), "-entry", entry.replace("/", "."),
         "-set", str(value)],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def times(case):
    """Names of the time directories of a case, in increasing order."""
    names = [
        p.name for p in Path(case).iterdir()
        if p.is_dir() and re.fullmatch(r"\d+(\.\d+)?(e-?\d+)?", p.name)
    ]
    return sorted(names, key=float)


def waitFor(condition, timeout=60):
    """The condition's value, as soon as it is true; else its last one.

    The time allows for a busy machine.
    """
    end = time.monotonic() + timeout
    while True:
        value = condition()
        if value or time.monotonic() > end:
            return value
        time.sleep(0.02)
