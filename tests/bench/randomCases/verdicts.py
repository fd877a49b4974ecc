#------------------------------------------------------------------------------
# License
#     This file is part of lbmGpuFoam, distributed under GPL-3.0-or-later.
#     Copyright (C) 2026 lbmGpuFoam contributors
#------------------------------------------------------------------------------
"""Run a case with OpenFOAM's solver and with lbmGpuFoam, and judge."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[3]/"bin"))

from foamFields import patchFluxes, readField, timeNames  # noqa: E402

import cases  # noqa: E402
import conditions  # noqa: E402
import physics  # noqa: E402
from blocks import Geometry  # noqa: E402

#: A U that changes by more in the last quarter is unsteady: means are compared
STEADY = 0.02

#: Written times in the last third, and before the last quarter
THIRD = 4
QUARTER = 3

#: Divisors of deltaT on cells half as large, tried until icoFoam runs
FINER_STEPS = (2, 4, 8)

#: What is refused, and doc/user/mapping.md says so
DOCUMENTED = ("divides the distances between all cyclic halves",)

VERDICTS = ("fine", "wrong", "diverged", "crashed", "timeout", "refused",
            "refused, documented", "icoFoam failed")
FAILURES = VERDICTS[1:6]
#: Those that make the exit status 1
FATAL = ("diverged", "crashed", "timeout")


class Stopped(Exception):
    """A program was interrupted or terminated: the case has no verdict"""


class Failed(Exception):
    """A run without a result: verdict and message"""

    def __init__(self, verdict, message):
        super().__init__(verdict, message)
        self.verdict = verdict
        self.message = message


def shell(program, case, limit):
    """Run a program in a case; (status, log, seconds), status None if late"""

    start = time.monotonic()
    log = case/f"log.{program}"
    with open(log, "w") as output:
        try:
            status = subprocess.run(
                [program], cwd=case, stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, timeout=limit,
                env={**os.environ, "PWD": str(case.resolve()),
                     "OMP_NUM_THREADS": "1"}).returncode
        except subprocess.TimeoutExpired:
            status = None
    if status in (-signal.SIGINT, -signal.SIGTERM):
        raise Stopped(f"{program} was stopped by a signal")
    return (status, log.read_text(errors="replace"),
            time.monotonic() - start)


def message(log):
    """What a fatal error says, in a line"""

    match = re.search(
        r"FOAM FATAL (?:IO )?ERROR:(.*?)(?:From function|FOAM exiting|"
        r"FOAM aborting|\Z)", log, re.S)
    if match:
        text = match[1]
    elif "sigFpe" in log:
        times = re.findall(r"(?m)^(?:Time = |Courant Number ).*", log)
        text = " ".join(["floating point exception", *times[-2:]])
    else:
        text = "\n".join(log.splitlines()[-3:])
    return re.sub(r"\s+", " ", text).strip()[:300]


class Result:
    """What is compared of a run.

    U, p, s     at the end or, where unsteady, means over the last third; s is
                what physics.py compares besides
    balance     what enters and does not leave, over what enters
    flow        what enters
    """

    names = ("U", "p", "Umean", "pmean", "volumes", "change", "balance",
             "flow", "seconds")
    optional = ("s", "smean")

    @classmethod
    def read(cls, case, geometry, seconds, model):
        times = [t for t in timeNames(case) if float(t) > 0]
        if len(times) < cases.WRITES:
            raise ValueError(f"{len(times)} times are written instead of"
                             f" {cases.WRITES}")

        n = len(geometry.volumes)

        def field(t, name):
            values = readField(str(case/t/name)).internal
            if len(values) == 1 and n > 1:
                values = np.repeat(values, n, axis=0)
            if not np.isfinite(values).all():
                raise ValueError(f"{name} is not finite at time {t}")
            return values

        U = {t: field(t, "U") for t in times[-THIRD:]}
        p = {t: field(t, model.pressure) for t in times[-THIRD:]}
        result = cls()
        for name in model.scalars:
            s = {t: field(t, name) for t in times[-THIRD:]}
            result.s = s[times[-1]]
            result.smean = sum(s.values())/len(s)
        result.volumes = geometry.volumes
        result.U, result.p = U[times[-1]], p[times[-1]]
        result.Umean = sum(U.values())/len(U)
        result.pmean = sum(p.values())/len(p)
        before = U[times[-1 - QUARTER]]
        result.change = result.norm(result.U - before)/max(
            result.norm(result.U), 1e-300)
        result.balance, result.flow = cls.fluxes(case, times[-1])
        result.seconds = seconds
        return result

    @staticmethod
    def fluxes(case, time):
        """Net flow rate over the inflow; the inflow"""

        types = {n: patch.type
                 for n, patch in readField(str(case/time/"phi")).boundary.items()}
        sums = [flux for n, flux in patchFluxes(str(case), time).items()
                if types[n] != "cyclic"]
        flow = sum(abs(x) for x in sums)/2
        return (abs(sum(sums))/flow if flow > 0 else 0.), flow

    def norm(self, x):
        square = x**2 if x.ndim == 1 else (x**2).sum(axis=1)
        return np.sqrt((self.volumes*square).sum()/self.volumes.sum())

    def save(self, path):
        part = path.with_name(f".{os.getpid()}.{path.name}")
        np.savez_compressed(part, **{
            n: getattr(self, n) for n in self.names + self.optional
            if hasattr(self, n)})
        # numpy adds its ending to a name without
        os.replace(part, path)

    @classmethod
    def load(cls, path):
        result = cls()
        with np.load(path) as data:
            for n in data.files:
                value = data[n]
                setattr(result, n, float(value) if value.ndim == 0 else value)
        return result

    def coarse(self, children, volumes):
        """Means over the children of each cell"""

        weights = self.volumes[children]
        weights = weights/weights.sum(axis=1, keepdims=True)

        def mean(x):
            w = weights if x.ndim == 1 else weights[..., None]
            return (w*x[children]).sum(axis=1)
        result = Result()
        for n in ("U", "p", "Umean", "pmean", *self.optional):
            if hasattr(self, n):
                setattr(result, n, mean(getattr(self, n)))
        result.volumes = volumes
        return result


def compare(run, reference, mean, level, range_=1):
    """Relative distances of U, p and, where there is one, s.

    mean    of the means over the last third
    level   the pressure at the outlet, to which p is relative; None where no
            patch fixes p, and a constant in it is left out
    range_  of s, to which it is relative
    """

    U = reference.Umean if mean else reference.U
    p = reference.pmean if mean else reference.p
    dU = (run.Umean if mean else run.U) - U
    dp = (run.pmean if mean else run.p) - p
    volumes = reference.volumes

    def centred(x):
        return x - (volumes*x).sum()/volumes.sum()

    scale = reference.norm(U)
    if level is None:
        p, dp = centred(p), centred(dp)
    else:
        p = p - level
    # Pressures that are next to nothing beside the dynamic one count as that
    result = {"U": reference.norm(dU)/max(scale, 1e-300),
              "p": reference.norm(dp)/max(reference.norm(p), scale**2, 1e-300)}
    if hasattr(reference, "s"):
        s, other = ((x.smean if mean else x.s) for x in (reference, run))
        result["s"] = reference.norm(other - s)/range_
    return result


def digest(description):
    return hashlib.sha256(json.dumps(
        description, sort_keys=True).encode()).hexdigest()[:16]


def digestOfFiles(case):
    """Of all that is written of a case; the mesh follows from it"""

    result = hashlib.sha256()
    for path in sorted(case.rglob("*")):
        if path.is_file() and path.parent.name != "polyMesh" and (
                not path.name.startswith("log.")):
            result.update(str(path.relative_to(case)).encode() + b"\0")
            result.update(path.read_bytes())
    return result.hexdigest()[:16]


def prepare(description, case, multiply=1, geometry=None, halves=None):
    """Write a case with its mesh; its geometry and number of steps.

    geometry: of the mesh with all counts of cells as drawn, if this has others
    halves: deltaT is divided by it, or by multiply
    """

    shutil.rmtree(case, ignore_errors=True)
    cases.write(description, case, multiply)
    status, log, _ = shell("blockMesh", case, 60)
    if status != 0:
        raise Failed("icoFoam failed", "blockMesh: " + message(log))
    if (case/"system/topoSetDict").is_file():
        status, log, _ = shell("topoSet", case, 60)
        if status != 0:
            raise Failed("icoFoam failed", "topoSet: " + message(log))
    own = Geometry(case)
    deltaT, steps = cases.stepOf(description, geometry or own)
    cases.writeFields(description, case, own, deltaT, steps,
                      halves or multiply)
    return own, steps


def solved(description, case, geometry, limit):
    """Result of OpenFOAM's solver in a case that is prepared"""

    solver = cases.solverOf(description)
    status, log, seconds = shell(solver, case, limit)
    if status is None:
        raise Failed("icoFoam failed", f"{solver}: more than {limit:g} s")
    if status != 0:
        raise Failed("icoFoam failed", f"{solver}: " + message(log))
    try:
        result = Result.read(case, geometry, seconds, physics.of(description))
    except ValueError as reason:
        raise Failed("icoFoam failed", f"{solver}: {reason}")
    peak = np.sqrt((result.U**2).sum(axis=1).max())
    if peak > 50*cases.scalesOf(description).peak:
        raise Failed("icoFoam failed", f"{solver}: a velocity of"
                     f" {peak:.3g} m/s")
    return result


