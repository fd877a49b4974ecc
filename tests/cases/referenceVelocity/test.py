"""The lattice step is chosen for the largest speed of the run, not for that in
the files of the start: tables that begin at zero, flow rates that have not been
evaluated, pressures that rise.
"""

import math

from channelCase import *


def summary(name, nu=0.01, **conditions):
    """Reference velocity and its reason, by -dry-run."""
    case = channel(name, nu=nu, **conditions)
    output = mustRun("lbmGpuFoam -dry-run", case)
    found = re.search(r"reference velocity +(\S+) m/s, (.*)", output)
    return float(found[1]), found[2]


def expect(name, velocity, says, *but, **conditions):
    U, reason = summary(name, **conditions)
    check(name, abs(U - velocity) < 1e-5*velocity and says in reason
          and not any(word in reason for word in but),
          f"{U} m/s, expected {velocity}: {reason}")


REST = "value uniform (0 0 0);"

expect("rampFromZero", 1.5, "patch inlet at time 0.5 s",
       Uin="type uniformFixedValue; uniformValue table"
       f" ((0 (0 0 0)) (0.5 (1.5 0 0)) (0.7 (0.2 0 0))); {REST}")

# A peak between the samples: points of the table are among them
expect("peakOfATable", 7, "patch inlet", endTime=100,
       Uin="type uniformFixedValue; uniformValue table"
       " ((0 (0 0 0)) (33.33331 (0 0 0)) (33.33333 (7 0 0))"
       f" (33.33335 (0 0 0))); {REST}")

# An end that is never reached does not hide the first seconds
U, reason = summary(
    "lateEnd", endTime=1e6, Uin="type uniformFixedValue; uniformValue sine;"
    " uniformValueCoeffs { frequency 1; amplitude 1; scale (2 0 0);"
    f" level (1 0 0); }} {REST}")
check("lateEnd", abs(U - 3) < 0.01, f"{U}: {reason}")

expect("flowRate", 0.8, "patch inlet", Uin="type flowRateInletVelocity;"
       f" volumetricFlowRate constant 0.0008; {REST}")
expect("flowRateTable", 2, "patch inlet", Uin="type flowRateInletVelocity;"
       f" volumetricFlowRate table ((0 0) (1 0.002) (2 0.001)); {REST}")
expect("normalVelocity", 0.6, "patch inlet",
       Uin="type uniformNormalFixedValue; uniformValue table"
       f" ((0 0) (1 -0.6) (2 0)); {REST}")
# Walls that speed up
case = copyCase("cavity", "lid")
path = case / "0/U"
path.write_text(re.sub(
    r"movingWall\s*{[^}]*}", "movingWall { type uniformFixedValue;"
    f" uniformValue table ((0 (0 0 0)) (0.3 (4 0 0))); {REST} }}",
    path.read_text()))
mustRun("blockMesh", case)
output = mustRun("lbmGpuFoam -dry-run", case)
check("lid", "reference velocity    4 m/s" in output
      and "patch movingWall" in output, output[-2500:])

# Pressures: the largest difference of the run, at the same time. Laminar
# channel, dp/L H^2/(8 nu), where that is less than sqrt(2 dp)
FLOATS = "type pressureInletOutletVelocity; value uniform (0 0 0);"
expect("pressureRamp", 0.2*0.01/(0.4*8*0.01), "0.2 m2/s2 apart", Uin=FLOATS,
       pin="type uniformFixedValue; uniformValue table"
       " ((0 0) (1 0.2) (2 0.1)); value uniform 0;")
expect("pressureInviscid", math.sqrt(0.4), "sqrt(2 dp)", nu=1e-4, Uin=FLOATS,
       pin="type uniformTotalPressure; p0 table ((0 0) (1 0.2) (2 0.1));"
       " value uniform 0;")

# Nothing to know, and nothing to look at
expect("constantInlet", 1, "patch inlet", "at time",
       Uin="type fixedValue; value uniform (1 0 0);")

# What cannot be evaluated later on is no reason to stop before the first step
U, reason = summary(
    "tableEnds", Uin="type uniformFixedValue; outOfBounds error;"
    f" uniformValue table ((0 (1 0 0)) (0.5 (2 0 0))); {REST}")
check("tableEnds", U == 2 and "could not be looked at" in reason
      and "0.5" in reason, f"{U}: {reason}")

# From rest through a table that starts at 0, with the step of its end from the
# start: the flow neither diverges nor warns
case = channel("runs", Uin="type uniformFixedValue; uniformValue table"
               f" ((0 (0 0 0)) (0.5 (1 0 0))); {REST}", endTime=1)
output = solve(case)
Mach = [float(x) for x in re.findall(r"largest Mach (\S+),", output)]
check("runs", "Warning" not in output and 0.09 < max(Mach) < 0.2,
      f"largest Mach {max(Mach)}: {output[-1500:]}")

# Boundary values that go up and down: the fluid must not store what they bring.
# 0.4 m at 0.4 m/s: with 1.5 periods in a transit, 5 % more or less, storing takes
# (2 pi 1.5)^2 0.05/sqrt(2) Ma^2/2, 1.6 % of the flow at Mach 0.1; with 3, 6.3 %


def steps(name, inlet):
    case = channel(name, nu=1e-4, endTime=10, Uin=f"{inlet} {REST}")
    output = mustRun("lbmGpuFoam -dry-run", case)
    return int(re.search(r"step +\S+ s, (\d+) per deltaT", output)[1])


def sine(frequency):
    return ("type uniformFixedValue; uniformValue sine; uniformValueCoeffs"
            f" {{ frequency {frequency}; amplitude 0.05; scale (0.4 0 0);"
            " level (0.4 0 0); }")


constant = steps("unchanged", "type uniformFixedValue;"
                 " uniformValue constant (0.42 0 0);")
check("slowSine", steps("slowSine", sine(1.5)) == constant)
found = steps("fastSine", sine(3))
check("fastSine", 1.5*constant <= found <= 2.1*constant,
      f"{found} steps, {constant} without a change")
check("ramp", steps("ramp", "type uniformFixedValue; uniformValue table"
                    " ((0 (0 0 0)) (0.02 (0.42 0 0)));") == constant)

finish()
