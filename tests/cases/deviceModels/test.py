"""Models of the viscosity that the lattice evaluates itself: large-eddy
simulation of a channel against the models on the mesh, restart, wall functions,
what cannot be; models on the mesh that are updated less often.
"""

import re
import sys

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField

HEADER = "FoamFile { version 2.0; format ascii; class %s; object %s; }\n"
CELLS = 16, 12, 10


def dictionary(case, path, text, kind="dictionary"):
    file = case / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(HEADER % (kind, file.name) + text)


def field(case, name, kind, dimensions, value, wall):
    sides = "".join(f"{side} {{ type cyclic; }} "
                    for side in ("left", "right", "front", "back"))
    dictionary(case, f"0/{name}", f"""
dimensions {dimensions};
internalField {value};
boundaryField {{ walls {{ {wall} }} {sides} }}
""", f"vol{kind}Field")


def velocity(seed):
    """A channel profile with waves of random phases, one value a cell."""
    nx, ny, nz = CELLS
    x, y, z = ((np.arange(n) + 0.5)/n for n in CELLS)
    z, y, x = np.meshgrid(z, y, x, indexing="ij")
    random = np.random.default_rng(seed)
    envelope = np.sin(np.pi*y)
    U = np.zeros((nz, ny, nx, 3))
    U[..., 0] = 6*y*(1 - y)
    for _ in range(6):
        k = random.integers(1, 4, 2)
        phase = random.uniform(0, 2*np.pi, 3)
        for a in range(3):
            U[..., a] += 0.15*envelope*np.sin(
                2*np.pi*(k[0]*x + k[1]*z) + phase[a])
    rows = "\n".join("(%.10g %.10g %.10g)" % tuple(u)
                     for u in U.reshape(-1, 3))
    return f"nonuniform List<vector> {nx*ny*nz}\n(\n{rows}\n)"


def channel(name, les="WALE", nut="type calculated; value uniform 0;",
            transport="transportModel Newtonian; nu 1e-4;", LBM="",
            delta="cubeRootVol", **entries):
    """Half height 1 m, mean velocity 1 m/s, waves in it, no walls of given
    friction unless nut is that of a wall function."""
    case = Path(name)
    nx, ny, nz = CELLS
    dictionary(case, "system/blockMeshDict", f"""
scale 1;
vertices
(
    (0 0 0) ({nx/6} 0 0) ({nx/6} 2 0) (0 2 0)
    (0 0 {nz/6}) ({nx/6} 0 {nz/6}) ({nx/6} 2 {nz/6}) (0 2 {nz/6})
);
blocks (hex (0 1 2 3 4 5 6 7) ({nx} {ny} {nz}) simpleGrading (1 1 1));
boundary
(
    walls {{ type wall; faces ((0 1 5 4) (3 7 6 2)); }}
    left {{ type cyclic; neighbourPatch right; faces ((0 4 7 3)); }}
    right {{ type cyclic; neighbourPatch left; faces ((1 2 6 5)); }}
    front {{ type cyclic; neighbourPatch back; faces ((0 3 2 1)); }}
    back {{ type cyclic; neighbourPatch front; faces ((4 5 6 7)); }}
);
""")
    field(case, "U", "Vector", "[0 1 -1 0 0 0 0]", velocity(5), "type noSlip;")
    field(case, "p", "Scalar", "[0 2 -2 0 0 0 0]", "uniform 0",
          "type zeroGradient;")
    field(case, "nut", "Scalar", "[0 2 -1 0 0 0 0]", "uniform 0", nut)
    field(case, "k", "Scalar", "[0 2 -2 0 0 0 0]", "uniform 0.01",
          "type fixedValue; value uniform 0;")
    dictionary(case, "constant/transportProperties", transport)
    dictionary(case, "constant/turbulenceProperties",
               "simulationType laminar;" if les is None else f"""
simulationType LES;
LES
{{
    LESModel {les};
    turbulence on;
    delta {delta};
    cubeRootVolCoeffs {{ deltaCoeff 1; }}
    vanDriestCoeffs
    {{
        delta cubeRootVol;
        cubeRootVolCoeffs {{ deltaCoeff 1; }}
        Aplus 26;
        Cdelta 0.158;
    }}
}}
""")
    dictionary(case, "constant/fvOptions", """
drive
{
    type meanVelocityForce;
    selectionMode all;
    fields (U);
    Ubar (1 0 0);
}
""")
    dictionary(case, "system/controlDict", "\n".join(
        f"{entry} {value};" for entry, value in {
            "application": "lbmGpuFoam", "startFrom": "latestTime",
            "startTime": 0, "endTime": 1, "deltaT": 0.02,
            "writeControl": "runTime", "writeInterval": 1,
            "writeFormat": "binary", **entries}.items()))
    dictionary(case, "system/fvSchemes", """
ddtSchemes { default backward; }
gradSchemes { default Gauss linear; }
divSchemes
{
    default Gauss linear;
    div(phi,k) Gauss limitedLinear 1;
}
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; }
snGradSchemes { default corrected; }
""")
    dictionary(case, "system/fvSolution", f"""
solvers
{{
    "p.*" {{ solver PCG; preconditioner DIC; tolerance 1e-8; relTol 0; }}
    "(U|k).*"
    {{
        solver smoothSolver;
        smoother symGaussSeidel;
        tolerance 1e-9;
        relTol 0;
    }}
}}
PIMPLE {{ nCorrectors 2; pRefCell 0; pRefValue 0; }}
LBM {{ precision double; refinement 1; {LBM} }}
""")
    mustRun("blockMesh", case)
    return case


