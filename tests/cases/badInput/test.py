"""Bad input stops before the first step, with OpenFOAM's fatal error naming
the file, line or patch, what was found and what is possible.

Each row of the table damages the cavity tutorial in one way and lists what
the message must hold (regular expressions, white space counting as any).
"""

import re
import shutil
import signal
from pathlib import Path

from caseTest import *


# How a case is damaged

def edit(name, pattern, replacement):
    """Replace in a file; a pattern that is not found is an error here."""
    def damage(case):
        path = case / name
        text, count = re.subn(pattern, replacement, path.read_text(), flags=re.S)
        assert count > 0, f"{name} has no {pattern}"
        path.write_text(text)
    return damage


def write(name, text):
    """Replace the body of a dictionary, or make one."""
    def damage(case):
        path = case / name
        path.write_text(
            "FoamFile { version 2.0; format ascii; class dictionary; object "
            f"{path.name}; }}\n{text}\n"
        )
    return damage


def remove(name):
    return lambda case: (case / name).unlink()


def patchField(field, patch, text):
    return edit(f"0/{field}", rf"\b{patch}\s*{{[^}}]*}}", f"{patch} {{ {text} }}")


def LBM(text):
    """The LBM dictionary, in place of the one that may be there."""
    def damage(case):
        path = case / "system/fvSolution"
        body = re.sub(r"\bLBM\s*{[^}]*}", "", path.read_text())
        path.write_text(body + f"\nLBM {{ {text} }}\n")
    return damage


def mesh(*damages):
    """Damages before blockMesh is run again."""
    def damage(case):
        for each in damages:
            each(case)
        mustRun("blockMesh", case)
    return damage


def together(*damages):
    def damage(case):
        for each in damages:
            each(case)
    return damage


#: A sector of 5 degrees between the radii 1 and 2, with unit axial length
wedgeMesh = write("system/blockMeshDict", """
scale 0.1;
vertices
(
    (0 0.9990 -0.0436)  (1 0.9990 -0.0436)
    (1 1.9981 -0.0872)  (0 1.9981 -0.0872)
    (0 0.9990  0.0436)  (1 0.9990  0.0436)
    (1 1.9981  0.0872)  (0 1.9981  0.0872)
);
blocks ( hex (0 1 2 3 4 5 6 7) (20 20 1) simpleGrading (1 1 1) );
edges ();
boundary
(
    movingWall { type wall; faces ((3 7 6 2)); }
    fixedWalls { type wall; faces ((0 4 7 3) (2 6 5 1) (1 5 4 0)); }
    front { type wedge; faces ((4 5 6 7)); }
    back { type wedge; faces ((0 3 2 1)); }
);
mergePatchPairs ();
""")


def coupledMesh(kind):
    """The cavity with coupled patches instead of the side walls."""
    return together(
        edit(
            "system/blockMeshDict",
            r"boundary\s*\(",
            f"""boundary
            (
                left
                {{
                    type {kind}; neighbourPatch right; faces ((0 4 7 3));
                }}
                right
                {{
                    type {kind}; neighbourPatch left; faces ((2 6 5 1));
                }}""",
        ),
        edit(
            "system/blockMeshDict",
            r"(fixedWalls.*?)\(0 4 7 3\)\s*\(2 6 5 1\)",
            r"\1",
        ),
    )


def addPatches(field, text):
    return edit(f"0/{field}", r"boundaryField\s*{", f"boundaryField {{ {text}")


def mesh0(pattern, replacement):
    """Damage to the patches of the mesh that is there."""
    return edit("constant/polyMesh/boundary", pattern, replacement)


laminar = write("constant/turbulenceProperties", "simulationType laminar;")


def patchType(patch, kind, more=""):
    return edit(
        "system/blockMeshDict",
        rf"\b{patch}(\s*{{\s*)type\s+\w+\s*;",
        rf"{patch}\1type {kind}; {more}",
    )


