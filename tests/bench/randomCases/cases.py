#------------------------------------------------------------------------------
# License
#     This file is part of lbmGpuFoam, distributed under GPL-3.0-or-later.
#     Copyright (C) 2026 lbmGpuFoam contributors
#------------------------------------------------------------------------------
"""One small, ordinary laminar case for each seed: drawn, described, written.

draw(seed, kind) gives a description, which is all that a case is made of: plain
numbers, words, lists and dictionaries; askew(description) the same case turned
a little further. write(description, folder) makes the case, but for its mesh;
writeFields(...) the fields, once blockMesh has run.
"""

import math
import random

import numpy as np

import conditions
import families
import physics
from blocks import header, rotation

#: Times that are written
WRITES = 12

#: Cells times steps that icoFoam may take
WORK = 8e5

#: Most cells in a plane and in three dimensions, about
MOST = (3000, 7500)

#: Courant number of the estimated peak; and nu deltaT over the square of the
#: thinnest cell, beyond which two corrections of PISO may not be enough
COURANT = 0.5
DIFFUSION = 2


def significant(x, digits=3):
    return float(f"{x:.{digits - 1}e}")


def draw(seed, kind=None):
    """The description of a case; kind: of physics.py, else laminar"""

    r = random.Random(seed)
    names = list(families.FAMILIES)
    family = r.choices(names, [families.FAMILIES[n][0] for n in names])[0]
    _, dimensions, drawGeometry, build = families.FAMILIES[family]

    three = dimensions == (3,) or (len(dimensions) == 2
                                   and r.random() < 0.15)
    d = 3 if three else 2
    while True:
        g = drawGeometry(r)
        if three and len(dimensions) == 2:
            g["depth"] = r.choice([0.5, 1, 1, 1.5])
            g["cyclicDepth"] = r.random() < 0.25
        shape = build(g, three)
        # Cells across the narrowest passage
        least = max((4 if three else 5)/shape.narrow, 4)
        if shape.volume*least**d < MOST[three]:
            break
    drive, patches = conditions.drawPatches(r, shape, family)

    periodic = "cyclic" in shape.roles.values()
    angle = r.choices(
        ["none", "right", "half", "any"], [4, 1, 1, 0 if periodic else 4])[0]
    angle = {"none": 0, "right": r.choice([90, 180, 270]),
             "half": r.choice([45, 135, 225, 315]),
             "any": round(r.uniform(0, 360), 1)}[angle]

    low, high = (1200, 6000) if three else (250, 2400)
    target = math.exp(r.uniform(math.log(low), math.log(high)))
    n = max(4, round(max(least, (target/shape.volume)**(1/d))))
    # An even number makes equal squares of lengths that are halves
    if r.random() < 0.7:
        n += n % 2
    stretch = [1, 1, 1]
    if r.random() < 0.3:
        stretch = [r.choice([0.6, 0.75, 1, 1.3]), r.choice([0.8, 1, 1.4]), 1]
    grading = ["uniform", 1]
    if r.random() < 0.35:
        grading = [r.choice(["same", "alternating"]),
                   r.choice([0.3, 0.5, 2, 3])]

    Re = significant(math.exp(r.uniform(0, math.log(400))))
    L = significant(10**r.uniform(-3, 0.3), 2)
    U = significant(10**r.uniform(-3, 1), 2)
    unit = r.choice([1, 1, 1, 0.01, 0.001])

    if any(c["U"].startswith("freestream") for c in patches.values()):
        start = "uniform"
    elif drive == "closed":
        start = r.choice(["rest", "rest", "rest", "vortices"])
    else:
        start = r.choices(["rest", "uniform", "vortices"], [5, 3.5, 1])[0]

    # Numbers of their own, so that they change nothing else
    conditions.drawRarer(random.Random(f"{seed} rarer"), patches)

    description = {
        "seed": seed, "family": family, "three": three, "geometry": g,
        "drive": drive, "patches": patches, "angle": angle, "cells": n,
        "stretch": stretch, "grading": grading, "Re": Re, "L": L, "U": U,
        "unit": unit, "start": start,
        "offset": r.choice([0, 0, 0, -3, 2, 20]),
        "throughs": round(r.uniform(1.5, 4), 1),
    }
    return physics.draw(kind, seed, description, shape) if kind else description


def askew(description):
    """The same case turned further, by 0.2 to 6 degrees to one side, both drawn
    from its seed: boundaries are then almost along the axes. A periodic one is
    left as it is.
    """

    if "cyclic" in shapeOf(description).roles.values():
        return description
    r = random.Random(f"{description['seed']} askew")
    turn = r.choice([-1, 1])*math.exp(r.uniform(math.log(0.2), math.log(6)))
    return {**description, "angle": round(description["angle"] + turn, 2) % 360}


def shapeOf(description):
    build = families.FAMILIES[description["family"]][3]
    return build(description["geometry"], description["three"])


def blocksOf(description):
    return shapeOf(description).blocks(
        description["cells"], description["stretch"], description["grading"])


