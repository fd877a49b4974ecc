"""The four small cases that are damaged, and the damage that needs to know
what the patches mean."""

from pathlib import Path

HEADER = """FoamFile
{{
    version     2.0;
    format      ascii;
    class       {kind};
    object      {name};
}}
"""

CONTROL = """
application     lbmGpuFoam;
startFrom       startTime;
startTime       0;
stopAt          endTime;
endTime         {end};
deltaT          {step};
writeControl    timeStep;
writeInterval   {n};
purgeWrite      0;
writeFormat     ascii;
writePrecision  8;
writeCompression off;
timeFormat      general;
timePrecision   6;
runTimeModifiable false;
"""

SCHEMES = """
ddtSchemes { default Euler; }
gradSchemes { default Gauss linear; }
divSchemes { default none; div(phi,U) Gauss linear; }
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; }
snGradSchemes { default corrected; }
"""

SOLUTION = """
solvers
{
    p { solver PCG; preconditioner DIC; tolerance 1e-06; relTol 0.05; }
    U { solver smoothSolver; smoother symGaussSeidel; tolerance 1e-05; relTol 0; }
}
PISO
{
    nCorrectors     2;
    nNonOrthogonalCorrectors 0;
    pRefCell        0;
    pRefValue       0;
}
LBM
{
%s
}
"""

FIELD = """
dimensions      {dimensions};
internalField   uniform {internal};
boundaryField
{{
{patches}
}}
"""

BLOCK_MESH = """
scale {scale};
vertices ({vertices});
blocks ({blocks});
edges ({edges});
boundary
(
{patches}
);
mergePatchPairs ();
"""

SQUARE = dict(
    vertices="(0 0 0) (1 0 0) (1 1 0) (0 1 0) "
             "(0 0 0.1) (1 0 0.1) (1 1 0.1) (0 1 0.1)",
    edges="",
    west="(0 4 7 3)", east="(2 6 5 1)", north="(3 7 6 2)", south="(1 5 4 0)",
    front="(0 3 2 1) (4 5 6 7)",
)

#: The quarter of a ring between the radii 0.5 and 1
RING = dict(
    vertices="(0.5 0 0) (1 0 0) (0 1 0) (0 0.5 0) "
             "(0.5 0 0.1) (1 0 0.1) (0 1 0.1) (0 0.5 0.1)",
    edges="arc 1 2 (0.70710678 0.70710678 0) "
          "arc 5 6 (0.70710678 0.70710678 0.1) "
          "arc 0 3 (0.35355339 0.35355339 0) "
          "arc 4 7 (0.35355339 0.35355339 0.1)",
    west="(0 4 7 3)", east="(2 6 5 1)", north="(3 7 6 2)", south="(1 5 4 0)",
    front="(0 3 2 1) (4 5 6 7)",
)

