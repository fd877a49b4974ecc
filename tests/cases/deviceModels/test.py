"""Models of the viscosity that the lattice evaluates itself: large-eddy
simulation of a channel against the models on the mesh, restart, wall functions,
what cannot be; models on the mesh that are updated less often.
"""

import re

from wavyChannel import *

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
    ("modelOfTheMesh", {"les": "dynamicKEqn"}, "", "D3Q27", "cumulant", True),
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
    ("dynamicKEqn", {"les": "dynamicKEqn"},
     ("turbulence model dynamicKEqn", "WALE", "kEqn")),
    ("vanDriest", {"delta": "vanDriest"}, ("delta vanDriest",)),
    ("nutk", {"les": "WALE",
              "nut": "type nutkWallFunction; value uniform 0;"},
     ("nutkWallFunction of patch walls",)),
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
often = channel("often", les="kEqn", LBM="models host;")
mustRun("lbmGpuFoam", often)
seldom = channel("seldom", les="kEqn",
                 LBM="models host; turbulenceUpdateInterval 4;")
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