table = [
    # The mesh
    (
        "wedgePatch",
        mesh(
            wedgeMesh,
            edit("0/U", r"\bfrontAndBack\s*{[^}]*}",
                 "front { type wedge; } back { type wedge; }"),
            edit("0/p", r"\bfrontAndBack\s*{[^}]*}",
                 "front { type wedge; } back { type wedge; }"),
        ),
        ["(front|back)", "wedge", "0/U", "cyclic", "empty",
         "noSlip", "fixedValue"],
    ),
    (
        "twoCellsThick",
        mesh(edit("system/blockMeshDict", r"\((\d+) (\d+) 1\)(\s*simple)",
                  r"(\1 \2 2)\3")),
        ["empty patches", "800 faces", "800 cells", "1600", "one cell thick"],
    ),
    (
        "zeroGradientVelocity",
        patchField("U", "movingWall", "type zeroGradient;"),
        ["movingWall", "zeroGradient", "0/U", "fixedValue", "noSlip"],
    ),
    (
        "inletOutletWithoutPressure",
        patchField("U", "movingWall", "type inletOutlet; inletValue "
                   "uniform (0 0 0); value uniform (0 0 0);"),
        ["movingWall", "inletOutlet", "0/U", "zeroGradient", "to float",
         "totalPressure", "fixedValue"],
    ),
    (
        "partialSlip",
        patchField("U", "movingWall",
                   "type partialSlip; valueFraction uniform 0.5;"),
        ["movingWall", "partialSlip", "0/U", "no treatment", "slip", "noSlip"],
    ),
    (
        "fixedPressureOnSlip",
        together(
            patchField("U", "movingWall", "type slip;"),
            patchField("p", "movingWall", "type fixedValue; value uniform 0;"),
        ),
        ["movingWall", "fixedValue", "0/p", "zeroGradient"],
    ),
    (
        "freestreamWithoutPressure",
        patchField("U", "movingWall",
                   "type freestream; freestreamValue uniform (1 0 0);"),
        ["movingWall", "zeroGradient", "0/p", "freestream",
         "freestreamPressure"],
    ),
    (
        "cyclicAMIPatch",
        mesh(
            coupledMesh("cyclicAMI"),
            *(addPatches(field, "left { type cyclicAMI; } "
                         "right { type cyclicAMI; }") for field in "Up"),
        ),
        ["left|right", "cyclicAMI", "polyMesh/boundary", "possible : cyclic"],
    ),
    (
        "jumpOnCyclicPatch",
        mesh(
            coupledMesh("cyclic"),
            addPatches("U", "left { type cyclic; } right { type cyclic; }"),
            addPatches("p", "left { type fixedJump; patchType cyclic; "
                       "jump uniform 1; value uniform 0; } right { type "
                       "fixedJump; patchType cyclic; value uniform 0; }"),
        ),
        ["left", "fixedJump", "0/p", "type cyclic alone"],
    ),
    (
        "fixedPressureOnWall",
        patchField("p", "fixedWalls", "type fixedValue; value uniform 0;"),
        ["fixedWalls", "fixedValue", "0/p", "zeroGradient"],
    ),
    *(
        (
            f"{kind}OnWall",
            together(
                patchField("U", "movingWall", f"type {kind};"),
                patchField("p", "movingWall", f"type {kind};"),
            ),
            ["movingWall", f"found : type {kind} on a patch of type wall",
             "0/[Up]"],
        )
        for kind in ("cyclic", "symmetryPlane", "wedge", "empty")
    ),
    (
        "cyclicPressureOnWall",
        patchField("p", "fixedWalls", "type cyclic;"),
        ["fixedWalls", "found : type cyclic on a patch of type wall", "0/p"],
    ),
    (
        "cyclicAMIOnWall",
        patchField("U", "movingWall",
                   "type cyclicAMI; value uniform (0 0 0);"),
        ["movingWall", "found : type cyclicAMI on a patch of type wall",
         "0/U"],
    ),
    (
        "jumpOnWall",
        patchField("p", "movingWall",
                   "type fixedJump; jump uniform 0; value uniform 0;"),
        ["movingWall", "found : type fixedJump on a patch of type wall",
         "0/p"],
    ),
    (
        "patchTwice",
        mesh0(r"\bfrontAndBack\b", "fixedWalls"),
        ["polyMesh/boundary", "found : patch fixedWalls twice",
         "possible : each name once"],
    ),
    (
        "unknownPatchType",
        mesh0(r"(fixedWalls\s*{\s*type\s+)\w+", r"\1banana"),
        ["polyMesh/boundary", "fixedWalls", "unknown type banana",
         "possible : cyclic, empty, patch"],
    ),
    (
        "inflowWithoutOutlet",
        patchField("U", "movingWall",
                   "type fixedValue; value uniform (1 -1 0);"),
        ["0/U", "movingWall", "an inflow of 0.001 m3/s more than flows out"],
    ),
    (
        "inflowOfATable",
        patchField("U", "movingWall",
                   "type uniformFixedValue; uniformValue table"
                   " ((0 (0 0 0)) (1 (0 -1 0)));"),
        ["0/U", "movingWall", "an inflow of 5e-06 m3/s more than flows out"],
    ),
    (
        "unknownPatchField",
        patchField("U", "movingWall", "type slidingWall;"),
        ["slidingWall", "0/U", "fixedValue"],
    ),

    # The fields
    ("missingP", remove("0/p"), ["0/p"]),
    ("missingU", remove("0/U"), ["0/U"]),
    (
        "dimensionsOfU",
        edit("0/U", r"dimensions\s+\[[^]]*\]", "dimensions [0 1 -2 0 0 0 0]"),
        ["0/U", r"\[0 1 -2 0 0 0 0\]", r"\[0 1 -1 0 0 0 0\]"],
    ),
    (
        "dimensionsOfP",
        edit("0/p", r"dimensions\s+\[[^]]*\]", "dimensions [1 -1 -2 0 0 0 0]"),
        ["0/p", r"\[1 -1 -2 0 0 0 0\]", r"\[0 2 -2 0 0 0 0\]"],
    ),

    # The fluid
    (
        "dimensionsOfNu",
        write("constant/transportProperties",
              "nu [1 -1 -1 0 0 0 0] 0.01;"),
        ["transportProperties", "nu", r"\[1 -1 -1 0 0 0 0\]",
         r"\[0 2 -1 0 0 0 0\]"],
    ),
    (
        "dimensionsOfNuInTransportModel",
        together(
            write("constant/transportProperties", "transportModel Newtonian;"
                  "nu nu [1 -1 -1 0 0 0 0] 0.01;"),
            laminar,
        ),
        ["transportProperties.nu at line 2", r"\[1 -1 -1 0 0 0 0\]",
         r"\[0 2 -1 0 0 0 0\]"],
    ),
    (
        "nuAsDictionary",
        write("constant/transportProperties",
              "nu { type constant; value 0.01; }"),
        ["transportProperties.nu at line 2", "Found nu as a dictionary",
         "possible"],
    ),
    (
        "nuAsDictionaryInTransportModel",
        together(
            write("constant/transportProperties",
                  "transportModel Newtonian; nu { value 0.01; }"),
            laminar,
        ),
        ["transportProperties.nu at line 2", "Found nu as a dictionary",
         "possible"],
    ),
    (
        "transportModelAsDictionary",
        write("constant/transportProperties",
              "transportModel { a 1; } nu 0.01;"),
        ["transportProperties", "transportModel as a dictionary",
         "Newtonian"],
    ),
    (
        "simulationTypeAsDictionary",
        write("constant/turbulenceProperties", "simulationType { a 1; }"),
        ["turbulenceProperties.simulationType at line 2", "dictionary"],
    ),
    *(
        (
            f"nuTooSmallFor{precision}",
            together(
                write("constant/transportProperties", f"nu {nu};"),
                LBM(f"precision {precision};"),
            ),
            ["transportProperties at line 2", f"Found nu = {nu}", "rounds to "
             f"1/2 in precision {precision}", r"possible : nu above \S+e-\d+"],
        )
        for nu, precision in (("1e-30", "double"), ("1e-13", "single"),
                              ("1e-13", "half"))
    ),
    (
        "missingNu",
        write("constant/transportProperties", ""),
        ["transportProperties", "nu"],
    ),
    (
        "missingTransportProperties",
        remove("constant/transportProperties"),
        ["constant/transportProperties"],
    ),
    (
        "zeroNu",
        write("constant/transportProperties", "nu 0;"),
        ["transportProperties", "nu = 0", "> 0"],
    ),
    (
        "negativeNu",
        write("constant/transportProperties", "nu -0.01;"),
        ["transportProperties", r"nu = -0\.01", "> 0"],
    ),
    (
        "transportModelUnknown",
        write("constant/transportProperties",
              "transportModel Bingham; nu 0.01;"),
        ["Bingham", "CrossPowerLaw", "Newtonian"],
    ),
    (
        "transportModelWithoutCoefficients",
        write("constant/transportProperties",
              "transportModel CrossPowerLaw; nu 0.01;"),
        ["transportProperties", "nu0"],
    ),
    (
        "viscosityOfModelNotPositive",
        write("constant/transportProperties",
              "transportModel powerLaw; powerLawCoeffs { nuMax 0; nuMin 0;"
              " k 0.01; n 0.5; }"),
        ["transportProperties", "0 to 0 m2/s of powerLaw", "> 0"],
    ),

    # Time
    (
        "deltaTBeyondEndTime",
        edit("system/controlDict", r"deltaT\s+[\d.e-]+", "deltaT 10"),
        ["controlDict", "deltaT 10 s, beyond endTime 0.5 s",
         "possible: at most 0.5 s"],
    ),

    # LBM in fvSolution
    (
        "LBMInAnotherEntry",
        together(
            LBM("precision double;"),
            edit("system/fvSolution", r"(pRefValue\s+0)\s*;", r"\1"),
        ),
        ["fvSolution", "LBM is part of the entry pRefValue"],
    ),
    (
        "unknownEntry",
        LBM("colision BGK;"),
        ["fvSolution", "colision", r"\bcollision\b", "refinement",
         "precision", "maxMach"],
    ),
    (
        "unknownCollision",
        LBM("collision SRT;"),
        ["fvSolution", "SRT", "BGK", "TRT", "MRT"],
    ),
    (
        "collisionOfAnotherLattice",
        LBM("lattice D3Q27; collision MRT;"),
        ["fvSolution", "D3Q27", "MRT", "BGK", "TRT", "recursiveRegularised"],
    ),
    (
        "rateOfTwo",
        LBM("collision MRT; MRTCoeffs { sPi 2; }"),
        ["fvSolution", "MRTCoeffs", "sPi", "above 0", "below 2"],
    ),
    (
        "unknownRate",
        LBM("collision MRT; MRTCoeffs { sQ 1.2; }"),
        ["fvSolution", "MRTCoeffs", "sQ", "sEpsilon", "sPi", "sM"],
    ),
    (
        "unknownLattice",
        LBM("lattice D3Q15;"),
        ["fvSolution", "D3Q15", "auto", "D2Q9", "D3Q19", "D3Q27"],
    ),
    (
        "latticeOfThreeDimensions",
        LBM("lattice D3Q27;"),
        ["fvSolution", "D3Q27", "mesh has 2 dimensions", "auto D2Q9"],
    ),
    (
        "unknownBackend",
        LBM("backend gpu;"),
        ["fvSolution", "gpu", "auto", "host"],
    ),
    (
        "unknownPrecision",
        LBM("precision quadruple;"),
        ["fvSolution", "quadruple", "single", "double"],
    ),
    (
        "zeroRefinement",
        LBM("refinement 0;"),
        ["fvSolution", "refinement", r"\b0\b", r"1"],
    ),
    (
        "negativeSpacing",
        LBM("latticeSpacing -0.1;"),
        ["fvSolution", "latticeSpacing", r"-0\.1", "above 0"],
    ),
    (
        "spacingAndRefinement",
        LBM("latticeSpacing 0.001; refinement 2;"),
        ["fvSolution", "latticeSpacing", r"0\.001", "refinement 2",
         "one of them"],
    ),
    (
        "unknownLayout",
        LBM("layout sparse;"),
        ["fvSolution", "sparse", "auto", "dense", "list"],
    ),
    (
        "zeroBoundaryUpdateInterval",
        LBM("boundaryUpdateInterval 0;"),
        ["fvSolution", "boundaryUpdateInterval", r"\b0\b", "1 or more"],
    ),
    (
        "negativeMaxMach",
        LBM("maxMach -0.1;"),
        ["fvSolution", "maxMach", r"-0\.1", "above 0"],
    ),
    (
        "smallRelaxationTime",
        LBM("maxRelaxationTime 0.5;"),
        ["fvSolution", "maxRelaxationTime", r"0\.5", "above"],
    ),
    (
        "negativeMagicParameter",
        LBM("magicParameter -1;"),
        ["fvSolution", "magicParameter", "-1", "above 0|0 or more"],
    ),
    (
        "adaptiveStepAndLatticeTimeStep",
        LBM("latticeTimeStep 5e-5; adaptiveStep yes;"),
        ["fvSolution", "adaptiveStep", "latticeTimeStep", "5e-05", "one of"],
    ),
    (
        "secondChanceThatIsNoSwitch",
        LBM("secondChance perhaps;"),
        ["fvSolution", "secondChance|perhaps"],
    ),
    (
        "latticeTimeStepThatDoesNotDivide",
        LBM("latticeTimeStep 3e-5;"),
        ["fvSolution", "latticeTimeStep", "3e-05", "0.005"],
    ),
    (
        "wordForNumber",
        LBM("refinement fine;"),
        ["fvSolution", "fine"],
    ),
    (
        "bodyForceOutOfThePlane",
        LBM("bodyForce (0 0 1);"),
        ["fvSolution", "bodyForce", r"\(0 0 1\)", "empty"],
    ),

    # What the lattice does not do
    (
        "viscoelastic",
        write("constant/turbulenceProperties",
              "simulationType laminar; laminar { laminarModel Maxwell; }"),
        ["turbulenceProperties", "Maxwell", "Stokes"],
    ),
    (
        "movingMesh",
        write("constant/dynamicMeshDict",
              "dynamicFvMesh dynamicMotionSolverFvMesh;"
              "motionSolverLibs (fvMotionSolvers); solver displacementLaplacian;"
              "diffusivity uniform;"),
        ["dynamicMeshDict", "dynamicMotionSolverFvMesh", "staticFvMesh"],
    ),
    (
        "activeFvOption",
        write("constant/fvOptions",
              "limiter { type limitVelocity; active yes; selectionMode all;"
              " max 2; }"),
        ["fvOptions", "limiter", "limitVelocity", "active", "limits U",
         "possible"],
    ),
    (
        "fvOptionWithoutZone",
        write("constant/fvOptions",
              "porousZone { type explicitPorositySource; active yes; }"),
        ["fvOptions", "porousZone", "selectionMode"],
    ),
    (
        "missingFvSolution",
        remove("system/fvSolution"),
        ["system/fvSolution"],
    ),
]

