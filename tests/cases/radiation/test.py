"""Radiation of OpenFOAM in buoyant flow, on the host: P1 in a gap between two walls
against the exact solution of its equations, fvDOM in a heated cavity, surfaces that see
each other and have a given heat flux; all of them against OpenFOAM's own solvers on the
same mesh. Restart, several processes, heat flux at walls, and what keeps T off the
lattice.
"""

import re
import shutil
from pathlib import Path

from caseTest import *
from heatCase import heatFluxes, np, read, readField
from parallelCase import decompose, environment

PIMPLE, SIMPLE = "buoyantBoussinesqPimpleFoam", "buoyantBoussinesqSimpleFoam"

#: Constant of Stefan and Boltzmann [W/m2/K4]
SIGMA = 5.670367e-8

#: Of the case: diffusivity [m2/s], rho Cp [J/m3/K], temperatures [K], absorption
#: coefficient [1/m], emissivities of the hot and the cold wall
ALPHA, RHO_CP = 0.01, 2000
HOT, COLD, ABSORPTION, EMISSIVITIES = 800, 400, 2, (0.9, 0.6)

#: Largest difference that linear solvers leave, of the range: detects change. Where
#: nothing moves the equations on the mesh are those of OpenFOAM's solver
SAME = 1e-9


def prepare(name, steps=(4, 0.5, 8), **settings):
    """The box. steps: endTime, deltaT, writeInterval; settings override those of its
    file
    """
    case = copyCase("box", name)
    shutil.copy("box/settings", case)
    with (case / "settings").open("a") as file:
        for key, value in settings.items():
            end = "" if str(value).endswith("}") else ";"
            file.write(f"{key} {value}{end}\n")
    for key, value in zip(("endTime", "deltaT", "writeInterval"), steps):
        setEntry(case / "system/controlDict", key, value)
    mustRun("blockMesh", case)
    return case


def append(case, file, text):
    with (case / file).open("a") as f:
        f.write(text)


def copied(case, name):
    shutil.rmtree(name, ignore_errors=True)
    return shutil.copytree(case, Path(name))


def solved(case, solver="lbmGpuFoam"):
    """A copy of the case with results, and the output"""
    copy = copied(case, f"{case.name}-{solver}")
    return copy, mustRun(solver, copy)


def both(case, solver=PIMPLE):
    """As solved, with lbmGpuFoam and OpenFOAM's solver"""
    return *solved(case), *solved(case, solver)


def onMesh(output, model):
    """Whether the summary says that T is there because of this radiation"""
    return bool(re.search(f"K, on the mesh: .*radiation {model}\\n", output))


def wall(case, name, patch):
    return np.ravel(
        readField(str(case / times(case)[-1] / name)).boundary[patch].values)


def apart(a, b, name, patches=("bottom", "top")):
    """Largest difference in cells and on patches, of the range; qr has no cells"""
    pairs = [(wall(a, name, patch), wall(b, name, patch)) for patch in patches]
    if name != "qr":
        pairs.append((read(a, name), read(b, name)))
    return max(np.abs(x - y).max() for x, y in pairs) \
        / (max(y.max() for _, y in pairs) - min(y.min() for _, y in pairs))


def same(label, a, b, names=("T", "G", "qr"), **options):
    for name in names:
        error = apart(a, b, name, **options)
        print(f"{label}: {name} {error:.1e} of its range apart")
        check(f"{label}.{name}", error < SAME, f"{error:.3g} of its range apart")


def heat(case):
    """{patch: [min, max, integral]} of latticeHeatFlux, at the last time"""
    return heatFluxes(case, "watts", times(case / "postProcessing/watts")[-1])


