"""A plane channel, 0.4 m x 0.1 m with 64 x 16 cells, for tests of flows that
change in time.
"""

from caseTest import *

HEADER = "FoamFile {{ version 2.0; format ascii; class {}; object {}; }}\n"

MESH = """
scale 0.1;
vertices
(
    (0 0 0) (4 0 0) (4 1 0) (0 1 0)
    (0 0 0.1) (4 0 0.1) (4 1 0.1) (0 1 0.1)
);
blocks ( hex (0 1 2 3 4 5 6 7) (CELLS 1) simpleGrading (GRADING 1) );
edges ();
boundary
(
    inlet { OPEN faces ((0 4 7 3)); }
    outlet { OUT faces ((2 6 5 1)); }
    walls { type wall; faces ((3 7 6 2) (1 5 4 0)); }
    frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }
);
mergePatchPairs ();
"""

ZERO = "type zeroGradient;"
P0 = "type fixedValue; value uniform 0;"


def channel(name, Uin=None, pin=ZERO, Uout=ZERO, pout=P0, LBM="",
            cells="64 16", grading="1 1", nu=0.01, **entries):
    """A channel at rest; without Uin its ends are cyclic."""
    case = copyCase("cavity", name)
    cyclic = Uin is None
    mesh = MESH.replace("CELLS", cells).replace("GRADING", grading)
    mesh = mesh.replace(
        "OPEN", "type cyclic; neighbourPatch outlet;" if cyclic
        else "type patch;")
    mesh = mesh.replace(
        "OUT", "type cyclic; neighbourPatch inlet;" if cyclic
        else "type patch;")
    (case / "system/blockMeshDict").write_text(
        HEADER.format("dictionary", "blockMeshDict") + mesh)
    if cyclic:
        Uin = Uout = pin = pout = "type cyclic;"
    for field, kind, dimensions, internal, inlet, outlet, wall in (
        ("U", "volVectorField", "[0 1 -1 0 0 0 0]", "(0 0 0)", Uin, Uout,
         "type noSlip;"),
        ("p", "volScalarField", "[0 2 -2 0 0 0 0]", "0", pin, pout, ZERO),
    ):
        (case / "0" / field).write_text(
            HEADER.format(kind, field)
            + f"dimensions {dimensions};\ninternalField uniform {internal};\n"
            f"boundaryField {{ inlet {{ {inlet} }} outlet {{ {outlet} }}"
            f" walls {{ {wall} }} frontAndBack {{ type empty; }} }}\n")
    setEntry(case / "constant/transportProperties", "nu", nu)
    mustRun("blockMesh", case)
    for entry, value in {
        "startFrom": "latestTime", "deltaT": 0.01, "endTime": 2,
        "writeControl": "timeStep", "writeInterval": 200,
        "writePrecision": 12, **entries,
    }.items():
        setEntry(case / "system/controlDict", entry, value)
    (case / "system/fvSolution").open("a").write(
        f"\nLBM {{ {LBM} }}\n")
    return case


def solve(case, **entries):
    for entry, value in entries.items():
        setEntry(case / "system/controlDict", entry, value)
    return mustRun("lbmGpuFoam", case)


def files(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*")) if path.is_file()
    }


def populations(case, time):
    path = case / time / "uniform/latticePopulations"
    return path.read_bytes().split(b"\ndata\n")[1]


def header(case, time, entry):
    """An entry of the header of the restart data, as text."""
    path = case / time / "uniform/latticePopulations"
    text = path.read_bytes().split(b"\ndata\n")[0].decode(errors="replace")
    return re.search(rf"\n{entry}\s+([^;]+);", text)[1]
