"""Forces that OpenFOAM evaluates in cells: entries of fvOptions that act on a
part of the fluid or in proportion to the velocity, and porous zones.
"""

import re
import sys

from channelCase import *
from codedCase import runCoded, whyNotCompiled

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField

IN = "type fixedValue; value uniform (1 0 0);"

# A quarter to three quarters of the length, 0.2 m; a piece of the height
ZONES = HEADER.format("dictionary", "topoSetDict") + """
actions
(
    { name c; type cellSet; action new; source boxToCell;
      box (0.1 -1 -1) (0.3 1 1); }
    { name plug; type cellZoneSet; action new; source setToCellZone; set c; }
    { name d; type cellSet; action new; source boxToCell;
      box (0.1 0.025 -1) (0.1125 0.075 1); }
    { name disk; type cellZoneSet; action new; source setToCellZone; set d; }
    { name b; type cellSet; action new; source boxToCell;
      box (0.1 0.025 -1) (0.2 0.075 1); }
    { name block; type cellZoneSet; action new; source setToCellZone; set b; }
);
"""

PLUG = 32*16


def prepare(name, options="", porosity="", wall="type slip;", folder="constant",
            **more):
    """A channel with a plug and a disk, and slip at its walls."""
    case = channel(name, **{"endTime": 0.5, "writeInterval": 50, **more})
    path = case / "0/U"
    path.write_text(path.read_text().replace("type noSlip;", wall))
    (case / "system/topoSetDict").write_text(ZONES)
    mustRun("topoSet", case)
    if options:
        (case / folder / "fvOptions").write_text(
            HEADER.format("dictionary", "fvOptions") + options)
    if porosity:
        (case / "constant/porosityProperties").write_text(
            HEADER.format("dictionary", "porosityProperties") + porosity)
    return case


def blown(name, options="", porosity="", **more):
    """1 m/s through the plug."""
    return prepare(name, options, porosity, Uin=IN,
                   **{"endTime": 2, "writeInterval": 200, **more})


def semiImplicit(rate, implicit, where="selectionMode all;", mode="specific",
                 more=""):
    return (f"source {{ type vectorSemiImplicitSource; {where}"
            f" volumeMode {mode}; {more}"
            f" injectionRateSuSp {{ U (({rate}) {implicit}); }} }}")


IN_PLUG = "selectionMode cellZone; cellZone plug;"


def porous(model="DarcyForchheimer", coeffs="d (1000 1000 1000); f (0 0 0);",
           axes="origin (0 0 0); e1 (1 0 0); e2 (0 1 0);"):
    return (f"zone {{ type {model}; cellZone plug; {coeffs}"
            f" coordinateSystem {{ {axes} }} }}")


def option(porosity):
    """The same as an entry of fvOptions."""
    return re.sub(
        r"^zone { type (\w+);",
        r"plug { type explicitPorositySource;"
        r" explicitPorositySourceCoeffs { selectionMode cellZone; type \1;",
        porosity) + " }"


def velocity(case, time=None):
    """Of each cell, or one row if it is the same."""
    path = case / (time or times(case)[-1]) / "U"
    return np.reshape(readField(str(path)).internal, (-1, 3))


def columns(case, field, component=None):
    """Means over the height: values of the 64 columns of cells."""
    values = readField(str(case / times(case)[-1] / field)).internal
    values = values if component is None else values[:, component]
    if np.size(values) == 1:
        values = np.full(16*64, float(np.ravel(values)[0]))
    return values.reshape(16, 64).mean(axis=0)


def pressureDrop(case):
    p = columns(case, "p")
    return p[4:12].mean() - p[52:60].mean()


# Plug flow through a porous plug: nu d u + f u^2/2, over 0.2 m