if not gpu:
    table.append((
        "cudaWithoutDevice",
        LBM("backend cuda;"),
        ["cuda", "host"],
    ))


def attempt(name, case, command, wanted, statuses=(1,)):
    """Run, and hold what happened against what must happen."""
    status, output = run(command, case, log="log.lbmGpuFoam")

    # Messages are broken over lines
    text = re.sub(r"\s+", " ", output)
    problems = []
    if status not in statuses:
        problems.append(f"exit status {status}: not refused, or aborted")
    if not re.search(r"FOAM FATAL (IO )?ERROR", text):
        problems.append("no FOAM FATAL ERROR")
    problems += [f"message without '{w}'" for w in wanted
                 if not re.search(w, text)]
    if re.search(r"^Time = ", output, re.M):
        problems.append("a step was made")
    if times(case) != ["0"]:
        problems.append(f"time directories {times(case)}")
    if problems:
        tail = "\n".join(output.splitlines()[-20:])
        failed(name, "; ".join(problems) + f"\nstatus {status}\n{tail}")
    else:
        passed(name)


def clone(name):
    return Path(shutil.copytree(template, name))


template = copyCase("cavity", "template")
mustRun("blockMesh", template)

# Undamaged, the case runs: a refusal below is due to the damage
undamaged = clone("undamaged")
setEntry(undamaged / "system/controlDict", "endTime", 0.01)
setEntry(undamaged / "system/controlDict", "writeInterval", 1)
status, output = run("lbmGpuFoam", undamaged)
check("undamagedRuns", status == 0 and times(undamaged)[-1] == "0.01",
      "\n".join(output.splitlines()[-15:]))

