#------------------------------------------------------------------------------
# License
#     This file is part of lbmGpuFoam, distributed under GPL-3.0-or-later.
#     Copyright (C) 2026 lbmGpuFoam contributors
#------------------------------------------------------------------------------
"""OpenFOAM's own tutorials, and what this solver is to do with each.

Of all tutorials whose solver computes one incompressible fluid: those that say
simulationType laminar, or whose solver knows no turbulence model, one by one;
the others by their solver. Folders are relative to $FOAM_TUTORIALS.
"""

import os
import re
import subprocess
from pathlib import Path

tutorials = Path(os.environ.get("FOAM_TUTORIALS", ""))


class Tutorial:
    """A tutorial, or a part of one.

    name        how the table calls it
    folder      to copy: that of the tutorial, or one above [name, see below]
    part        folder in it that is the case
    solver      its own
    script      shell commands that run the case, in folder; APPLICATION is the
                solver to run
    prepare     shell commands that make the mesh, in part, where there is no
                script of the tutorial's own to do it
    control     entries of controlDict for both solvers
    controlLattice
                entries of controlDict for this solver alone
    lattice     entries of LBM
    refine      function (folder, n) that divides the spacing of the mesh and
                the step by n, before the mesh is made
    removeMean  the level of p is arbitrary
    refusal     regular expressions that the message must match; None: it runs
    dryRun      it is accepted, but takes too long to be run here
    remark      why, for the table
    """

    def __init__(self, name, folder=None, part=".", solver="icoFoam",
                 script="./Allrun", prepare="", control=None,
                 controlLattice=None, lattice=None, refine=None,
                 removeMean=True, refusal=None, dryRun=False, remark=""):
        self.name = name
        self.folder = folder or "incompressible/" + name
        self.part = part
        self.solver = solver
        self.script = script
        self.prepare = prepare
        self.control = control or {}
        self.controlLattice = controlLattice or {}
        self.lattice = lattice or {}
        self.refine = refine
        self.removeMean = removeMean
        self.refusal = refusal
        self.dryRun = dryRun
        self.remark = remark


# Refining

def edit(path, *substitutions):
    """Replace regular expressions in a file; each must be there."""

    text = path.read_text()
    for pattern, value in substitutions:
        text, n = re.subn(pattern, value, text, flags=re.M)
        assert n, f"{path} has nothing like {pattern}"
    path.write_text(text)


def refineBlocks(path, n):
    edit(path, (
        r"(hex\s*\([^)]*\)\s*)\((\d+) +(\d+) +1\)",
        lambda m: f"{m[1]}({n*int(m[2])} {n*int(m[3])} 1)"))


def refineStep(path, n):
    def divided(m):
        return f"{m[1]}{float(m[2])/n:.12g};"

    edit(path, (r"^(deltaT\s+)([\d.e+-]+);", divided))
    if re.search(r"(?m)^writeControl\s+timeStep", path.read_text()):
        edit(path, (r"^(writeInterval\s+)(\d+);",
                    lambda m: f"{m[1]}{n*int(m[2])};"))


def refineCavities(folder, n):
    for case in ("cavity", "cavityGrade", "cavityClipped"):
        refineBlocks(folder/case/"system/blockMeshDict", n)
        refineStep(folder/case/"system/controlDict", n)
    # cavityFine is made from cavity by the script
    edit(folder/"Allrun",
         ('"20 20 1"/"41 41 1"', f'"{20*n} {20*n} 1"/"{41*n} {41*n} 1"'),
         (r"0\.005;\"", f'{0.005/n};"'), (r"0\.0025;\"", f'{0.0025/n};"'),
         (r" 20;\"", f' {20*n};"'))


def refineElbow(folder, n):
    name = folder/"elbow.msh"
    subprocess.run([os.environ.get("LBMGPUFOAM_PYTHON", "python3"),
         Path(os.environ["LBMGPUFOAM_DIR"])/"tutorials/lbmGpuFoam/elbow/refine",
         name, str({2: 1, 4: 2}[n]), folder/"fine.msh"],
        check=True, capture_output=True)
    (folder/"fine.msh").replace(name)
    refineStep(folder/"system/controlDict", n)


def refineCase(folder, n):
    refineBlocks(folder/"system/blockMeshDict", n)
    refineStep(folder/"system/controlDict", n)


def refineImpulse(folder, n):
    """One step of the coarse mesh is n^2 of the fine one."""
    refineBlocks(folder/"system/blockMeshDict", n)
    edit(folder/"system/controlDict",
         (r"^deltaT(\s+)0\.005;", rf"deltaT\g<1>{0.005/n**2:g};"),
         (r"^writeInterval(\s+)1;", rf"writeInterval\g<1>{n**2};"))


def refineMapping(folder, n):
    """As refineImpulse"""
    refineBlocks(folder/"system/blockMeshDict.fine", n)
    edit(folder/"system/controlDict",
         (r"^deltaT(\s+)0\.005;", rf"deltaT\g<1>{0.005/n**2:g};"),
         (r"^writeInterval(\s+)1;", rf"writeInterval\g<1>{n**2};"))


