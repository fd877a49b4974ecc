"""Runs of several processes with what the lattice carries beside the flow:
temperature on conforming meshes and on those the lattice is laid over, with fluid
that passes; laws of the viscosity and large-eddy simulation with wall functions.
Populations are those of a serial run bit for bit, restart data included.
"""

import re

from channelCase import *
from parallelCase import *


def prepare(case, LBM, **entries):
    for entry, value in {"writeFormat": "ascii", "writePrecision": 16,
                         **entries}.items():
        setEntry(case / "system/controlDict", entry, value)
    path = case / "system/fvSolution"
    text = re.sub(r"\nLBM\s*\{.*?\n?\}\n", "\n", path.read_text(), flags=re.S)
    path.write_text(text + f"\nLBM {{ backend host; {LBM} }}\n")
    mustRun("blockMesh", case)


def isOnLattice(name, output, what):
    check(f"{name}.onLattice", re.search(what, output), output[:6000])


def heated(name, cells=24, **entries):
    """The heated cavity, for a few deltaT."""
    case = copyCase("heatedCavity", name)
    mesh = case / "system/blockMeshDict"
    mesh.write_text(re.sub(r"nCells .*;", f"nCells {cells};",
                           mesh.read_text()))
    LBM = entries.pop("LBM", "")
    prepare(case, f"heat device; {asTheyAre} {LBM}",
            **{"endTime": 1, "deltaT": 0.1, "writeInterval": 1, **entries})
    return case


buoyant = ("U", "p", "T", "phi")
T_OF_LATTICE = r"temperature .* K, on the lattice"

# A node in each cell, and several

case = heated("heat")
output = compare(case, ((2, "2 1 1"), (4, "2 2 1"), (3, "random")),
                 fields=buoyant)
isOnLattice("heat", output, T_OF_LATTICE)

case = heated("heatRefined", 12, LBM="refinement 2; layout list;")
compare(case, ((3, "1 3 1"), (4, "random")), fields=buoyant)

# Laid over the mesh: insulated, given and mixed walls have images across cuts

case = copyCase("heatedCavity", "heatOverlay")
mesh = case / "system/blockMeshDict"
text = re.sub(r"nCells .*;", "nCells 16;", mesh.read_text())
mesh.write_text(re.sub(r"^( +)\(1 1 ", r"\1(1.13 0.91 ", text, flags=re.M))
setEntry(case / "0/T", "boundaryField/cold",
         "{ type mixed; refValue uniform 299.5; refGradient uniform 0;"
         " valueFraction uniform 0.3; value uniform 300; }")
prepare(case, f"heat device; {asTheyAre}", endTime=1, deltaT=0.1,
        writeInterval=1)
output = compare(case, ((2, "2 1 1"), (3, "1 3 1"), (4, "random")),
                 fields=buoyant)
isOnLattice("heatOverlay", output, T_OF_LATTICE)

# A porous zone in a part of the cavity, cut by the processes: nodes with forces of their
# own are updated apart. The heat flux is that of links of all processes

case = heated("heatInMedium")
(case / "system/topoSetDict").write_text(HEADER.format("dictionary", "topoSetDict") + """
actions
(
    { name c; type cellSet; action new; source boxToCell;
      box (0.3 0.2 -1) (0.8 0.7 1); }
    { name medium; type cellZoneSet; action new; source setToCellZone; set c; }
);
""")
mustRun("topoSet", case)
(case / "constant/fvOptions").write_text(HEADER.format("dictionary", "fvOptions") + """
medium
{
    type explicitPorositySource;
    explicitPorositySourceCoeffs
    {
        selectionMode cellZone;
        cellZone medium;
        type DarcyForchheimer;
        DarcyForchheimerCoeffs
        {
            d (20 20 20); f (5 5 5);
            coordinateSystem
            {
                type cartesian; origin (0 0 0);
                rotation { type axes; e1 (1 0 0); e2 (0 1 0); }
            }
        }
    }
}
""")
output = compare(case, ((2, "2 1 1"), (4, "random")), fields=buoyant, forces=True)
isOnLattice("heatInMedium", output, r"force in cells +medium of fvOptions")

# Restart with T on the lattice, from three processes to two

serial = heated("heatRestart", endTime=0.5, writeInterval=0.5)
mustRun("lbmGpuFoam", serial)
setEntry(serial / "system/controlDict", "startFrom", "latestTime")
setEntry(serial / "system/controlDict", "endTime", 1)
mustRun("lbmGpuFoam", serial)

case = heated("heatRestartParallel", endTime=0.5, writeInterval=0.5,
              startFrom="latestTime")
for n, endTime in ((3, 0.5), (2, 1)):
    setEntry(case / "system/controlDict", "endTime", endTime)
    decompose(case, n, f"{n} 1 1", "-latestTime -force")
    output = mustRun(f"mpirun -np {n} lbmGpuFoam -parallel", case,
                     environment=environment)
    mustRun("reconstructPar -newTimes", case)