for name, zone, exact in (
    ("darcy", porous(), 2),
    ("forchheimer", porous(coeffs="d (0 0 0); f (20 20 20);"), 2),
    ("both", porous(coeffs="d (1000 1000 1000); f (20 20 20);"), 4),
    ("axes", porous(coeffs="d (1000 -10 -10); f (0 0 0);"), 2),
    # At Mach 0.1 the density would change by half
    ("dense", porous(coeffs="d (20000 -10 -10); f (100 100 100);"), 50),
    ("powerLaw", porous("powerLaw", "C0 10; C1 1.5;"), 2),
    ("fixedCoeff",
     porous("fixedCoeff", "alpha (10 10 10); beta (0 0 0); rhoRef 1;"), 2),
):
    case = blown(name, porosity=zone)
    output = mustRun("lbmGpuFoam", case)
    drop = pressureDrop(case)
    check(f"{name}.pressureDrop", abs(drop/exact - 1) < 0.02,
          f"{drop} m2/s2, not {exact}")
    u = columns(case, "U", 0)
    check(f"{name}.plugFlow", np.abs(u - 1).max() < 0.02,
          f"u from {u.min()} to {u.max()} m/s")
    line = (rf"force in cells        zone of porosityProperties:"
            rf" \w+, {PLUG} cells")
    check(f"{name}.summary", re.search(line, output), output[-2500:])

    # The same by explicitPorositySource
    if name in ("darcy", "both"):
        same = blown(f"{name}Option", option(zone))
        output = mustRun("lbmGpuFoam", same)
        check(f"{name}.sameByFvOptions",
              populations(same, "2") == populations(case, "2"),
              "populations differ")
        check(f"{name}.summaryOfFvOptions", re.search(
            rf"force in cells        plug of fvOptions:"
            rf" explicitPorositySource, {PLUG} cells", output),
            output[-2500:])

# A medium of oblique axes: force and velocity are not parallel. Between slip
# walls the cross force is balanced by a pressure gradient, in the plug alone.
zone = porous(coeffs="d (2000 1000 1000); f (0 0 0);",
              axes="origin (0 0 0); e1 (1 1 0); e2 (-1 1 0);")
fine = {"deltaT": 0.002, "writeInterval": 1000}
oblique = blown("oblique", porosity=zone, **fine)
mustRun("lbmGpuFoam", oblique)
reference = blown("obliqueReference", option(zone), **fine)
setEntry(reference / "constant/transportProperties", "transportModel",
         "Newtonian")
(reference / "constant/turbulenceProperties").write_text(
    HEADER.format("dictionary", "turbulenceProperties")
    + "simulationType laminar;\n")
schemes = reference / "system/fvSchemes"
schemes.write_text(schemes.read_text().replace(
    "divSchemes\n{", "divSchemes\n{\n    div((nuEff*dev2(T(grad(U))))) "
    "Gauss linear;"))
mustRun("pisoFoam", reference)
U, wanted = velocity(oblique), velocity(reference)
error = np.linalg.norm(U - wanted)/np.linalg.norm(wanted)
check("oblique.U", error < 0.02, f"U differs by {error} (L2)")
drop, wanted = pressureDrop(oblique), pressureDrop(reference)
check("oblique.pressureDrop", abs(drop/wanted - 1) < 0.03,
      f"{drop} m2/s2, pisoFoam {wanted}")

# A drag of 1e6 1/s, more than a lattice step bears: along all axes the fluid
# stands, along two it follows the third
IN_BLOCK = np.zeros((16, 64), bool)
IN_BLOCK[4:12, 16:32] = True
for name, d, axes in (
    ("tight", "1e8 1e8 1e8", "e1 (1 0 0); e2 (0 1 0);"),
    ("channels", "0 1e8 1e8", "e1 (3 1 0); e2 (-1 3 0);"),
):
    zone = porous(coeffs=f"d ({d}); f (0 0 0);", axes=f"origin (0 0 0); {axes}")
    case = blown(name, porosity=zone.replace("plug", "block"))
    output = mustRun("lbmGpuFoam", case)
    check(f"{name}.limitIsSaid", len(re.findall(
        r"^Drag of cells, of 1000000 1/s, limited to [\d.e+]+ 1/s,"
        r" 10 in a lattice step$",
        output, re.M)) == 1, output[-2500:])
    U = velocity(case).reshape(16, 64, 3)
    u, v = U[IN_BLOCK][:, 0], U[IN_BLOCK][:, 1]
    # A few hundredths at the surface, where the pressure falls over a spacing
    if name == "tight":
        speed = np.hypot(u, v)
        check("tight.stands", speed.mean() < 0.01 and speed.max() < 0.05,
              f"{speed.mean()} m/s in the block, up to {speed.max()}")
    else:
        check("channels.passes", u.mean() > 0.3, f"{u.mean()} m/s")
        across = np.abs(3*v - u)/np.sqrt(10)
        check("channels.followsTheAxis",
              across.mean() < 0.01 and across.max() < 0.05,
              f"{across.mean()} m/s across, up to {across.max()}")
    flux = U[..., 0].mean(axis=0)
    check(f"{name}.passesOn", np.abs(flux - 1).max() < 0.01,
          f"mean u from {flux.min()} to {flux.max()} m/s")

