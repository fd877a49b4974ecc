"""Damaged cases are refused, and nothing crashes, hangs or runs on silently.

Four small cases (a cavity; a channel with inlet, outlet and slip; one that
tables drive; a curved one that needs a lattice laid over its mesh) are damaged at
random: entries missing, misspelt, of the wrong type, not a number, infinite, huge,
negative; files empty, cut off, unbalanced, gone; labels, faces, points and patches
of the mesh changed; rows of tables; restart data. And by hand: patches of the
wrong type or size, meshes that are open.

A damaged case must end with

    status != 0  and OpenFOAM's fatal error that names the file or patch, or
    status 0     and, bit for bit, what the undamaged case gives: the damage
                 is to something that is not used; or without a step, where
                 endTime is not after the start, as with any solver.

With damaged restart data the run goes on from U and p, and says so, or, bit for
bit, as if undamaged.

    test.py [-seed 1] [-number 100] [-only N ...] [-keep]

repeats it with other random numbers. A failure names its number: the damage
is made from the seed and this number alone, and -only runs it by itself and
leaves the case in damaged.<number>. Some damage turns out to be another legal
case (omega 0 for a wall, an optional entry that is missing): these are counted as
such where the kind of damage and the file allow it (maybeLegal).

Ten thousand: test.py -seed 2 -number 10000
"""

import argparse
import concurrent.futures
import os
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from caseTest import check, failed, finish, ifLong, long, passed

import byHand
import cases
import damage

options = argparse.ArgumentParser()
options.add_argument("-seed", type=int, default=1)
options.add_argument("-number", type=int, default=450 if long else 100)
options.add_argument("-only", type=int, nargs="*")
options.add_argument("-keep", action="store_true")
options.add_argument("-verbose", action="store_true")
options = options.parse_args()

#: Longest time that a run may take [s]; an undamaged one takes half a second
LIMIT = 20

MESH_FILES = [f"constant/polyMesh/{name}"
              for name in ("points", "faces", "owner", "neighbour", "boundary")]

#: The files that are damaged; those named twice are damaged twice as often
FILES = [
    "0/U", "0/U", "0/U", "0/p", "0/p", "constant/transportProperties",
    "constant/turbulenceProperties", "system/controlDict",
    "system/controlDict", "system/fvSolution", "system/fvSolution",
    "system/fvSolution", "system/fvSchemes",
] + 2*MESH_FILES + 3*["constant/inletTable"]

#: Of a run that goes on from a time of its own
RESTART_FILES = 8*["latticePopulations"] + ["latticeBoundaryValues", "time"]

#: What every file is for: its damage may name these in place of the file
ALIAS = {
    "0/U": ["phi", "inletTable"],
    "system/controlDict": ["cannot find file"],
    "constant/inletTable": ["0/U", "inlet"],
    "system/fvSolution": ["spacing", "reference velocity"],
    "constant/polyMesh": ["polyMesh", "mesh", "[Cc]ell", "[Ff]ace"],
}


def solve(case, *arguments):
    """Status and output; status None if it had to be stopped."""

    process = subprocess.Popen(
        ["lbmGpuFoam", *arguments], cwd=case, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace",
        env={**os.environ, "PWD": str(case.resolve()), "OMP_NUM_THREADS": "1"},
    )
    try:
        output, _ = process.communicate(timeout=LIMIT)
        status = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        output, _ = process.communicate()
        status = None
    (case/"log.lbmGpuFoam").write_text(output)
    return status, output


def result(case, start="0"):
    """The values in cells that a run wrote; {} if nothing. start: time from
    which it started."""

    found = {}
    for path in sorted(case.glob("*/*")):
        if path.name in ("U", "p") and path.parent.name not in ("0", start):
            text = path.read_text(errors="replace")
            end = text.find("boundaryField")
            found[f"{path.parent.name}/{path.name}"] = text[
                damage.body(text):end]
    return found


def refusal(output):
    """The fatal error's message; empty if there is none."""

    match = re.search(r"FOAM FATAL (IO )?ERROR.*", output, re.S)
    return match[0] if match else ""