def exactGap(n=40):
    """Steady conduction and P1 with Marshak's conditions between the walls of the
    box: T and G of the height, the total flux upwards, and the radiative ones at the
    hot and the cold wall. Collocation at Chebyshev points and Newton's method: exact
    to ten digits
    """
    k, a, gamma = RHO_CP*ALPHA, ABSORPTION, 1/(3*ABSORPTION)
    x = np.cos(np.pi*np.arange(n + 1)/n)
    c = np.where(np.arange(n + 1) % n == 0, 2, 1)*(-1)**np.arange(n + 1)
    D = np.outer(c, 1/c)/(x[:, None] - x + np.eye(n + 1))
    D = 2*(D - np.diag(D.sum(1)))
    D2 = D @ D
    y = (x + 1)/2
    I, O = np.eye(n + 1), np.zeros((n + 1, n + 1))
    T = HOT + (COLD - HOT)*y
    G = 4*SIGMA*T**4

    for _ in range(20):
        source = a*(G - 4*SIGMA*T**4)
        slope = np.diag(16*a*SIGMA*T**3)
        residual = np.concatenate((k*D2 @ T + source, gamma*D2 @ G - source))
        matrix = np.block([[k*D2 - slope, a*I], [slope, gamma*D2 - a*I]])
        # The first point lies at the top
        for point, outwards, Tw, e in ((n, -1, HOT, EMISSIVITIES[0]),
                                       (0, 1, COLD, EMISSIVITIES[1])):
            residual[point] = T[point] - Tw
            matrix[point] = np.concatenate((I[point], O[point]))
            flux, transfer = outwards*gamma*D[point], e/(2*(2 - e))
            residual[n + 1 + point] = flux @ G \
                - transfer*(4*SIGMA*Tw**4 - G[point])
            matrix[n + 1 + point] = np.concatenate(
                (O[point], flux + transfer*I[point]))
        step = np.linalg.solve(matrix, residual)
        T, G = T - step[:n + 1], G - step[n + 1:]

    radiated = -gamma*D @ G
    total = radiated - k*D @ T
    assert np.ptp(total) < 1e-6*total[0] and np.abs(step[:n + 1]).max() < 1e-8
    return *(np.polynomial.Chebyshev.fit(y, values, n, domain=[0, 1])
             for values in (T, G)), total[0], radiated[-1], radiated[0]


if not (shutil.which(PIMPLE) and shutil.which(SIMPLE)):
    skipped("radiation", f"no {PIMPLE} or {SIMPLE}")
    finish()


# P1 in a gap without gravity, on its way to the steady state

case = prepare("gap")
whole, output, own, _ = both(case)
check("autoNamesRadiation", onMesh(output, "P1")
      and re.search(r"radiation +P1\n", output) and "Solving for G" in output,
      output[:6000])
same("transientP1", whole, own)

# Goes on to the tolerance of the linear solvers; T has changed by then
half = copied(case, "half")
for entry, value in {"endTime": 2, "writeInterval": 4,
                     "writeFormat": "binary"}.items():
    setEntry(half / "system/controlDict", entry, value)
mustRun("lbmGpuFoam", half)
change = apart(whole, half, "T")
setEntry(half / "system/controlDict", "endTime", 4)
output = mustRun("lbmGpuFoam", half)
check("restarts", "Restarting from the populations of time 2" in output
      and change > 0.01, f"T has changed by {change:.3g}\n{output[:6000]}")
same("restartGoesOn", half, whole)
check("restartGoesOn.heat", np.allclose(
    [heat(half)[patch] for patch in ("bottom", "top")],
    [heat(whole)[patch] for patch in ("bottom", "top")], rtol=1e-9),
    f"{heat(half)} in place of {heat(whole)}")

parts = copied(case, "gap-parallel")
decompose(parts, 2, "1 2 1")
mustRun("mpirun -np 2 lbmGpuFoam -parallel", parts, environment=environment)
mustRun("reconstructPar", parts)
same("parallelP1", parts, whole)
check("parallelP1.heat", np.allclose(
    [heat(parts)[patch] for patch in ("bottom", "top")],
    [heat(whole)[patch] for patch in ("bottom", "top")], rtol=1e-9),
    f"{heat(parts)} in place of {heat(whole)}")


# The steady state, of second order. The limits, just above the errors that were
# measured, prove accuracy

exactT, exactG, total, radiatedHot, radiatedCold = exactGap()
print(f"gap: {total:.1f} W/m2, of them {radiatedHot:.1f} radiated by the hot and"
      f" {radiatedCold:.1f} to the cold wall; T up to",
      f"{np.abs(exactT(np.linspace(0, 1)) - np.linspace(HOT, COLD)).max():.1f} K off"
      " a straight line")
errors = {}
limits = {16: (2e-3, 2e-3, 0.01, 5e-3, 2.5e-3),
          32: (6e-4, 5e-4, 2.5e-3, 1.3e-3, 6e-4)}