def cached(cache, name, make):
    """A result from the cache or, if it is not there, made and put there"""

    if not cache:
        return make()
    stored, failure = cache/f"{name}.npz", cache/f"{name}.failed"
    if stored.is_file():
        return Result.load(stored)
    if failure.is_file():
        raise Failed("icoFoam failed", failure.read_text().strip())
    cache.mkdir(parents=True, exist_ok=True)
    try:
        result = make()
    except Failed as failed:
        # Time is no property of the case
        if " more than " not in failed.message:
            failure.write_text(failed.message + "\n")
        raise
    result.save(stored)
    return result


def lattice(description, source, case, geometry, lbm, limit):
    """Result of lbmGpuFoam in a copy with another application, and its log"""

    shutil.rmtree(case, ignore_errors=True)
    shutil.copytree(source, case, ignore=lambda folder, names: [
        n for n in names if folder == str(source)
        and n not in ("0", "constant", "system")])
    control = case/"system/controlDict"
    model = physics.of(description)
    control.write_text(model.lbm(re.sub(
        r"(?m)^application\s+\w+;", "application     lbmGpuFoam;",
        control.read_text())))
    if lbm:
        with open(case/"system/fvSolution", "a") as file:
            file.write(f"LBM\n{{\n    {lbm}\n}}\n")

    status, log, seconds = shell("lbmGpuFoam", case, limit)
    if status is None:
        raise Failed("timeout", f"more than {limit:g} s")
    text = message(log)
    if "The flow diverges" in log:
        raise Failed("diverged", text)
    if status > 0 and "FOAM FATAL" in log and not re.search(
            r"(?m)^Time = ", log):
        raise Failed("refused, documented" if any(
            words in text for words in DOCUMENTED) else "refused", text)
    if status != 0 or not re.search(r"(?m)^End", log):
        raise Failed("crashed", f"status {status}: {text}")
    try:
        return Result.read(case, geometry, seconds, model), log
    except ValueError as reason:
        raise Failed("diverged" if "finite" in str(reason) else "crashed",
                     str(reason))