def verdict(case, names, status, output, undamaged, steps, start="0"):
    """Why a run is not as it must be; empty if it is. Second, how it ended.

    names: regular expressions, one of which the message must hold
    """

    message = refusal(output)
    if status is None:
        return f"still running after {LIMIT} s", "hung"
    if status < 0:
        return f"signal {-status}: {message[:400]}", "crashed"
    if "sigFpe" in output or "sigSegv" in output or "terminate called" in output:
        return "crashed: " + output[-300:], "crashed"
    if status != 0:
        if not message:
            return f"status {status} without FOAM FATAL ERROR", "refused"
        if not any(re.search(name, message) for name in names):
            return f"message names none of {names}: {message[:600]}", "refused"
        return "", "refused"
    if not steps:
        return "", "accepted"
    wrote = result(case, start)
    if not wrote and "No step to make: the end time" in output:
        return "", "nothingToDo"
    if not wrote:
        return "status 0 and nothing written", "ran"
    text = " ".join(wrote.values())
    if re.search(r"\b(nan|inf)\b", text):
        return "ran on, and wrote values that are not numbers", "ran"
    if wrote != undamaged:
        return OTHER, "ran"
    return "", "unused"


OTHER = "ran on, with another result"


def maybeLegal(harm):
    """Whether such damage may leave what is a case as well."""

    if "polyMesh" in harm.file:
        return False
    return (
        # Of the other sign, or nothing, of a wall or a table
        harm.kind in ("negative", "zero")
        # What has a default value, or has become part of another entry
        or (harm.kind in ("missingEntry", "truncated", "misspeltEntry",
                          "noise")
            and harm.file in ("system/fvSolution", "system/controlDict"))
    )


def template(name):
    folder = Path(f"undamaged.{name}")
    cases.make(name, folder)
    mesh(folder)
    status, output = solve(folder)
    if not check(f"{name}.undamaged", status == 0 and len(result(folder)) == 2,
                 output[-800:]):
        finish()
    return result(folder)


def mesh(folder):
    done = subprocess.run(
        ["blockMesh"], cwd=folder, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "PWD": str(folder.resolve())})
    assert done.returncode == 0, done.stdout[-2000:]


def copy(name, folder):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(
        f"undamaged.{name}", folder,
        ignore=lambda where, names: [
            n for n in names if n.startswith("log.")
            or re.fullmatch(r"0\.\d+|postProcessing", n)])


def mentions(base, file):
    """How a message may name what is damaged: by file or, in files that have
    an entry for each of them, by patch"""

    names = [re.escape(file), re.escape(Path(file).name) + r"\b"]
    names += ALIAS.get(file, [])
    if "polyMesh" in file:
        names += ALIAS["constant/polyMesh"]
    if re.search("boundary|0/", file):
        names += [rf"\b{patch}\b" for patch in cases.CASES[base]["patches"]]
        # By the name that a patch has got
        names += ["Cannot find patchField entry for"]
    return names


def one(number):
    """Make the damage of this number, run it; returns (name, why, how)."""

    chance = random.Random(f"{options.seed} {number}")
    if chance.random() < 0.2:
        return restarted(number, chance)
    base = chance.choice(list(cases.CASES))
    folder = Path(f"damaged.{number}")
    copy(base, folder)
    harm = damage.Damage(chance, folder, FILES)
    harm.apply(folder)
    steps = chance.random() < 0.7

    status, output = solve(folder, *([] if steps else ["-dry-run"]))
    why, how = verdict(folder, mentions(base, harm.file), status, output,
                       undamaged[base], steps)
    if why == OTHER and maybeLegal(harm):
        why, how = "", "anotherCase"
    name = f"{base}, {harm}"
    return finished(number, folder, name, why, how)