def distance(a, b, name, time="1"):
    """Relative L2 distance of a field of two cases."""
    x, y = (readField(str(case / time / name)).internal for case in (a, b))
    return np.sqrt(np.sum((x - y)**2)/np.sum(y**2))


CASSON = ("transportModel Casson; CassonCoeffs { m 1e-3; tau0 1e-3;"
          " nuMin 1e-4; nuMax 0.1; }")

# The same flow, with the laws of the lattice and with the models on the mesh
for name, models, tolerance in (
    ("WALE", {"les": "WALE"}, 3e-4),
    ("Smagorinsky", {"les": "Smagorinsky"}, 3e-4),
    ("Casson", {"les": None, "transport": CASSON}, 3e-4),
    ("both", {"les": "WALE", "transport": CASSON}, 3e-4),
):
    own = channel(name, **models)
    output = mustRun("lbmGpuFoam", own)
    check(f"{name}IsOnTheLattice", "models                by the lattice"
          in output, output[:6000])
    off = float(re.findall(r"Viscosity of the lattice: (\S+) %",
                           output)[-1])
    host = channel(f"{name}-host", LBM="models host;", **models)
    output = mustRun("lbmGpuFoam", host)
    check(f"{name}IsOnTheMesh", "on the mesh: models host" in output,
          output[:6000])
    laminar = channel(f"{name}-laminar", les=None)
    mustRun("lbmGpuFoam", laminar)
    d, without = distance(own, host, "U"), distance(laminar, host, "U")
    print(f"{name}: U {d:.2e} from that with the models on the mesh, which are"
          f" worth {without:.2e}; viscosity {off:.2e} % off theirs")
    check(f"{name}OfLattice", d < tolerance and d < 0.05*without,
          f"{d} {without}")
    # U as written has rounding and less sound
    check(f"{name}ViscosityOfMesh", off < 0.1, str(off))
    if models["les"]:
        nut = readField(str(own / "1/nut")).internal
        check(f"{name}NutIsWritten", nut.max() > 1e-4, str(nut.max()))
        check(f"{name}NutOfMesh", distance(own, host, "nut") < 2e-3)

# The lattice step changes on the way: laws in its units
plain = channel("deltaT0.1", deltaT=0.1)
mustRun("lbmGpuFoam", plain)
case = channel("adapted", LBM="referenceVelocity 0.3;", deltaT=0.1)
output = mustRun("lbmGpuFoam", case)
d = distance(case, plain, "U")
changes = re.findall("Lattice step .* in place of .*", output)
check("lawsFollowTheStep", changes and d < 0.01, f"U {d} {changes}")
again = float(re.findall(r"Viscosity of the lattice: (\S+) %",
                         output)[-1])
check("viscosityFollowsTheStep", again < 0.1, str(again))

# Restart: to the bit
half = channel("restarted", endTime=0.5, writeInterval=0.5)
mustRun("lbmGpuFoam", half)
setEntry(half / "system/controlDict", "endTime", 1)
output = mustRun("lbmGpuFoam", half)
check("restarts", "Restarting from the populations of time 0.5" in output,
      output[:6000])
check("restartHasTheBits", (half / "1/U").read_bytes()
      == Path("WALE/1/U").read_bytes(), "U differs")

# In single precision, as a list
for entries in "precision single; layout dense;", "precision single; layout list;":
    case = channel(re.sub(r"\W+", "", entries), LBM=entries)
    mustRun("lbmGpuFoam", case)
    d = distance(case, Path("WALE"), "U")
    check(re.sub(r"\W+", "", entries), d < 1e-4, f"U {d} from double")
check("layoutsHaveTheSameBits",
      Path("precisionsinglelayoutdense/1/U").read_bytes()
      == Path("precisionsinglelayoutlist/1/U").read_bytes())

# A wall function that needs U alone
SPALDING = "type nutUSpaldingWallFunction; value uniform 0;"
own = channel("spalding", nut=SPALDING)
output = mustRun("lbmGpuFoam", own)
check("spaldingIsOnTheLattice", "models                by the lattice"
      in output and "wallStress" in output, output[:6000])