for n in limits:
    case = prepare(f"steadyGap{n}", (200, 1, 200), nY=n, timeScheme="steadyState")
    if n == 16:
        steady, output, own, ownOutput = both(case, SIMPLE)
        found = steady
    else:
        found, _ = solved(case)
    y = (np.arange(n) + 0.5)/n
    errors[n] = (
        *(np.abs(read(found, name).reshape(n, -1) - exact(y)[:, None]).max()
          / np.ptp(exact(y)) for name, exact in (("T", exactT), ("G", exactG))),
        *(np.abs(wall(found, "qr", patch)/exact - 1).max() for patch, exact in
          (("bottom", -radiatedHot), ("top", radiatedCold))),
        max(abs(heat(found)[patch][i]/(sign*total) - 1) for i in (0, 1)
            for patch, sign in (("bottom", 1), ("top", -1))))
for i, name in enumerate(("T", "G", "qrHot", "qrCold", "heat")):
    order = np.log2(errors[16][i]/errors[32][i])
    print(f"steady gap, {name}:", ", ".join(
        f"{100*errors[n][i]:.3g} % off with {n} cells" for n in errors),
        f"order {order:.2f}")
    check(f"exactP1.{name}", order > 1.6
          and all(errors[n][i] < limits[n][i] for n in errors),
          f"{[errors[n][i] for n in errors]}, order {order:.2f}")

# Against OpenFOAM's solver, with residualControl of T and G
same("steadyP1", steady, own)
iterations = [re.findall(r"converged in (\d+) iterations", text)
              for text in (output, ownOutput)]
check("sameIterations", iterations[0] and iterations[0] == iterations[1],
      f"{iterations}")

# What latticeHeatFlux says of walls, from the fields of OpenFOAM's solver
rows = read(own, "T").reshape(16, -1)
for patch, T, inner in ("bottom", HOT, rows[0]), ("top", COLD, rows[-1]):
    q = RHO_CP*ALPHA*(T - inner)/(0.5/16) - wall(own, "qr", patch)
    wanted = [q.min(), q.max(), q.mean()*0.025]
    check(f"heatFluxCountsQr.{patch}", np.allclose(
        heat(steady)[patch], wanted, rtol=1e-8),
        f"{heat(steady)[patch]} in place of {wanted}")


# fvDOM, rays in a cavity with weak buoyancy that is heated at its side

CAVITY = {
    "lengthX": 1, "gravity": "(0 -1 0)", "beta": 0.004, "referenceVelocity": 0.3,
    "rhoRef": 0.5, "absorption": 1, "T0": 350,
    "TLeft": "{ $hot; value uniform 400; }",
    "TRight": "{ $hot; value uniform 300; }",
    "TBottom": "{ $insulated; }", "TTop": "{ $insulated; }"}
SIDES = ("left", "right", "bottom", "top")


def coarse(values):
    """Means of 2 x 2 cells of a square"""
    n = int(len(values)**0.5)//2
    return values.reshape(n, 2, n, 2, -1).mean((1, 3)).reshape(
        n*n, *values.shape[1:])


def differences(case, T, G, U):
    """Largest ones of T and G, of their range, and the root mean square one of U, of
    its largest
    """
    return (
        *(np.abs(read(case, name) - values).max()/np.ptp(values)
          for name, values in (("T", T), ("G", G))),
        np.sqrt(np.mean(np.sum((read(case, "U") - U)**2, 1))/np.max(
            np.sum(U**2, 1))))


case = prepare("cavity", (2, 0.04, 50), nX=20, nY=20, radiationModel="fvDOM",
               **CAVITY)
found, output, own, _ = both(case)
fine, _ = solved(prepare("fineCavity", (2, 0.04, 50), nX=40, nY=40,
                         radiationModel="fvDOM", **CAVITY), PIMPLE)
check("autoNamesFvDOM", onMesh(output, "fvDOM"), output[:6000])

# On the same cells the limits detect change; without radiation T is 7 % off. Those of
# U on cells half as large prove accuracy: there U of OpenFOAM's solver is 2.8 % off
for name, fields, most in (
    ("sameCells", [read(own, x) for x in "TGU"], (3e-3, 2e-3, 0.035)),
    ("finerCells", [coarse(read(fine, x)) for x in "TGU"], (4e-3, 0.013, 8e-3)),
):
    for field, error, limit in zip("TGU", differences(found, *fields), most):
        print(f"cavity, {name}: {field} {100*error:.2g} % apart")
        check(f"fvDOM.{name}.{field}", error < limit, f"{error:.3g} apart")