# Screens of a single layer of cells, half as thick as the lattice is wide: wherever
# they are
SCREENS = HEADER.format("dictionary", "topoSetDict") + """
actions
(
    { name s; type cellSet; action new; source boxToCell; box (@ -1 -1) (# 1 1); }
    { name plug; type cellZoneSet; action new; source setToCellZone; set s; }
);
"""
for column in 20, 21, 22, 23:
    case = channel(f"screen{column}", Uin=IN, LBM="latticeSpacing 0.0125;")
    path = case / "0/U"
    path.write_text(path.read_text().replace("type noSlip;", "type slip;"))
    (case / "system/topoSetDict").write_text(
        SCREENS.replace("@", str((column + 0.1)/160)).replace(
            "#", str((column + 0.9)/160)))
    mustRun("topoSet", case)
    (case / "constant/porosityProperties").write_text(
        HEADER.format("dictionary", "porosityProperties")
        + porous(coeffs="d (32000 32000 32000); f (0 0 0);"))
    mustRun("lbmGpuFoam", case)
    drop = pressureDrop(case)
    check(f"screen.{column}", abs(drop/2 - 1) < 0.02, f"{drop} m2/s2, not 2")

# An inactive zone has no resistance
case = blown("inactiveZone", porosity=porous().replace(
    "zone {", "zone { active no;"))
output = mustRun("lbmGpuFoam", case)
check("inactiveZone", abs(pressureDrop(case)) < 0.02
      and "force in cells" not in output, f"{pressureDrop(case)} m2/s2")

# A drag between cyclic ends: du/dt = s (a - c u), s the share of the cells

for name, options, share, time in (
    ("implicit", semiImplicit("2 0 0", -4), 1, "0.25"),
    ("implicit", semiImplicit("2 0 0", -4), 1, "2"),
    ("implicitZone", semiImplicit("2 0 0", -4, IN_PLUG), 0.5, "0.5"),
    ("implicitZone", semiImplicit("2 0 0", -4, IN_PLUG), 0.5, "3"),
    ("absolute", semiImplicit("4e-4 0 0", -8e-4, IN_PLUG, "absolute"), 0.5,
     "0.5"),
):
    case = prepare(name, options, endTime=time, writeInterval=int(
        float(time)*100 + 0.5))
    mustRun("lbmGpuFoam", case)
    u = velocity(case)[:, 0]
    exact = 0.5*(1 - np.exp(-4*share*float(time)))
    check(f"{name}.velocityAt{time}", abs(u.mean()/exact - 1) < 0.01
          and np.ptp(u) < 0.02*exact,
          f"u from {u.min()} to {u.max()} m/s, not {exact}")

# A mean velocity held by a force in a part of the cells: Poiseuille flow on the
# whole, whose friction the force balances
HELD = ("mean { type meanVelocityForce; selectionMode cellZone; cellZone plug;"
        " fields (U); Ubar (0.3 0 0); }")
held = {"wall": "type noSlip;", "writeInterval": 150}
case = prepare("held", HELD, endTime=3, **held)
output = mustRun("lbmGpuFoam", case)
u = velocity(case)[:, 0].reshape(16, 64)
check("held.mean", abs(u[:, 16:48].mean()/0.3 - 1) < 1e-3,
      f"{u[:, 16:48].mean()} m/s")