host = channel("spalding-host", nut=SPALDING, LBM="models host;")
output = mustRun("lbmGpuFoam", host)
d = distance(own, host, "U")
a, b = (readField(str(case / "1/nut")).boundary["walls"].values
        for case in (own, host))
walls = np.sqrt(np.sum((a - b)**2)/np.sum(b**2))
print(f"nutUSpaldingWallFunction: U {d:.2e}, nut at walls {walls:.2e} from the"
      " models on the mesh")
check("spalding", d < 3e-4 and walls < 1e-3, f"{d} {walls}")

# Eddies that are resolved down to the walls ask for the cumulant collision, unless
# the user asks for something else
REASON = "D3Q27: large-eddy simulation without wall functions, collision auto"
for name, models, LBM, lattice, collision, because in (
    ("eddies", {}, "", "D3Q27", "cumulant", True),
    ("modelOfTheMesh", {"les": "kEqn"}, "", "D3Q27", "cumulant", True),
    ("wallFunction", {"nut": SPALDING}, "", "D3Q19", "recursiveRegularised",
     False),
    ("lowReynolds", {"nut": "type nutLowReWallFunction; value uniform 0;"},
     "", "D3Q27", "cumulant", True),
    ("latticeGiven", {}, "lattice D3Q19;", "D3Q19", "recursiveRegularised",
     False),
    ("collisionGiven", {}, "collision TRT;", "D3Q19", "TRT", False),
    ("laminar", {"les": None}, "", "D3Q19", "recursiveRegularised", False),
    ("laminarCumulant", {"les": None}, "collision cumulant;", "D3Q27",
     "cumulant", False),
    ("laminarD3Q27", {"les": None}, "lattice D3Q27;", "D3Q27", "cumulant",
     False),
    ("slow", {"transport": "transportModel Newtonian; nu 0.1;"}, "", "D3Q27",
     "TRT", True),
):
    case = channel(f"choice.{name}", LBM=LBM, **models)
    output = mustRun("lbmGpuFoam -dry-run", case)
    check(f"choice.{name}", f"Lattice {lattice}, collision {collision}"
          in output and (REASON in output) == because, output[-3500:])

for name, coeffs, words in (
    ("noLimit", "limit 0;", ("limit", "above 1e-09", "below 1e+06")),
    ("unknownCoeff", "limt 1;", ("limt", "limit")),
):
    case = channel(f"choice.{name}", les=None,
                   LBM=f"collision cumulant; cumulantCoeffs {{ {coeffs} }}")
    status, output = run("lbmGpuFoam -dry-run", case)
    check(f"choice.{name}IsRefused", status != 0
          and "FOAM FATAL IO ERROR" in output
          and all(word in output for word in ("cumulantCoeffs", *words)),
          output[-1500:])

# What the lattice has no law for goes to the mesh, or is refused
for name, models, words in (
    ("kEqn", {"les": "kEqn"}, ("turbulence model kEqn", "WALE")),
    ("vanDriest", {"delta": "vanDriest"}, ("delta vanDriest",)),
    ("nutk", {"les": "kEqn",
              "nut": "type nutkWallFunction; value uniform 0;"}, ("kEqn",)),
):
    case = channel(name, endTime=0.04, writeInterval=0.04, **models)
    output = mustRun("lbmGpuFoam", case)
    check(f"{name}IsOnTheMesh", all(
        word in re.search(r"models +on the mesh: .*", output)[0]
        for word in words), output[:6000])
    case = channel(f"{name}-device", LBM="models device;", **models)
    status, output = run("lbmGpuFoam", case)
    message = re.sub(r"\s+", " ", output)
    check(f"{name}IsRefused", status != 0 and "FOAM FATAL IO ERROR" in message
          and "Found models device, but" in message
          and "models host or auto" in message
          and all(word in message for word in words), output[-1500:])

# Models on the mesh every few deltaT only
often = channel("often", les="kEqn")
mustRun("lbmGpuFoam", often)
seldom = channel("seldom", les="kEqn", LBM="turbulenceUpdateInterval 4;")
output = mustRun("lbmGpuFoam", seldom)
check("intervalIsNamed", "on the mesh every 4 deltaT" in output, output[:6000])
n = len(re.findall("Solving for k", output))
check("intervalIsKept", 12 <= n <= 14, f"{n} solutions for k in 50 deltaT")
d, dk = distance(seldom, often, "U"), distance(seldom, often, "k")
print(f"kEqn every 4 deltaT: U {d:.2e}, k {dk:.2e} from that of every deltaT")
check("interval", d < 5e-4 and dk < 0.03, f"{d} {dk}")
case = channel("noInterval", LBM="turbulenceUpdateInterval 0;")
status, output = run("lbmGpuFoam", case)
check("intervalBelowOneIsRefused", status != 0
      and "turbulenceUpdateInterval" in output and "1 or more" in output,
      output[-1500:])

finish()