error = apart(found, own, "qr", SIDES)
print(f"cavity: qr {100*error:.2g} % apart; U of {PIMPLE}"
      f" {100*differences(own, *fields)[2]:.2g} % off that on finer cells")
check("fvDOM.qr", error < 3e-3, f"{error:.3g} apart")


# Walls that see each other. Those of a given heat flux conduct it with what they
# absorb: latticeHeatFlux finds what is given

GIVEN = {"bottom": 500, "top": -200}
case = prepare(
    "enclosure", (300, 1, 300), nX=10, nY=10, lengthX=1, timeScheme="steadyState",
    T0=500, radiationModel="viewFactor", TLeft="{ $hot; }", TRight="{ $cold; }", **{
        f"T{patch.capitalize()}":
        "{ type externalWallHeatFluxTemperature; mode flux;"
        f" q uniform {q}; kappaMethod lookup; kappa kappa; qr qr;"
        " value uniform 500; }" for patch, q in GIVEN.items()})
shutil.copytree("surfaces", case, dirs_exist_ok=True)
append(case, "system/controlDict", """
libs (compressibleTurbulenceModels);

functions
{
    kappa
    {
        type readFields;
        libs (fieldFunctionObjects);
        fields (kappa);
    }
}
""")
mustRun("faceAgglomerate -dict constant/viewFactorsDict", case)
mustRun("viewFactorsGen", case)
found, output, own, _ = both(case, SIMPLE)
check("autoNamesViewFactor", onMesh(output, "viewFactor"), output[:6000])
same("viewFactor", found, own, ("T", "qr"), patches=SIDES)
for patch, q in GIVEN.items():
    share = np.abs(wall(found, "qr", patch)).max()/abs(q)
    check(f"givenHeatFlux.{patch}", share > 1 and np.allclose(
        heat(found)[patch], [q, q, q*0.1], rtol=1e-6),
        f"{heat(found)[patch]} in place of {q} W/m2, qr {share:.3g} of it")


# A solid neither absorbs nor emits within: the straight line of conduction

found, output = solved(prepare("solid", (200, 1, 200), timeScheme="steadyState",
                               radiationModel="opaqueSolid"))
error = np.abs(read(found, "T").reshape(16, -1) - (
    HOT + (COLD - HOT)*(np.arange(16) + 0.5)/16)[:, None]).max()/(HOT - COLD)
print(f"opaque solid: T {error:.1e} of its range off")
check("opaqueSolid", onMesh(output, "opaqueSolid") and error < SAME,
      f"T {error:.3g} of its range off")


# What keeps T off the lattice, and what does not

def refused(name, file, *words, text="", **settings):
    case = prepare(name, **settings)
    append(case, "constant/transportProperties", text)
    status, output = run("lbmGpuFoam", case)
    check(name, status == 1 and all(word in output for word in (
        file, *words, "possible")), f"status {status}\n{output[-1500:]}")


refused("refusesHeatOnDevice", "system/fvSolution.LBM", "heat device",
        "radiation P1", "heat host or auto", heat="device")
refused("refusesCpRef", "transportProperties", "CpRef = 0", CpRef=0)
refused("needsRhoRef", "transportProperties", "no rhoRef",
        text="#remove rhoRef\n")

INACTIVE = HEADER.format("dictionary", "fvOptions") + """
heater
{
    type scalarSemiImplicitSource;
    active no;
    selectionMode all;
    volumeMode specific;
    injectionRateSuSp { T (1000 0); }
}
"""
conduction = []
for name, settings in (
    ("radiationOff", {"radiation": "off"}),
    ("inactiveSource", {"radiationModel": "none"}),
):
    case = prepare(name, heat="device", **settings)
    if name == "inactiveSource":
        (case / "constant/fvOptions").write_text(INACTIVE)
    status, output = run("lbmGpuFoam", case)
    if check(f"heatOnDevice.{name}", status == 0
             and "K, on the lattice" in output, f"status {status}\n{output[-1500:]}"):
        conduction.append(case)
if len(conduction) == 2:
    error = apart(*conduction, "T")
    check("inactiveSourceAddsNothing", error < SAME, f"T {error:.3g} apart")

# A transient case may give solvers of the last corrector alone
case = prepare("finalSolver", (1, 0.5, 2))
file = case / "system/fvSolution"
file.write_text(file.read_text().replace('"G.*"', "GFinal"))
status, output = run("lbmGpuFoam", case)
check("takesFinalSolver", status == 0, output[-1500:])

finish()