for name, damage, wanted in table:
    case = clone(name)
    damage(case)
    attempt(name, case, "lbmGpuFoam", wanted)

# Several processes without mpirun and folders processor*: OpenFOAM itself refuses,
# by an abort where it does so before it has read its arguments
case = clone("parallel")
attempt("parallel", case, "lbmGpuFoam -parallel", ["on 1 processor|processor0"],
        statuses=(1, -signal.SIGABRT))


# Damaged offsets in the compact list of faces
case = clone("binaryFaces")
setEntry(case / "system/controlDict", "writeFormat", "binary")
mustRun("blockMesh", case, log="log.blockMeshBinary")
path = case / "constant/polyMesh/faces"
data = path.read_bytes()
start = data.index(b"(", data.index(b"// * *")) + 1
for name, number in (("backwards", 10**6), ("beyond", -4)):
    damaged = bytearray(data)
    damaged[start + 40:start + 44] = number.to_bytes(4, "little", signed=True)
    path.write_bytes(damaged)
    attempt(f"faces.{name}", case, "lbmGpuFoam",
            ["polyMesh/faces", "offsets of faces", "possible"])
path.write_bytes(data)
status, output = run("lbmGpuFoam -dry-run", case)
check("faces.undamaged", status == 0, output)

# An engine and the live view that are not built
case = clone("engineMissing")
library = "liblbmLatticeHostD2Q9-single.so"
folders = os.environ["LD_LIBRARY_PATH"].split(":")
for i, folder in enumerate(folders):
    if (Path(folder or "/none") / library).exists():
        folders[i] = str(Path("libraries").resolve())
        Path("libraries").mkdir()
        for path in Path(folder).iterdir():
            if path.name not in (library, "liblatticeLiveView.so"):
                (Path("libraries") / path.name).symlink_to(path)