gradient = float(re.findall(r"pressure gradient = (\S+)", output)[-1])
exact = 12*0.01*0.3/0.1**2/0.5
check("held.gradient", abs(gradient/exact - 1) < 0.03,
      f"{gradient} m/s2, not {exact}")
check("held.summary", re.search(
    rf"mean of fvOptions: meanVelocityForce, {PLUG} cells", output),
    output[-2500:])
split = prepare("heldSplit", HELD, endTime=1.5, **held)
mustRun("lbmGpuFoam", split)
setEntry(split / "system/controlDict", "endTime", 3)
output = mustRun("lbmGpuFoam", split)
off = np.abs(velocity(split) - velocity(case)).max()
check("held.restart", "Restarting from the populations" in output
      and off < 1e-6, f"U differs by {off} m/s")

# In a part of the cells without implicit part: a mean acceleration
case = prepare("explicitZone", semiImplicit("2 0 0", 0, IN_PLUG))
mustRun("lbmGpuFoam", case)
u = velocity(case)[:, 0]
check("explicitZone", abs(u.mean()/0.5 - 1) < 0.01, f"{u.mean()} m/s, not 0.5")

# Above zero it accelerates: du/dt = 1 + u, with u of the begin of a deltaT
case = prepare("growth", semiImplicit("1 0 0", 1), endTime=1,
               writeInterval=100)
mustRun("lbmGpuFoam", case)
u = velocity(case)[:, 0]
exact = 1.01**100 - 1
check("growth", abs(u.mean()/exact - 1) < 0.01, f"{u.mean()} m/s, not {exact}")

# Two entries, one of which the lattice has itself: 1 + 1 - 4 u
case = prepare("two", semiImplicit("1 0 0", 0).replace("source", "first")
               + semiImplicit("1 0 0", -4), endTime=2, writeInterval=200)
output = mustRun("lbmGpuFoam", case)
u = velocity(case)[:, 0]
check("two", abs(u.mean()/0.5 - 1) < 0.01, f"{u.mean()} m/s, not 0.5")
check("two.summary", re.search(r"acceleration +\(1 0 0\) m/s2, first", output)
      and re.search(r"force in cells +source of fvOptions:", output),
      output[-2500:])

# Time limits: it acts at the end of the steps of [0.2, 0.3]
case = prepare("timed", semiImplicit(
    "2 0 0", -4, more="timeStart 0.1999; duration 0.1002;"), writeInterval=1)
mustRun("lbmGpuFoam", case)
moving = [float(t) for t in times(case)
          if float(t) > 0 and np.any(velocity(case, t))]
check("timeStart", moving and abs(moving[0] - 0.2) < 1e-9, moving[:3])
u = {t: velocity(case, t)[:, 0].mean() for t in ("0.3", "0.31", "0.5")}
check("duration", abs(u["0.31"] - u["0.3"]) < 1e-3
      and abs(u["0.5"] - u["0.31"]) < 1e-3 and u["0.3"] > 0.1,
      f"mean velocities {u} m/s")

# The table is the acceleration of the frame of reference
case = prepare("table", "frame { type tabulatedAccelerationSource;"
               ' timeDataFileName "constant/acceleration.dat"; }')
(case / "constant/acceleration.dat").write_text(
    "((0 ((-2 0 0) (0 0 0) (0 0 0))) (9 ((-2 0 0) (0 0 0) (0 0 0))))\n")
mustRun("lbmGpuFoam", case)
u = velocity(case)[:, 0]
check("table", abs(u.mean() - 1) < 0.01, f"{u.mean()} m/s, not 1")

# Code of a case, in cells of its choice
CODED = ("coded { type vectorCodedSource; name coded; selectionMode all;"
         " fields (U); codeInclude #{ #}; codeCorrect #{ #};"
         " codeConstrain #{ %s #}; codeAddSup #{ %s #}; }")
notCompiled = whyNotCompiled()
if notCompiled:
    skipped("coded", notCompiled)