CASES = {
    "cavity": dict(
        mesh=SQUARE, cells="(12 12 1)", grading="(1 1 1)", scale=0.1,
        patches={
            "movingWall": ("wall", ["north"],
                           "type fixedValue; value uniform (1 0 0);",
                           "type zeroGradient;"),
            "fixedWalls": ("wall", ["west", "east", "south"],
                           "type noSlip;", "type zeroGradient;"),
            "frontAndBack": ("empty", ["front"], "type empty;", "type empty;"),
        },
        nu=0.01, step=0.005, LBM="    maxMach         0.1;\n"
        "    collision       TRT;\n    precision       single;\n"
        "    bodyForce       (0 0 0);\n    pRefPoint       (0.05 0.05 0.005);\n",
    ),
    "channel": dict(
        mesh=SQUARE, cells="(12 12 1)", grading="(1 1 1)", scale=1,
        patches={
            "inlet": ("patch", ["west"],
                      "type fixedValue; value uniform (1 0 0);",
                      "type zeroGradient;"),
            "outlet": ("patch", ["east"], "type zeroGradient;",
                       "type fixedValue; value uniform 0;"),
            "top": ("patch", ["north"], "type slip;", "type slip;"),
            "bottom": ("wall", ["south"], "type noSlip;",
                       "type zeroGradient;"),
            "frontAndBack": ("empty", ["front"], "type empty;", "type empty;"),
        },
        nu=0.1, step=0.02, LBM="    maxMach         0.1;\n"
        "    layout          auto;\n    boundaryUpdateInterval 1;\n"
        "    restartData     true;\n",
    ),
    "pulsating": dict(
        mesh=SQUARE, cells="(12 12 1)", grading="(1 1 1)", scale=1,
        patches={
            "inlet": ("patch", ["west"],
                      "type uniformFixedValue; uniformValue tableFile;"
                      " uniformValueCoeffs { file"
                      " \"<constant>/inletTable\"; outOfBounds clamp; }",
                      "type zeroGradient;"),
            "outlet": ("patch", ["east"], "type zeroGradient;",
                       "type uniformFixedValue; uniformValue table"
                       " ((0 0) (0.03 0.1) (0.05 -0.1) (1 0));"),
            "top": ("wall", ["north"],
                    "type uniformFixedValue; uniformValue table"
                    " ((0 (0.5 0 0)) (0.04 (1 0 0)) (1 (0.2 0 0)));",
                    "type zeroGradient;"),
            "bottom": ("wall", ["south"], "type noSlip;",
                       "type zeroGradient;"),
            "frontAndBack": ("empty", ["front"], "type empty;", "type empty;"),
        },
        nu=0.1, step=0.02, LBM="    maxMach         0.1;\n"
        "    boundaryUpdateInterval 2;\n",
        files={"constant/inletTable":
               "(\n(0 (1 0 0))\n(0.02 (1.2 0 0))\n(0.04 (0.9 0.1 0))\n"
               "(1 (1 0 0))\n)\n"},
    ),
    "ring": dict(
        mesh=RING, cells="(8 10 1)", grading="(0.4 1 1)", scale=1,
        patches={
            "inlet": ("patch", ["south"],
                      "type flowRateInletVelocity; volumetricFlowRate 0.05;"
                      " value uniform (0 1 0);", "type zeroGradient;"),
            "outlet": ("patch", ["north"],
                       "type inletOutlet; inletValue uniform (0 0 0);"
                       " value uniform (0 0 0);",
                       "type totalPressure; p0 uniform 0; value uniform 0;"),
            "outer": ("wall", ["east"], "type rotatingWallVelocity;"
                      " origin (0 0 0); axis (0 0 1); omega 0.5;"
                      " value uniform (0 0 0);", "type zeroGradient;"),
            "inner": ("wall", ["west"], "type noSlip;", "type zeroGradient;"),
            "frontAndBack": ("empty", ["front"], "type empty;", "type empty;"),
        },
        nu=0.05, step=0.02, LBM="    latticeSpacing  0.04;\n"
        "    maxMach         0.15;\n    maxRelaxationTime 1;\n"
        "    referenceVelocity 1.2;\n",
    ),
}

STEPS = 3


def write(folder, name, kind, text):
    path = Path(folder)/name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEADER.format(kind=kind, name=path.name) + text + "\n")


def field(patches, index, dimensions, internal):
    return FIELD.format(
        dimensions=dimensions, internal=internal,
        patches="\n".join(
            "    %s\n    {\n        %s\n    }" % (
                name, patch[index].replace("; ", ";\n        "))
            for name, patch in patches.items()))


def make(name, folder, patches=None):
    """Write a case, without its mesh. patches: others than its own."""

    case = CASES[name]
    patches = patches or case["patches"]
    mesh = case["mesh"]

    for path, text in case.get("files", {}).items():
        (Path(folder)/path).parent.mkdir(parents=True, exist_ok=True)
        (Path(folder)/path).write_text(text)

    write(folder, "0/U", "volVectorField",
          field(patches, 2, "[0 1 -1 0 0 0 0]", "(0 0 0)"))
    write(folder, "0/p", "volScalarField",
          field(patches, 3, "[0 2 -2 0 0 0 0]", "0"))
    write(folder, "constant/transportProperties", "dictionary",
          f"\ntransportModel  Newtonian;\nnu              {case['nu']};")
    write(folder, "constant/turbulenceProperties", "dictionary",
          "\nsimulationType  laminar;")
    write(folder, "system/controlDict", "dictionary", CONTROL.format(
        step=case["step"], end=round(STEPS*case["step"], 6), n=STEPS))
    write(folder, "system/fvSchemes", "dictionary", SCHEMES)
    write(folder, "system/fvSolution", "dictionary", SOLUTION % case["LBM"])
    write(folder, "system/blockMeshDict", "dictionary", BLOCK_MESH.format(
        scale=case["scale"], vertices=mesh["vertices"], edges=mesh["edges"],
        blocks=f"hex (0 1 2 3 4 5 6 7) {case['cells']}"
               f" simpleGrading {case['grading']}",
        patches="\n".join(
            "    %s { type %s; faces (%s); }" % (
                patch, kind, " ".join(mesh[side] for side in sides))
            for patch, (kind, sides, U, p) in patches.items())))