without = f"env LD_LIBRARY_PATH={':'.join(folders)} lbmGpuFoam"
attempt("viewMissing", clone("viewMissing"), f"{without} -view",
        ["liblatticeLiveView.so", "-view", "Allwmake builds it"])
attempt("engineMissing", case, without,
        ["D2Q9 in single precision is not installed for the host", library,
         "Allwmake builds it"])

# A run that diverges
case = clone("diverging")
write("constant/transportProperties", "nu 1e-6;")(case)
LBM("collision BGK; precision double; backend host; secondChance no;")(case)
setEntry(case / "system/controlDict", "endTime", 5)
setEntry(case / "system/controlDict", "writeInterval", 1)
status, output = run("lbmGpuFoam", case)
text = re.sub(r"\s+", " ", output)
tail = "\n".join(output.splitlines()[-25:])

wanted = {
    "status": status != 0,
    "fatalError": re.search("FOAM FATAL ERROR", text),
    "time": re.search(r"(?i)time", text.split("FOAM FATAL ERROR")[-1]),
    "place": re.search(r"\(0\.\d+ 0\.\d+ 0\.\d+\)", text),
    "patch": re.search("m from patch (movingWall|fixedWalls)", text),
    "mach": re.search("Mach", text.split("FOAM FATAL ERROR")[-1]),
    "cellReynolds": re.search("(?i)cell Reynolds",
                              text.split("FOAM FATAL ERROR")[-1]),
    "secondChance": re.search("Second chance off", text),
    "whatToChange": re.search("refinement|TRT|maxMach|nu",
                              text.split("FOAM FATAL ERROR")[-1]),
}
check("divergingStopsAndExplains", all(wanted.values()),
      f"without {[k for k, v in wanted.items() if not v]}\n{tail}")

written = times(case)
last = written[-1]
check("divergingKeepsAGoodTime", len(written) > 1, written)
bad = set(re.findall(r"\b(?:nan|inf)\b", (case / written[-1] / "U").read_text()))
check("divergingLastTimeIsFinite", not bad, f"{written[-1]}/U has {bad}")

finish()