else:
    case = prepare("coded", CODED % ("", """
        const scalarField& V = mesh_.V();
        const vectorField& C = mesh_.C();
        forAll(V, celli)
        {
            if (C[celli].x() > 0.1 && C[celli].x() < 0.3)
            {
                eqn.source()[celli] -= V[celli]*vector(2, 0, 0);
                eqn.diag()[celli] -= V[celli]*4;
            }
        }
    """))
    status, output = runCoded("lbmGpuFoam", case)
    if check("coded.runs", status == 0, output[-2500:]):
        u, exact = velocity(case)[:, 0], 0.5*(1 - np.exp(-1))
        check("coded.velocity", abs(u.mean()/exact - 1) < 0.01,
              f"{u.mean()} m/s, not {exact}")

# An actuation disk, beside pimpleFoam

DISK = ("disk { type actuationDiskSource; fields (U); selectionMode cellZone;"
        " cellZone disk; diskDir (1 0 0); Cp 0.386; Ct 0.58;"
        " diskArea 5e-4; upstreamPoint (0.03 0.05 0.005); }")
fine = {"deltaT": 0.002, "writeInterval": 1000}
disk = blown("disk", DISK, nu=0.001, **fine)
output = mustRun("lbmGpuFoam", disk)
check("disk.summary", re.search(
    r"disk of fvOptions: actuationDiskSource, 16 cells", output),
    output[-2500:])
reference = blown("diskReference", DISK, nu=0.001, **fine)
setEntry(reference / "constant/transportProperties", "transportModel",
         "Newtonian")
(reference / "constant/turbulenceProperties").write_text(
    HEADER.format("dictionary", "turbulenceProperties")
    + "simulationType laminar;\n")
schemes = reference / "system/fvSchemes"
schemes.write_text(schemes.read_text().replace(
    "divSchemes\n{", "divSchemes\n{\n    div((nuEff*dev2(T(grad(U))))) "
    "Gauss linear;"))
mustRun("pisoFoam", reference)
U, wanted = (velocity(c)[:, :2] for c in (disk, reference))
error = np.linalg.norm(U - wanted)/np.linalg.norm(wanted - [1, 0])
check("disk.U", error < 0.15,
      f"U differs by {error} (L2) of the disturbance")
drop, wanted = pressureDrop(disk), pressureDrop(reference)
check("disk.pressureDrop", abs(drop/wanted - 1) < 0.05,
      f"{drop} m2/s2, pisoFoam {wanted}")

# Options of other fields have no effect on the flow

K = ("kSource { type scalarSemiImplicitSource; selectionMode all;"
     " volumeMode specific; injectionRateSuSp { k (1 0); } }")
plain = prepare("plain", LBM="bodyForce (2 0 0);", wall="type noSlip;")
mustRun("lbmGpuFoam", plain)
case = prepare("scalarSource", K, LBM="bodyForce (2 0 0);",
               wall="type noSlip;")
output = mustRun("lbmGpuFoam", case)
check("scalarSource", populations(case, "0.5") == populations(plain, "0.5")
      and "force in cells" not in output, "populations differ")

# Turbulence models read their own: k is fixed

tutorials = Path(os.environ["FOAM_TUTORIALS"])
case = copyCase(tutorials / "incompressible/pisoFoam/RAS/cavity", "fixedK")
(case / "constant/fvOptions").write_text(
    HEADER.format("dictionary", "fvOptions")
    + "kFixed { type scalarFixedValueConstraint; selectionMode all;"
    " fieldValues { k 0.5; } }\n" + semiImplicit("0 0 0", -4))
for entry, value in {"endTime": 0.1, "writeInterval": 20}.items():
    setEntry(case / "system/controlDict", entry, value)
mustRun("blockMesh", case)
output = mustRun("lbmGpuFoam", case)
k = readField(str(case / "0.1/k")).internal
check("fixedK", np.abs(k - 0.5).max() < 1e-5,
      f"k from {k.min()} to {k.max()}")
check("fixedK.noWarning", "never used" not in output, "never used")

# Restart