def describe(description):
    """In a line"""

    d = description
    shape = shapeOf(d)
    by = {}
    for patch, c in d["patches"].items():
        if shape.roles[patch] != "wall":
            by.setdefault(conditions.label(c), []).append(patch)
    return (
        f"{d['family']}{' 3-D' if d['three'] else ''}, Re {d['Re']:g},"
        f" {d['angle']:g} degrees, {blocksOf(d).nCells()} cells"
        + (f", {d['grading'][0]} grading {d['grading'][1]:g}"
           if d["grading"][0] != "uniform" else "")
        + f", start {d['start']}, {d['drive']}; "
        + (physics.of(d).text() + "; " if "physics" in d else "")
        + ", ".join(f"{'/'.join(p)} {label}" for label, p in by.items()))


def forced(description):
    """The source of momentum: mean, source or nothing"""

    if description["family"] != "periodic":
        return ""
    drive = description["geometry"]["drive"]
    return "" if drive == "lid" else drive


def solverOf(description):
    solver = physics.of(description).solver
    return ("pimpleFoam" if forced(description) and solver == "icoFoam"
            else solver)


def scalesOf(description):
    d = description
    shape = shapeOf(d)
    s = conditions.Scales()
    s.U, s.L = d["U"], d["L"]
    s.nu = d["U"]*d["L"]/d["Re"]
    # Friction between two walls as far from each other as the narrowest passage
    # and the unit are in the mean, or in a duct; less beside planes without
    walls = sum(shape.roles.get(patch) == "side" and d["patches"][patch]["U"]
                in ("slip", "symmetry", "symmetryPlane")
                for patch in ("lower", "upper"))
    friction = (28 if d["three"] else 12)*(1, 0.25, 0.05)[walls]
    s.friction = s.U**2*friction*shape.path/d["Re"]*(
        1 + 1/shape.narrow**2)/2
    # What it takes to get the fluid to the largest velocity
    s.dynamic = s.U**2*0.5*(shape.peak/1.5)**2
    s.offset = d["offset"]*s.U**2
    c, sn = rotation(d["angle"])
    s.axis = np.array([c, sn, 0.])
    s.across = np.array([-sn, c, 0.])
    s.shape = shape
    s.peak = shape.peak*s.U
    if d["drive"] == "pressure":
        s.peak *= 1.5
    for c in d["patches"].values():
        if c["U"] == "sine":
            s.peak = max(s.peak, shape.peak*s.U*(1 + c["amplitude"]))
    s.peak = physics.of(d).peak(s)
    return s


SCHEMES = """ddtSchemes { default Euler; }
gradSchemes { default Gauss linear; }
divSchemes
{
    default none;
    div(phi,U) CONVECTION;
    div((nuEff*dev2(T(grad(U))))) Gauss linear;
SCALARS}
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; }
snGradSchemes { default corrected; }
wallDist { method meshWave; }
"""

SOLUTION = """solvers
{
    "(p|p_rgh)" { solver PCG; preconditioner DIC; tolerance 1e-6; relTol 0.05; }
    "(p|p_rgh)Final"
    {
        solver PCG; preconditioner DIC; tolerance 1e-6; relTol 0;
    }
    "(U|s|T|k|epsilon|omega|nuTilda)(|Final)"
    {
        solver PBiCGStab; preconditioner DILU; tolerance 1e-6; relTol 0;
    }
}
PISO
{
    nCorrectors 2; nNonOrthogonalCorrectors 1; pRefCell 0; pRefValue 0;
}
PIMPLE
{
    nOuterCorrectors 1; nCorrectors 2; nNonOrthogonalCorrectors 1;
    pRefCell 0; pRefValue 0;
}
"""


def write(description, case, multiply=1):
    """All files that need no mesh.

    multiply: all counts of cells
    """

    d = description
    s = scalesOf(d)
    system = case/"system"
    constant = case/"constant"
    for folder in (system, constant, case/"0"):
        folder.mkdir(parents=True, exist_ok=True)

    # A time step is known once there is a mesh, whose points have all digits:
    # a symmetry plane of many faces would not be plane
    writeControl(d, case, 1, 1, 1, 15 if multiply > 1 else 9)
    model = physics.of(d)
    (system/"fvSchemes").write_text(
        header("dictionary", "fvSchemes")
        + SCHEMES.replace("CONVECTION", model.convection()).replace(
            "SCALARS", model.schemes()))
    (system/"fvSolution").write_text(
        header("dictionary", "fvSolution") + SOLUTION)
    (constant/"transportProperties").write_text(
        header("dictionary", "transportProperties")
        + model.transport(s))
    (constant/"turbulenceProperties").write_text(
        header("dictionary", "turbulenceProperties")
        + model.turbulence())

    for path, text in model.files(s).items():
        (case/path).write_text(text)
    actions = model.topoSet(s)
    if actions:
        (system/"topoSetDict").write_text(
            header("dictionary", "topoSetDict") + f"actions\n(\n{actions});\n")

    options = model.options(s)
    force = forced(d)
    if force:
        a = 12*s.nu*s.U/(s.L*s.shape.narrow)**2*s.axis
        text = {
            "mean": "type meanVelocityForce; active yes; selectionMode all;"
                    " fields (U);"
                    f" Ubar {conditions.vector(s.U*s.axis)}; relaxation 1;",
            "source": "type vectorSemiImplicitSource; active yes;"
                      " selectionMode all; volumeMode specific;"
                      " injectionRateSuSp { U ("
                      f"{conditions.vector(a)} 0); }}",
        }[force]
        options += f"momentumSource\n{{\n    {text}\n}}\n"
    if options:
        (constant/"fvOptions").write_text(
            header("dictionary", "fvOptions") + options)

    types = {}
    for patch, c in d["patches"].items():
        role = s.shape.roles[patch]
        kind = conditions.meshType(c, role in ("wall", "side", "far", "lid",
                                               "rotor"))
        types[patch] = (kind, (
            f"neighbourPatch {s.shape.pairs[patch]};"
            if kind == "cyclic" else ""))
    # Blocks are named where their corners were before they were bent
    blocksOf(d).write(
        system/"blockMeshDict", s.shape.name, types, d["angle"],
        (d["L"]/d["unit"], d["unit"]), multiply)