def finer(description, case, geometry, options):
    """Result of OpenFOAM's solver on cells half as large"""

    for halves in FINER_STEPS:
        own, _ = prepare(description, case, 2, geometry, halves)
        try:
            return cached(
                options.cache,
                f"{description['seed']}-{digestOfFiles(case)}",
                lambda: solved(description, case, own, 8*options.limit))
        except Failed as failed:
            late = " more than " in failed.message
            if late or halves == FINER_STEPS[-1]:
                raise


class Options:
    lbm = ""            # entries of LBM
    limit = 120         # seconds of a run
    cache = None        # folder of references
    judge = True        # whether a finer mesh may decide
    finer = False       # whether all are compared with a finer mesh
    askew = False       # whether cases are turned a little further
    physics = None      # a kind of physics.py


def judge(description, folder, options):
    """Run and compare; the row of the table, without what describes it.

    The cases are left in folder: icoFoam (or pimpleFoam), lbmGpuFoam, fine
    """

    row = {"verdict": "fine", "message": ""}
    source = folder/cases.solverOf(description)
    try:
        geometry, _ = prepare(description, source)
        name = f"{description['seed']}-{digestOfFiles(source)}"
        reference = cached(options.cache, name, lambda: solved(
            description, source, geometry, options.limit))
        mean = reference.change > STEADY
        through = description["drive"] != "closed"
        row.update(unsteady="yes" if mean else "no",
                   referenceSeconds=round(reference.seconds, 2))
        run, log = lattice(description, source, folder/"lbmGpuFoam", geometry,
                           options.lbm, options.limit)
        collision = re.search(r"(?m)^Lattice (\w+), collision (\w+)", log)
        row.update(seconds=round(run.seconds, 2),
                   collision=collision[2] if collision else "",
                   secondChances=len(re.findall("(?m)^Second chance:", log)))
        if through and not mean:
            row.update(balance=f"{run.balance:.2e}",
                       referenceBalance=f"{reference.balance:.2e}",
                       flow=f"{run.flow/reference.flow - 1:.5f}")

        level = None
        if conditions.fixesPressure(description["patches"]):
            level = cases.scalesOf(description).offset
        model = physics.of(description)
        distance = compare(run, reference, mean, level, model.range)
        row.update({name: f"{distance[name]:.4f}" for name in distance})
        worse = [n for n in distance if not distance[n] <= model.limits[n]]
        if worse:
            row["verdict"] = "wrong"
            row["message"] = "distance of " + " and ".join(worse)
        if (worse and options.judge) or options.finer:
            try:
                fine = finer(description, folder/"fine", geometry, options)
            except Failed as failed:
                row["message"] = "; ".join(filter(None, (
                    row["message"], f"twice as fine: {failed.message}")))
            else:
                if row.get("flow"):
                    row.update(
                        fineFlow=f"{run.flow/fine.flow - 1:.5f}",
                        referenceFineFlow=f"{reference.flow/fine.flow - 1:.5f}")
                fine = fine.coarse(cases.blocksOf(description).children(),
                                   reference.volumes)
                ours = compare(run, fine, mean, level, model.range)
                theirs = compare(reference, fine, mean, level, model.range)
                for n in distance if options.finer else worse:
                    row[f"fine{n}"] = f"{ours[n]:.4f}"
                    row[f"referenceFine{n}"] = f"{theirs[n]:.4f}"
                if worse and options.judge and all(
                        ours[n] <= theirs[n] for n in worse):
                    row["verdict"] = "fine"
                    row["message"] = "nearer to a mesh twice as fine"
    except Failed as failed:
        row["verdict"] = failed.verdict
        row["message"] = failed.message
    return row