for name, options, porosity in (
    ("restartConstant", semiImplicit("2 0 0", -4, IN_PLUG), ""),
    ("restartPorous", semiImplicit("2 0 0", 0), porous()),
):
    whole = prepare(name, options, porosity, endTime=0.4, writeInterval=20)
    split = prepare(name + "Split", options, porosity, endTime=0.2,
                    writeInterval=20)
    for case in (whole, split):
        setEntry(case / "system/controlDict", "writeFormat", "binary")
        mustRun("lbmGpuFoam", case)
    setEntry(split / "system/controlDict", "endTime", 0.4)
    output = mustRun("lbmGpuFoam", split)
    check(f"{name}SaysSo", "Restarting from the populations" in output,
          output[-1500:])
    if name == "restartConstant":
        check(f"{name}SameBits",
              populations(split, "0.4") == populations(whole, "0.4"),
              "populations differ")
    U, wanted = velocity(split, "0.4"), velocity(whole, "0.4")
    check(f"{name}SameU", np.allclose(U, wanted, rtol=1e-5, atol=1e-7),
          f"U differs by {np.abs(U - wanted).max()} m/s")

# What is refused

DAMPING = "selectionMode cellZone; cellZone plug; UMax 2;"

for name, options, porosity, wanted in (
    ("slowMeanVelocity",
     "mean { type meanVelocityForce; selectionMode cellZone; cellZone plug;"
     " fields (U); Ubar (0 0 0); }", "",
     ["mean has Ubar", "possible: a velocity other than zero"]),
    ("meanVelocityOfNothing",
     "mean { type meanVelocityForce; selectionMode points; points ((9 9 9));"
     " fields (U); Ubar (1 0 0); }", "",
     ["mean has no cells", "possible: a points with cells"]),
    ("patchMeanVelocity",
     "mean { type patchMeanVelocityForce; selectionMode all; fields (U);"
     " Ubar (1 0 0); patch inlet; }", "",
     ["mean", "patchMeanVelocityForce", "possible : meanVelocityForce"]),
    ("fixedValue",
     "fix { type vectorFixedValueConstraint; selectionMode all;"
     " fieldValues { U (0 0 0); } }", "",
     ["fix", "vectorFixedValueConstraint", "constrains", "possible : a drag"]),
    ("damping", f"damp {{ type velocityDampingConstraint; {DAMPING} }}", "",
     ["damp", "velocityDampingConstraint", "constrains", "possible : a drag"]),
    ("melting", "melt { type solidificationMeltingSource; selectionMode all;"
     " Tsol 300; Tliq 300; L 1; thermoMode lookup; rhoRef 1; beta 0;"
     " CpRef 1; }", "",
     ["melt", "solidificationMeltingSource", "couples", "possible"]),
    ("limit", "limit { type limitVelocity; selectionMode all; max 2; }", "",
     ["limit", "limitVelocity", "limits U", "possible"]),
    ("codedConstraint", CODED.replace("coded", "constraint") % (
        "eqn.diag() *= 2;", ""), "",
     ["constraint", "vectorCodedSource", "constrains the equation",
      "possible"]),
    ("neighbours", CODED.replace("coded", "viscous") % (
        "", "eqn.upper() = 1;"), "",
     ["viscous", "vectorCodedSource", "coefficients between cells",
      "possible"]),
    ("unknownType", "other { type noSuchSource; }", "",
     ["noSuchSource", "actuationDiskSource"]),
    ("noZone", option(porous()).replace("cellZone plug", "cellZone none"), "",
     ["none", "plug"]),
    ("noPorousZone", "", porous().replace("cellZone plug", "cellZone none"),
     ["none"]),
):
    coded = "vectorCodedSource" in options
    if coded and notCompiled:
        skipped(f"{name}IsRefused", notCompiled)
        continue

    case = prepare("refused-" + name, options, porosity)
    status, output = (runCoded if coded else run)("lbmGpuFoam", case)
    text = re.sub(r"\s+", " ", output)
    missing = [w for w in ["FOAM FATAL", *wanted]
               if not re.search(w, text)]
    check(f"{name}IsRefused", status != 0 and not missing
          and "Time = 0" not in text.split("Starting time loop")[-1],
          f"status {status}, without {missing}\n" + output[-1200:])

finish()