check("heatRestart.samePopulations",
      "Restarting from the populations" in output
      and populations(case / "1") == populations(serial / "1"),
      output[:6000])

# Laws of the viscosity, on cuts and on a curved wall

case = copyCase("cylinder2D", "powerLaw")
path = case / "constant/transportProperties"
path.write_text(
    HEADER.format("dictionary", "transportProperties")
    + "transportModel CrossPowerLaw; CrossPowerLawCoeffs"
    " { nu0 1e-2; nuInf 1e-3; m 0.5; n 0.8; }\n")
prepare(case, f"latticeSpacing 0.01; models device; {asTheyAre}", endTime=0.1,
        writeInterval=0.1)
output = compare(case, ((2, "2 1 1"), (3, "random")), 1e-12)
isOnLattice("powerLaw", output, r"models\s+by the lattice")

# Large eddies, cyclic, driven; with wall functions, which OpenFOAM evaluates at
# distances from walls whose last digits depend on the domains


def eddies(name, nut, U):
    case = copyCase("channelLES", name)
    mesh = case / "system/blockMeshDict"
    mesh.write_text(mesh.read_text().replace("(48 24 24)", "(16 8 8)"))
    path = case / "0/U"
    path.write_text(re.sub(r"internalField.*?;",
                           f"internalField uniform {U};",
                           path.read_text(), flags=re.S))
    setEntry(case / "0/nut", "boundaryField/walls",
             f"{{ type {nut}; value uniform 0; }}")
    prepare(case, f"models device; precision double; {asTheyAre}", endTime=0.2,
            deltaT=0.05, writeInterval=0.2)
    return case


# From rest: the pressure of another start is that of a solver of OpenFOAM
output = compare(eddies("eddies", "calculated", "(0 0 0)"),
                 ((2, "2 1 1"), (4, "2 1 2"), (3, "random")))
isOnLattice("eddies", output, r"models\s+by the lattice")
output = compare(eddies("wallFunctions", "nutUSpaldingWallFunction",
                        "(1 0.1 0.05)"),
                 ((4, "2 2 1"), (3, "random")), 5e-11, bits=False)
isOnLattice("wallFunctions", output, r"models\s+by the lattice")

# A wedge of oblique walls with wall functions, less than three spacings wide where the
# fluid enters and cut there: the nodes held depend on links of other processes

case = copyCase("channelLES", "wedge")
(case / "constant/fvOptions").unlink()
(case / "system/blockMeshDict").write_text(
    HEADER.format("dictionary", "blockMeshDict") + """
vertices
(
    (0 0 0) (2 0.45 0) (2 0.49 0) (0 1 0)
    (0 0 0.5) (2 0.45 0.5) (2 0.49 0.5) (0 1 0.5)
);
blocks ( hex (0 1 2 3 4 5 6 7) (40 20 10) simpleGrading (1 1 1) );
edges ();
boundary
(
    inlet { type patch; faces ((1 2 6 5)); }
    outlet { type patch; faces ((0 4 7 3)); }
    walls { type wall; faces ((0 1 5 4) (3 7 6 2)); }
    ends { type symmetryPlane; faces ((0 3 2 1)); }
    others { type symmetryPlane; faces ((4 5 6 7)); }
);
mergePatchPairs ();
""")
for field, dimensions, kind, inner, patches in (
        ("U", "[0 1 -1 0 0 0 0]", "Vector", "(0 0 0)",
         "inlet { type fixedValue; value uniform (-0.5 0 0); }"
         " outlet { type zeroGradient; } walls { type noSlip; }"),
        ("p", "[0 2 -2 0 0 0 0]", "Scalar", "0",
         "inlet { type zeroGradient; } outlet { type fixedValue; value uniform 0; }"
         " walls { type zeroGradient; }"),
        ("nut", "[0 2 -1 0 0 0 0]", "Scalar", "0",
         "'(inlet|outlet)' { type calculated; value uniform 0; } walls"
         " { type nutUSpaldingWallFunction; value uniform 0; }"
         .replace("'", '"'))):
    (case / "0" / field).write_text(
        HEADER.format(f"vol{kind}Field", field)
        + f"dimensions {dimensions}; internalField uniform {inner};\n"
        f"boundaryField {{ {patches}"
        " \"(ends|others)\" { type symmetryPlane; } }\n")
prepare(case, "models device; precision double; latticeSpacing 0.05;"
        f" {asTheyAre}", endTime=0.4, deltaT=0.1, writeInterval=0.4)
output = compare(case, ((2, "2 1 1"), (3, "1 3 1"), (3, "random")), 5e-11,
                 bits=False)
isOnLattice("wedge", output, r"models\s+by the lattice")
check("wedge.holdsNodes", re.search(r"\n +\d+ nodes held without slip", output),
      output[:6000])

finish()
