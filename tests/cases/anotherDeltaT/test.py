"""deltaT decides when something is written, not what is computed: with the same
lattice step the bits are the same, over any mesh, with open ends or without.
"""

from channelCase import *

STEPS = 1200


def prepare(name, kind, perDeltaT, n=STEPS):
    """A run of n lattice steps, so many in a deltaT."""
    step = 0.0005
    LBM = f"latticeTimeStep {step}; precision single;"
    conditions = {"nu": 0.005, "deltaT": f"{perDeltaT*step:.10g}",
                  "endTime": f"{n*step:.10g}", "LBM": LBM,
                  "writeInterval": n//perDeltaT, "cells": "48 12",
                  "grading": "1 1" if "conforming" in kind else "1 2"}
    if "closed" in kind:
        # A lid over a cavity that is as long as the channel
        conditions["Uin"] = conditions["Uout"] = "type noSlip;"
        conditions["pout"] = ZERO
    else:
        conditions["Uin"] = "type fixedValue; value uniform (1 0 0);"
    case = channel(name, **conditions)
    if "closed" in kind:
        path = case / "0/U"
        path.write_text(path.read_text().replace(
            "walls { type noSlip; }",
            "walls { type fixedValue; value uniform (1 0 0); }"))
    return case


for kind in ("overlay-open", "overlay-closed", "conforming-open",
             "conforming-closed"):
    results = {}
    for perDeltaT in (1, 7, 300, STEPS):
        n = STEPS//7*7 if perDeltaT == 7 else STEPS
        case = prepare(f"{kind}-{perDeltaT}", kind, perDeltaT, n)
        solve(case)
        last = times(case)[-1]
        results[perDeltaT] = populations(case, last)
        counted = int(header(case, last, "latticeSteps").strip('"'))
        check(f"{kind}-{perDeltaT}-counts", counted == n, counted)
    # Not a whole number of them: on to the same count in two parts
    case = Path(f"{kind}-7")
    step = 0.0005
    solve(case, deltaT=f"{(STEPS % 7)*step:.10g}",
          endTime=f"{STEPS*step:.10g}", writeInterval=1)
    results[7] = populations(case, times(case)[-1])
    check(f"{kind}-sameBits", len(set(results.values())) == 1,
          {k: hash(v) for k, v in results.items()})

finish()