def refineChannel(folder, n):
    edit(folder/"system/blockMeshDict", (r"\(1 40 1\)", f"(1 {40*n} 1)"))
    edit(folder/"system/controlDict.template",
         (r"^deltaT(\s+)5e-3;", rf"deltaT\g<1>{5e-3/n:g};"))


def refineLayers(folder, n):
    """A steady solver: iterations instead of steps."""
    refineBlocks(folder/"system/blockMeshDict", n)
    edit(folder/"system/controlDict",
         (r"^endTime(\s+)100;", r"endTime\g<1>1000;"),
         (r"^writeInterval(\s+)20;", r"writeInterval\g<1>1000;"))


# Running

def channel(model):
    """What Allrun of planarPoiseuille does, up to its plots."""

    return f"""
        sed 's|LAMINAR_MODEL|{model}|' \\
            constant/turbulenceProperties.template \\
            > constant/turbulenceProperties
        sed 's|END_TIME|2|' system/controlDict.template > system/controlDict
        blockMesh
    """


RUN = "$APPLICATION > log.$APPLICATION 2>&1"


def cavity(part, **options):
    return Tutorial(
        f"icoFoam/cavity/{part}", "incompressible/icoFoam/cavity", part,
        refine=refineCavities, **options)


def layers(**options):
    return Tutorial(
        "mesh/snappyHexMesh/addLayersToFaceZone",
        "mesh/snappyHexMesh/addLayersToFaceZone", solver="simpleFoam",
        script="blockMesh; topoSet; snappyHexMesh -overwrite; " + RUN,
        controlLattice={"deltaT": "1e-3", "writeInterval": 100,
                        "endTime": "0.1"},
        refine=refineLayers, removeMean=False, **options)


# Refusals, as the message has them

MOVING = [r"dynamicMeshDict",
          r"Found dynamicFvMesh \w+, possible: staticFvMesh"]
AMI = [r"constant/polyMesh/boundary", r"found +: type cyclicAMI"]
MAXWELL = [r"turbulenceProperties",
           r"Found laminarModel Maxwell, possible: Stokes"]

RESOURCES = ("cp -r $FOAM_TUTORIALS/incompressible/adjointOptimisationFoam/"
             "resources/meshes/{}/polyMesh constant")

TUTORIALS = [
    cavity("cavity", remark="corners of the lid"),
    cavity("cavity", lattice={"refinement": 4}),
    cavity("cavityFine", remark="corners of the lid"),
    cavity("cavityGrade", remark="corners of the lid"),
    cavity("cavityHighRe", remark="corners of the lid"),
    cavity("cavityClipped", remark="corners of the lid"),
    Tutorial("icoFoam/cavityMappingTest", refine=refineMapping,
             remark="one step of icoFoam"),
    Tutorial("icoFoam/cavityMappingTest", refine=refineMapping,
             lattice={"maxMach": "0.003"}, remark="p is that of sound"),
    Tutorial("icoFoam/elbow", refine=refineElbow, removeMean=False,
             remark="shear layers, sound"),
    Tutorial("icoFoam/elbow", refine=refineElbow, removeMean=False,
             lattice={"latticeSpacing": "0.166667"},
             remark="shear layers, sound"),
    Tutorial("pimpleFoam/laminar/planarPoiseuille, Stokes",
             "incompressible/pimpleFoam/laminar/planarPoiseuille",
             solver="pimpleFoam", script=channel("Stokes") + RUN,
             refine=refineChannel, remark="p is 0"),
    Tutorial("mesh/parallel/cavity, serial", "mesh/parallel/cavity",
             script="blockMesh; " + RUN, refine=refineCase),
    Tutorial("preProcessing/createZeroDirectory/cavity",
             "preProcessing/createZeroDirectory/cavity",
             # Its templates are sorted by solver
             script="blockMesh; foamDictionary system/controlDict"
             " -entry application -set icoFoam; createZeroDirectory; " + RUN,
             # Else nothing is written
             control={"writeInterval": 1},
             refine=refineImpulse,
             remark="one step of icoFoam"),
    layers(remark="inlet's corners"),
    layers(lattice={"latticeSpacing": "0.0001"}),

    Tutorial("nonNewtonianIcoFoam/offsetCylinder",
             solver="nonNewtonianIcoFoam", script="blockMesh; " + RUN,
             removeMean=False,
             remark="viscosity between 0.01 and 10 m2/s"),
    Tutorial("pisoFoam/RAS/cavity", solver="pisoFoam",
             script="blockMesh; " + RUN,
             remark="k-epsilon with wall functions"),

    # Accepted
    Tutorial("adjointOptimisationFoam/.../sbend/laminar",
             "incompressible/adjointOptimisationFoam/sensitivityMaps/sbend/"
             "laminar", prepare=RESOURCES.format("sbend"), dryRun=True,
             remark="its flow, without the adjoint; a steady solver's 6000"
             " iterations of 1 s"),
    Tutorial("adjointOptimisationFoam/.../naca0012/laminar/drag",
             "incompressible/adjointOptimisationFoam/sensitivityMaps/naca0012/"
             "laminar/drag", prepare=RESOURCES.format("naca0012"), dryRun=True,
             remark="its flow, without the adjoint; a steady solver's 6000"
             " iterations of 1 s; 14 nodes along the airfoil"),
    Tutorial("dnsFoam/boxTurb16", "DNS/dnsFoam/boxTurb16", dryRun=True,
             prepare="blockMesh; boxTurb",
             remark="decays: the stirring is a part of the solver dnsFoam, not"
             " of the case"),

    Tutorial("pisoFoam/laminar/porousBlockage",
             prepare="blockMesh; topoSet", dryRun=True,
             remark="the tutorial porousBlockage runs it"),

    # Refused
    Tutorial("pimpleFoam/laminar/planarPoiseuille, Maxwell",
             "incompressible/pimpleFoam/laminar/planarPoiseuille",
             prepare=channel("Maxwell"), refusal=MAXWELL),
    Tutorial("pimpleFoam/laminar/planarContraction", prepare="blockMesh",
             refusal=MAXWELL),
    Tutorial("pimpleFoam/laminar/contactAngleCavity", prepare="blockMesh",
             refusal=MOVING),
    Tutorial("pimpleFoam/laminar/contaminatedDroplet2D",
             prepare="m4 < system/blockMeshDict.m4 > system/blockMeshDict;"
                     " blockMesh", refusal=MOVING),
    Tutorial("pimpleFoam/laminar/mixerVesselAMI2D", prepare="./makeMesh",
             refusal=AMI, remark="it also moves"),
    Tutorial("pimpleFoam/laminar/movingCone", prepare="blockMesh",
             refusal=MOVING),
    Tutorial("pimpleFoam/laminar/sloshing2D", prepare="blockMesh",
             refusal=MOVING),
    Tutorial("overPimpleDyMFoam/simpleRotor", prepare="blockMesh",
             refusal=MOVING),
    Tutorial("overPimpleDyMFoam/twoSimpleRotors", prepare="blockMesh",
             refusal=MOVING),
    Tutorial("shallowWaterFoam/squareBump", prepare="blockMesh",
             refusal=[r"transportProperties"],
             remark="no fields U and p: another equation"),
]