def writeControl(description, case, deltaT, steps, interval, digits=9):
    (case/"system/controlDict").write_text(
        header("dictionary", "controlDict")
        + f"""application     {solverOf(description)};
startFrom       startTime;
startTime       0;
stopAt          endTime;
endTime         {deltaT*steps:.10g};
deltaT          {deltaT:.10g};
writeControl    timeStep;
writeInterval   {interval};
purgeWrite      0;
writeFormat     ascii;
writePrecision  {digits};
writeCompression off;
timeFormat      general;
timePrecision   10;
runTimeModifiable no;
""" + physics.of(description).functions(scalesOf(description)))


def stepOf(description, geometry):
    """(deltaT, number of steps), from the mesh with all its cells"""

    d = description
    s = scalesOf(d)
    thin = geometry.smallest()
    deltaT = significant(min(COURANT*thin/s.peak, DIFFUSION*thin**2/s.nu))
    total = d["throughs"]*s.shape.path*d["L"]/d["U"]
    steps = min(total/deltaT, WORK/len(geometry.volumes))
    return deltaT, max(2, round(steps/WRITES))*WRITES


def writeFields(description, case, geometry, deltaT, steps, halves=1):
    """Fields and controlDict, once the mesh is there.

    halves: deltaT is divided by it
    """

    d = description
    s = scalesOf(d)
    s.T = deltaT*steps
    writeControl(d, case, deltaT/halves, steps*halves, steps//WRITES*halves)

    model = physics.of(d)
    plane = not d["three"]
    round_ = d["family"] == "pipe"
    patches = {name: conditions.Patch(geometry, name)
               for name in d["patches"]}
    inflow = sum(
        s.U*c.get("share", 1)*patches[p].area for p, c in d["patches"].items()
        if s.shape.roles[p] == "inlet")
    balanced = [p for p, c in d["patches"].items() if c["U"] == "balance"]
    s.balance = inflow/max(1, len(balanced))

    U, p = {}, {}
    for name, c in d["patches"].items():
        U[name], p[name] = conditions.texts(
            c, patches[name], s, plane, round_, case)
    if plane:
        U["frontAndBack"] = p["frontAndBack"] = "type empty;"

    if d["start"] == "uniform":
        start = "uniform " + conditions.vector(s.U*s.axis)
    elif d["start"] == "vortices":
        x = geometry.cellCentres @ s.axis/d["L"]
        y = geometry.cellCentres @ s.across/d["L"]
        u = 0.5*s.U*(np.sin(2*np.pi*y)[:, None]*s.axis
                     + np.sin(2*np.pi*x)[:, None]*s.across)
        start = (f"nonuniform List<vector> {len(u)}\n(\n"
                 + "\n".join(map(conditions.vector, u)) + "\n)")
    else:
        start = "uniform (0 0 0)"

    if model.pressure == "p_rgh":
        p = {patch: text.replace(
            "type zeroGradient;",
            "type fixedFluxPressure; rho rhok; value uniform 0;")
             for patch, text in p.items()}
    others = []
    for name, dimensions, x, texts in model.fields(s, patches):
        if plane:
            texts["frontAndBack"] = "type empty;"
        others.append((name, "volScalarField", dimensions,
                       f"uniform {x:.9g}", texts))

    for name, kind, dimensions, internal, boundary in (
            ("U", "volVectorField", "[0 1 -1 0 0 0 0]", start, U),
            (model.pressure, "volScalarField", "[0 2 -2 0 0 0 0]",
             f"uniform {s.offset:.12g}", p), *others):
        (case/"0"/name).write_text(
            header(kind, name) + f"dimensions {dimensions};\n"
            f"internalField {internal};\nboundaryField\n{{\n" + "".join(
                f"    {patch}\n    {{\n        {text}\n    }}\n"
                for patch, text in boundary.items()) + "}\n")