def columns(description):
    """What describes a case in the table"""

    d = description
    shape = cases.shapeOf(d)

    def role(patch):
        free = shape.roles[patch] == "free" and d["drive"] != "freestream"
        return ({"inlet": "inlet", "outlet": "outlet"}.get(patch, "far")
                if free else shape.roles[patch])

    def of(*roles):
        return " ".join(sorted({
            conditions.label(c) for p, c in d["patches"].items()
            if role(p) in roles}))
    return {
        "family": d["family"], "dimensions": 3 if d["three"] else 2,
        "Re": f"{d['Re']:g}", "angle": f"{d['angle']:g}",
        "cells": cases.blocksOf(d).nCells(), "drive": d["drive"],
        "inlets": of("inlet", "free"), "outlets": of("outlet"),
        "sides": of("side", "far", "lid", "rotor", "cyclic"),
        "start": d["start"], "physics": d.get("physics", {}).get("kind", ""),
        "description": cases.describe(d),
    }


#: Columns of the table of results
COLUMNS = (
    "seed", "verdict", "U", "p", "fineU", "referenceFineU", "finep",
    "referenceFinep", "s", "fines", "referenceFines", "physics", "unsteady", "balance", "referenceBalance", "flow",
    "fineFlow", "referenceFineFlow", "family", "dimensions", "Re", "angle", "cells", "drive", "inlets",
    "outlets", "sides", "start", "lbm", "collision", "secondChances", "seconds",
    "referenceSeconds", "message", "description",
)
