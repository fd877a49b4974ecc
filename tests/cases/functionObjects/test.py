"""functionObjects run and give right numbers, and the lattice is read only in
steps in which one of them, or a write, needs the fields.
"""

import re
import sys

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField


def prepare(name, functions, **entries):
    case = copyCase("cavity", name)
    mustRun("blockMesh", case)
    for entry, value in {"endTime": 0.2, "writeInterval": 20,
                         "writePrecision": 12, **entries}.items():
        setEntry(case / "system/controlDict", entry, value)
    (case / "system/controlDict").open("a").write(
        "\nDebugSwitches { latticeFields 1; }\n"
        f"\nfunctions\n{{\n{functions}\n}}\n")
    return case


def solve(case):
    return mustRun("lbmGpuFoam", case)


def readings(output):
    """Times at which the lattice was read."""
    return [float(t) for t in
            re.findall(r"^Reading the lattice at time (\S+),", output, re.M)]


def table(path):
    """Numbers of a file of OpenFOAM's, brackets taken out."""
    rows = []
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            rows.append([float(x) for x in re.sub(r"[()]", " ", line).split()])
    return np.array(rows)


def steps(*indices):
    return [round(0.005*i, 6) for i in indices]


probes = """
    {name}
    {{
        type probes; libs (sampling); fields (U p);
        probeLocations ((0.0525 0.0975 0.005) (0.0525 0.0525 0.005));
        {control}
    }}
"""

# Nothing to do: the lattice is read for the writes alone
case = prepare("none", "")
found = readings(solve(case))
check("readForWritesOnly", found == steps(20, 40), found)

# probes, at their interval
case = prepare("probes", probes.format(
    name="probes", control="writeControl timeStep; writeInterval 5;"))
output = solve(case)
check("probesReadAtTheirInterval",
      readings(output) == steps(*range(5, 41, 5)), readings(output))

found = table(case / "postProcessing/probes/0/U")
U = readField(str(case / "0.2/U")).internal
p = readField(str(case / "0.2/p")).internal
cells = [10 + 20*19, 10 + 20*10]
expected = U[cells].ravel()
check("probesU", len(found) == 8 and
      np.allclose(found[-1, 1:], expected, rtol=1e-10, atol=1e-14),
      f"{found[-1]}, expected {expected}")
found = table(case / "postProcessing/probes/0/p")
check("probesP", np.allclose(found[-1, 1:], p[cells], rtol=1e-10, atol=1e-14),
      f"{found[-1]}, expected {p[cells]}")

# sets, at write times
case = prepare("sets", """
    lines
    {
        type sets; libs (sampling); writeControl writeTime;
        interpolationScheme cell; setFormat raw; fields (U);
        sets ( middle
        {
            type uniform; axis y; nPoints 4;
            start (0.0525 0.0125 0.005); end (0.0525 0.0875 0.005);
        } );
    }
""")
output = solve(case)
check("setsReadAtWriteTimes", readings(output) == steps(20, 40),
      readings(output))
found = table(case / "postProcessing/lines/0.2/middle_U.xy")
U = readField(str(case / "0.2/U")).internal
expected = U[[10 + 20*j for j in (2, 7, 12, 17)]]
check("setsU", np.allclose(found[:, 1:], expected, rtol=1e-5, atol=1e-7),
      f"{found[:, 1:].tolist()}, expected {expected.tolist()}")

# fieldAverage: the mean of what probes saw in every step
case = prepare("average", """
    average
    {
        type fieldAverage; libs (fieldFunctionObjects);
        writeControl writeTime;
        fields ( U { mean on; prime2Mean off; base time; } );
    }
""" + probes.format(name="probes",
                    control="writeControl timeStep; writeInterval 1;"))
output = solve(case)
check("fieldAverageReadsEveryStep", readings(output) == steps(*range(1, 41)),
      readings(output))
mean = readField(str(case / "0.2/UMean")).internal[cells].ravel()
expected = table(case / "postProcessing/probes/0/U")[:, 1:].mean(axis=0)
check("fieldAverage", np.allclose(mean, expected, rtol=1e-6, atol=1e-9),
      f"{mean}, expected {expected}")

# forces, against the sums over the faces of the lid of what others say there
case = prepare("forces", """
    forces
    {
        type forces; libs (forces); patches (movingWall);
        rho rhoInf; rhoInf 1.2; CofR (0 0 0);
        executeControl timeStep; executeInterval 20;
        writeControl timeStep; writeInterval 20;
    }
    wallShearStress
    {
        type wallShearStress; libs (fieldFunctionObjects);
        executeControl timeStep; executeInterval 20;
        writeControl timeStep; writeInterval 20;
    }
    pOfLid
    {
        type surfaceFieldValue; libs (fieldFunctionObjects); fields (p);
        regionType patch; name movingWall; operation areaIntegrate;
        writeFields no; writePrecision 10;
        executeControl timeStep; executeInterval 20;
        writeControl timeStep; writeInterval 20;
    }
""")
output = solve(case)
check("forcesReadAtTheirInterval", readings(output) == steps(20, 40),
      readings(output))
path = next((case / "postProcessing/forces/0").glob("force*"))
found = table(path)[-1]
stress = readField(str(case / "0.2/wallShearStress")).boundary["movingWall"]
viscous = -1.2*stress.values[:, 0].sum()*0.005*0.01
path = next((case / "postProcessing/pOfLid/0").glob("surfaceFieldValue*"))
pressure = 1.2*table(path)[-1, -1]
check("forcesViscous",
      np.isclose(found[4:] , viscous, rtol=1e-6, atol=0).any(),
      f"{found}, expected {viscous}")
check("forcesPressure",
      np.isclose(found[1:], pressure, rtol=1e-6, atol=0).any(),
      f"{found}, expected {pressure}")

# Controls of all kinds
for name, control, expected in (
    ("runTime", "writeControl runTime; writeInterval 0.04;",
     steps(8, 16, 20, 24, 32, 40)),
    ("timeStart", "writeControl timeStep; writeInterval 1;"
     " timeStart 0.1; timeEnd 0.11;", steps(20, 21, 22, 40)),
    ("onEnd", "writeControl onEnd;", steps(20, 40)),
    ("none", "writeControl none;", steps(20, 40)),
    ("disabled", "enabled false;", steps(20, 40)),
    ("everyStep", "", steps(*range(1, 41))),
):
    case = prepare(name, probes.format(name="probes", control=control))
    found = readings(solve(case))
    check(f"control-{name}", found == expected, found)

# What is executed at the end of the run is of the end
case = prepare("unwrittenEnd", probes.format(
    name="probes", control="writeControl onEnd;"), endTime=0.19,
    writeControl="none")
output = solve(case)
check("onEndWithoutWrite", readings(output) == [0.19]
      and table(case / "postProcessing/probes/0/U")[-1, 0] == 0.19,
      readings(output))

# A continued run
case = prepare("continued", probes.format(
    name="probes", control="writeControl timeStep; writeInterval 10;"),
    startFrom="latestTime", endTime=0.1)
solve(case)
setEntry(case / "system/controlDict", "endTime", 0.2)
output = solve(case)
check("continued", readings(output) == steps(30, 40)
      and (case / "postProcessing/probes/0.1/U").exists(), readings(output))

finish()