def restartTemplate(name):
    """A case that goes on from its first write; (start, values from the
    populations, from U and p, from U and p with the step of the populations,
    without boundary values)"""

    folder = Path(f"undamaged.restart.{name}")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(f"undamaged.{name}", folder)
    start = max((p.parent.name for p in folder.glob("*/uniform")), key=float)
    path = folder/"system/controlDict"
    text = re.sub(r"startFrom\s+\w+", "startFrom latestTime",
                  path.read_text())
    path.write_text(re.sub(r"(endTime\s+)[\d.]+;",
                           rf"\g<1>{2*float(start):.6g};", text))

    found = []
    for what, says in (("populations", "Restarting from the populations"),
                       ("fields", "populations are not used"),
                       ("header", "populations are not used"),
                       ("boundary", "Restarting from the populations")):
        run = Path(f"run.restart.{name}")
        shutil.rmtree(run, ignore_errors=True)
        shutil.copytree(folder, run)
        file = run/start/"uniform/latticePopulations"
        boundary = run/start/"uniform/latticeBoundaryValues"
        if what == "boundary" and boundary.exists():
            boundary.unlink()
        if what == "fields":
            file.unlink()
        elif what == "header":
            data = file.read_bytes()
            at = data.index(b"\ndata\n") + 100
            file.write_bytes(data[:at] + b"~~~~" + data[at + 4:])
        status, output = solve(run)
        found.append(result(run, start))
        if not check(f"{name}.restart.{what}",
                     status == 0 and says in output and len(found[-1]) == 2,
                     output[-800:]):
            finish()
        shutil.rmtree(run)
    return start, *found


def restarted(number, chance):
    """Damage to the restart data; as one()."""

    base = chance.choice(list(cases.CASES))
    start, fromPopulations, fromFields, fromHeader, evaluated = restart[base]
    folder = Path(f"damaged.{number}")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(f"undamaged.restart.{base}", folder,
                    ignore=shutil.ignore_patterns("log.*"))
    harm = damage.Damage(
        chance, folder,
        [f"{start}/uniform/{file}" for file in RESTART_FILES])
    harm.apply(folder)
    status, output = solve(folder)
    data = harm.file.endswith("latticePopulations")
    expected = fromPopulations
    if data and "populations are not used" in output:
        # The header has a checksum of its own
        expected = (fromHeader if result(folder, start) == fromHeader
                    else fromFields)
    if "latticeBoundaryValues" in output or (
            harm.file.endswith("latticeBoundaryValues")
            and harm.kind in ("noFile", "emptyFile")):
        expected = evaluated
    why, how = verdict(folder, [re.escape(Path(harm.file).name)], status,
                       output, expected, True, start)
    if not why and how == "unused":
        how = "unused" if expected is fromPopulations else "fromFields"
    if why == OTHER and harm.file.endswith("/time"):
        # A step more or less in the phase of boundaryUpdateInterval
        why, how = "", "anotherCase"
    if data and status == 1 and not why:
        why = "stopped because of populations: " + refusal(output)[:400]
    return finished(number, folder, f"{base}, {harm}", why, how)


def finished(number, folder, name, why, how):
    if options.verbose:
        print(f"     {number} {how} {name}" + (f": {why}" if why else ""),
              flush=True)
    if not why and not options.keep and options.only is None:
        shutil.rmtree(folder)
    return number, name, why, how


undamaged = {name: template(name) for name in cases.CASES}
restart = {name: restartTemplate(name) for name in cases.CASES}

def hand(name):
    """Run one of the damages made by hand; returns (name, why, how)."""

    base, do, wanted = byHand.DAMAGES[name]
    folder = Path(f"damaged.{name}")
    copy(base, folder)
    do(folder)
    status, output = solve(folder)
    names = [] if wanted is byHand.RUNS else wanted
    why, how = verdict(folder, names, status, output, undamaged[base], True)
    if not why and (how == "unused") != (wanted is byHand.RUNS):
        why = f"{how}: {refusal(output)[:600]}"
    if not why and not options.keep:
        shutil.rmtree(folder)
    return name, why, how


numbers = range(options.number) if options.only is None else options.only
start = time.time()
counts = {}
bad = 0
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for number, name, why, how in pool.map(one, numbers):
        counts[how] = counts.get(how, 0) + 1
        if why:
            bad += 1
            failed(f"seed{options.seed}.{number}", f"{name}: {why}")

    names = byHand.DAMAGES if options.only is None else []
    for name, why, how in pool.map(hand, names):
        check(name, not why, why)

if options.only is None and options.number == 100:
    ifLong("another350")
if not bad:
    passed(f"seed{options.seed} " + ", ".join(
        f"{n} {how}" for how, n in sorted(counts.items())))
print(f"{len(numbers) + len(names)} damaged cases in {time.time() - start:.0f} s")

finish()