#: Solvers of one incompressible fluid; potentialFoam has no viscosity
SOLVERS = (
    "icoFoam|nonNewtonianIcoFoam|pisoFoam|pimpleFoam|simpleFoam|boundaryFoam|"
    "SRFPimpleFoam|SRFSimpleFoam|adjointOptimisationFoam|"
    "adjointShapeOptimizationFoam|overPimpleDyMFoam|overSimpleFoam|"
    "porousSimpleFoam|shallowWaterFoam|dnsFoam")

#: Folders that make no case of their own, and those with the flow of one above
NOT_CASES = re.compile(
    r"_snappyHexMesh$|/cylinderMesh$|"
    r"adjointOptimisationFoam/.*/laminar/(lift|moment|opt|primalAdjoint)|"
    r"adjointOptimisationFoam/shapeOptimisation/naca0012/")

#: Parts of the dictionaries that a tutorial's script puts together
OTHER_PREPARE = {
    "verificationAndValidation/turbulentInflow":
        "sed 's/END_TIME/10/' system/controlDict.template > system/controlDict",
    "incompressible/simpleFoam/bump2D":
        "sed s/RAS_MODEL/kOmegaSST/ constant/turbulenceProperties.template"
        " > constant/turbulenceProperties",
    "incompressible/simpleFoam/turbulentFlatPlate":
        "cp constant/turbulenceProperties.orig constant/turbulenceProperties;"
        "cp -r 0.kOmegaSST 0",
    "incompressible/porousSimpleFoam/angledDuct/explicit":
        "cp -r $FOAM_TUTORIALS/incompressible/porousSimpleFoam/angledDuct/"
        "common/constant .",
    "incompressible/porousSimpleFoam/angledDuct/implicit":
        "cp -r $FOAM_TUTORIALS/incompressible/porousSimpleFoam/angledDuct/"
        "common/constant .",
}


def otherTutorials():
    """Solver -> folders of all other tutorials of one incompressible fluid"""

    named = {os.path.normpath(tutorials/t.folder/t.part) for t in TUTORIALS}
    found = {}
    for path in sorted(tutorials.rglob("controlDict*")):
        case = path.parent.parent
        name = str(case.relative_to(tutorials))
        match = re.search(rf"(?m)^application\s+({SOLVERS});",
                          path.read_text())
        if (path.parent.name == "system" and match
                and os.path.normpath(case) not in named
                and not NOT_CASES.search(name)):
            folders = found.setdefault(match[1], [])
            if name not in folders:
                folders.append(name)
    return found
