"""Laminar flow in a round pipe, T on the lattice, walls cut by an overlay: Nusselt
number of thermally developed flow, of a wall of constant temperature and of one of
constant heat flux, against the exact values.

The fluid enters with the profile of Poiseuille and a uniform T. All is taken from
what the solver writes, T and U of cells, and corrected for nothing: the bulk
temperature is the mean of T weighted by U, over the cells of a cross-section. The
heat flux is the one given, or comes from the rise of the bulk temperature, or from
latticeHeatFlux.
"""

import shutil
import sys
import time
from pathlib import Path

from caseTest import *

sys.path.insert(0, str(top / "bin"))

import numpy as np
from foamFields import readField, writeField

# Diameter [m], Reynolds and Prandtl number; the mean velocity is 1 m/s. The sections
# of the station lie where the Nusselt number of a constant heat flux, which develops
# later, is within 0.1 % of its last value
D, Re, Pr = 1, 20, 1
nu, alpha = D/Re, D/(Re*Pr)
LENGTH, STATION = 3.5, (2.4, 2.9)

# Of the wall, or of the inlet where the wall has a flux; of the inlet else [K];
# gradient at the wall [K/m]
TRef, TInlet, GRADIENT = 300, 301, 5

#: The accuracy that is asked for, not a detector of change
TARGET = 0.01


def graetz(Pe):
    """Developed Nusselt number of a wall of constant temperature, conduction along
    the pipe included, and the rate at which T falls along it.

    T - Tw is f(r) exp(-b x), (r f')'/r + (b^2 + Pe b u) f = 0, u = 2 (1 - s^2), s
    the radius over that of the wall: a series in s^2.
    """
    def series(b):
        c = [1.0]
        for k in range(1, 120):
            before = c[k - 2] if k > 1 else 0
            c.append((2*Pe*b*before - (b*b + 2*Pe*b)*c[-1])/(16*k*k))
        return np.array(c)

    low = high = 0
    while series(high).sum() > 0:
        low, high = high, high + 1/Pe
    for _ in range(60):
        b = (low + high)/2
        low, high = (b, high) if series(b).sum() > 0 else (low, b)
    c = series(b)
    k = np.arange(len(c))
    return -4*np.sum(k*c)/np.sum(2*c/((k + 1)*(k + 2))), b


def pipeMesh(n):
    """blockMeshDict of a square and four blocks around it, cells about D/n wide."""
    around, across = round(np.pi*n/4), round(0.29*n)
    s = np.sqrt(0.5)
    corners = [(-s, -s), (s, -s), (s, s), (-s, s)]
    middles = [(0, -1), (1, 0), (0, 1), (-1, 0)]
    vertices = [(r*x, r*y, z) for z in (0, LENGTH) for r in (D/4, D/2)
                for x, y in corners]
    edges = [f"arc {a + j} {a + (j + 1) % 4} ({r*x:.12g} {r*y:.12g} {z})"
             for j, (x, y) in enumerate(middles)
             for a, r, z in ((0, 0.87*D/4, 0), (4, D/2, 0),
                             (8, 0.87*D/4, LENGTH), (12, D/2, LENGTH))]
    ring = [(j, 4 + j, 4 + (j + 1) % 4, (j + 1) % 4) for j in range(4)]
    square = (0, 1, 2, 3)

    def text(faces, shift=0):
        return " ".join(
            f"({' '.join(str(v + shift) for v in face)})" for face in faces)

    def block(face, cells):
        corners = " ".join(str(v) for v in (*face, *(v + 8 for v in face)))
        return f"hex ({corners}) ({cells} {round(LENGTH*n)}) simpleGrading (1 1 1)"

    blocks = [block(face, f"{across} {around}") for face in ring]
    blocks.append(block(square, f"{around} {around}"))
    wall = [(4 + j, 4 + (j + 1) % 4, 12 + (j + 1) % 4, 12 + j)
            for j in range(4)]
    return f"""
scale 1;
vertices ({' '.join('(%.12g %.12g %g)' % p for p in vertices)});
edges ({' '.join(edges)});
blocks ({' '.join(blocks)});
boundary
(
    wall {{ type wall; faces ({text(wall)}); }}
    inlet {{ type patch; faces ({text(ring + [square])}); }}
    outlet {{ type patch; faces ({text(ring + [square], 8)}); }}
);
"""


def dictionary(path, text, kind="dictionary"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEADER.format(kind, path.name) + text)


def poiseuille(centres):
    U = np.zeros((len(centres), 3))
    U[:, 2] = 2*(1 - 4*(centres[:, :2]**2).sum(1)/D**2)
    return U


def pipe(name, n, wall, T, inlet, end):
    """n: nodes across, and cells. wall: condition of T; T: at the start, of radius
    over that of the wall and x; inlet: its T; end: time [s]. Returns centres and
    volumes of cells and the centres of the faces of the wall, too.
    """
    case = Path(name)
    shutil.rmtree(case, ignore_errors=True)
    dictionary(case / "system/blockMeshDict", pipeMesh(n))
    dictionary(case / "constant/g",
               "dimensions [0 1 -2 0 0 0 0]; value (0 0 0);\n",
               "uniformDimensionedVectorField")
    dictionary(case / "constant/transportProperties",
               f"transportModel Newtonian;\nnu {nu};\nbeta 0;\n"
               f"TRef {TRef};\nPr {Pr};\nPrt 0.85;\n")
    dictionary(case / "constant/turbulenceProperties",
               "simulationType laminar;\n")
    dictionary(case / "system/fvSchemes", """
ddtSchemes { default Euler; }
gradSchemes { default Gauss linear; }
divSchemes { default Gauss linear; }
laplacianSchemes { default Gauss linear corrected; }
interpolationSchemes { default linear; }
snGradSchemes { default corrected; }
""")
    dictionary(case / "system/fvSolution", f"""
solvers {{ }}
PIMPLE {{ }}
LBM {{ heat device; latticeSpacing {D/n:.15g}; }}
""")
    dictionary(case / "system/controlDict", f"endTime {end};" + """
application lbmGpuFoam;
startFrom startTime;
startTime 0;
deltaT 0.05;
writeControl timeStep;
writeInterval 20;
writePrecision 12;
functions
{
    heatFlux
    {
        type latticeHeatFlux; libs (latticeHeatFlux);
        executeControl writeTime; writeControl writeTime;
    }
}
""")
    mustRun("blockMesh", case)
    (case / "0").mkdir()
    mustRun(["postProcess", "-funcs", "(writeCellCentres writeCellVolumes)"],
            case)
    C, V = (readField(str(case / "0" / field)) for field in ("C", "V"))
    shutil.rmtree(case / "0")

    profile = " ".join(
        "(%.12g %.12g %.12g)" % tuple(U)
        for U in poiseuille(C.boundary["inlet"].values))
    flux = "type fixedFluxPressure; rho rhok; value uniform 0;"
    radius = 2*np.linalg.norm(C.internal[:, :2], axis=1)/D
    for field, kind, dimensions, internal, conditions in (
        ("U", "vector", "[0 1 -1 0 0 0 0]", poiseuille(C.internal), (
            "type noSlip;",
            f"type fixedValue; value nonuniform List<vector> ({profile});",
            "type zeroGradient;")),
        ("p_rgh", "scalar", "[0 2 -2 0 0 0 0]", 0, (
            flux, flux, "type fixedValue; value uniform 0;")),
        ("T", "scalar", "[0 0 0 1 0 0 0]", T(radius, C.internal[:, 2]), (
            wall, f"type fixedValue; value uniform {inlet};",
            f"type inletOutlet; inletValue uniform {TRef};"
            f" value uniform {TRef};")),
    ):
        writeField(str(case / "0" / field), field, kind, dimensions, internal,
                   dict(zip(("wall", "inlet", "outlet"), conditions)))

    start = time.monotonic()
    output = mustRun("lbmGpuFoam", case)
    seconds = time.monotonic() - start
    return (case, output, seconds, C.internal, V.internal,
            C.boundary["wall"].values)


def sections(values, centres):
    """Values of each cross-section, those of the station alone"""
    layers = np.unique(np.round(centres[:, 2], 6)).size
    order = np.argsort(np.round(centres[:, 2], 6), kind="stable")
    values = np.asarray(values)[order]
    values = values.reshape(layers, -1, *values.shape[1:])
    x = (np.arange(layers) + 0.5)*LENGTH/layers
    at = (x > STATION[0]) & (x < STATION[1])
    return x[at], values[at]


def measure(case, when, C, V, walls):
    """Of the sections of the station: x, mean T, bulk T, T of the wall, gradient by
    latticeHeatFlux; and the flow rate and the area of a section
    """
    T, U, q, phi = (readField(str(case / when / field))
                    for field in ("T", "U", "latticeHeatFlux", "phi"))
    x, cellT = sections(T.internal - TRef, C)
    weight = sections(V, C)[1]
    speed = weight*sections(U.internal[:, 2], C)[1]
    mean = (weight*cellT).sum(1)/weight.sum(1)
    bulk = (speed*cellT).sum(1)/speed.sum(1)
    # Of the face and the cell beside it, as OpenFOAM has them
    faces = sections(walls, walls)[1][0, :, :2]
    distances = np.linalg.norm(
        faces[:, None] - sections(C, C)[1][0, None, :, :2], axis=2)
    beside = cellT[:, distances.argmin(1)]
    gradient = sections(q.boundary["wall"].values
                        * np.ones(len(walls)), walls)[1]/alpha
    wallT = (beside + gradient*distances.min(1)).mean(1)
    return (x, mean, bulk, wallT, gradient.mean(1),
            -phi.boundary["inlet"].values.sum(), V.sum()/LENGTH)


def lossOfBalance(case, when, C, V):
    """Heat through the wall by latticeHeatFlux over the heat that the fluid loses from
    inlet to outlet, less 1
    """
    T, phi = (readField(str(case / when / field)) for field in ("T", "phi"))
    lines = (case / "postProcessing/heatFlux/0/latticeHeatFlux.dat").read_text()
    integral = [float(line.split()[4]) for line in lines.splitlines()
                if line.split()[1] == "wall"][-1]
    first = C[:, 2] < C[:, 2].min() + 1e-6
    mean = (V*T.internal)[first].sum()/V[first].sum()
    conducted = alpha*V.sum()/LENGTH*(TInlet - mean)/C[first, 2].mean()
    Q = phi.boundary["outlet"].values
    given = (conducted - phi.boundary["inlet"].values.sum()*(TInlet - TRef)
             - (Q*(T.boundary["outlet"].values - TRef)).sum())
    return -integral/given - 1


def constantTemperature(n):
    """Relative errors of the Nusselt number: by the balance of heat, by the flux of
    latticeHeatFlux
    """
    case, output, seconds, *mesh = pipe(
        f"constantTemperature{n}", n,
        f"type fixedValue; value uniform {TRef};",
        lambda s, x: TRef + 1.2*(1 - s**2)*np.exp(-0.7*x), TInlet, 5)
    check(f"constantTemperature.{n}.isOnTheLattice",
          "on the lattice" in output and "laid over the mesh" in output
          and "D3Q19" in output, output[:4000])
    check(f"constantTemperature.{n}.hasNoRayleighNumber",
          "Prandtl number" in output and "Rayleigh" not in output, output[:4000])
    results = []
    for when in times(case)[-2:]:
        x, mean, bulk, wallT, gradient, Q, area = measure(case, when, *mesh)
        exact = graetz(Q*4/np.pi/D/alpha)[0]
        rate = -np.polyfit(x, np.log(bulk), 1)[0]
        flux = (Q*rate*bulk + alpha*area*rate**2*mean)/(np.pi*D*alpha)
        results.append([np.mean(f*D/bulk)/exact - 1
                        for f in (flux, -gradient)])
    balance, wall = results[-1]
    print(f"constant temperature, {n} across: Nu {exact*(1 + balance):.4f} by the"
          f" balance of heat, {100*balance:+.2f} % of {exact:.4f},"
          f" {exact*(1 + wall):.4f} by latticeHeatFlux, {100*wall:+.2f} %;"
          f" {seconds:.1f} s")
    check(f"constantTemperature.{n}.isSteady",
          np.abs(np.subtract(*results)).max() < 2e-3, results)
    loss = lossOfBalance(case, times(case)[-1], *mesh[:2])
    print(f"    heat through the wall {100*loss:+.2f} % off what the fluid gives up")
    # -1.4 and 0.5 % with 12 and 20 across: conduction through the inlet is taken to
    # first order
    check(f"constantTemperature.{n}.heatThroughTheWall",
          abs(loss) < (TARGET if n > 12 else 2*TARGET), loss)
    Nu = -gradient*D/bulk
    check(f"constantTemperature.{n}.isDeveloped", np.ptp(Nu) < 0.003*Nu.mean(), Nu)
    return balance, wall


def constantFlux(n):
    """Relative errors of the Nusselt number, by the flux given, and of the rise of
    the bulk temperature
    """
    case, output, seconds, *mesh = pipe(
        f"constantFlux{n}", n,
        f"type fixedGradient; gradient uniform {GRADIENT};",
        lambda s, x: TRef + GRADIENT*D*(
            4*x/(Re*Pr*D) + (s**2 - s**4/4 - 7/24)/2), TRef, 7)
    results = []
    for when in times(case)[-2:]:
        x, mean, bulk, wallT, gradient, Q, area = measure(case, when, *mesh)
        Nu = GRADIENT*D/(wallT - bulk)
        rise = np.polyfit(x, bulk, 1)[0]*Q/(alpha*GRADIENT*np.pi*D)
        results.append([Nu.mean()*11/48 - 1, rise - 1])
    error, rise = results[-1]
    print(f"constant heat flux, {n} across: Nu {48/11*(1 + error):.4f},"
          f" {100*error:+.2f} % of {48/11:.4f}, by the balance of heat"
          f" {48/11*(1 + error)*(1 + rise):.4f}; the heat that the fluid takes up is"
          f" {100*rise:+.2f} % off; {seconds:.1f} s")
    check(f"constantFlux.{n}.isSteady",
          np.abs(np.subtract(*results)).max() < 2e-3, results)
    check(f"constantFlux.{n}.isDeveloped", np.ptp(Nu) < 0.003*Nu.mean(), Nu)
    return error, rise


# 3.657 and, at a Peclet number of 20, 3.668
check("reference", abs(graetz(1e4)[0] - 3.65679) < 1e-5
      and abs(graetz(20)[0] - 3.66754) < 1e-5, (graetz(1e4), graetz(20)))

# The target is not met with 12 nodes across: Nu 0.87 and 3.09 % above the exact value,
# by the field of latticeHeatFlux 5.4 %. With 20: 0.03 and 0.53 %, with 32: 0.09 and
# 0.27 %
temperature, flux = {}, {}
sizes = (12, 20, 32) if ifLong("32across") else (12, 20)
for n in sizes:
    temperature[n] = constantTemperature(n)
    flux[n] = constantFlux(n)
for n in sizes[1:]:
    check(f"constantTemperature.{n}", abs(temperature[n][0]) < TARGET,
          temperature[n])
    check(f"constantFlux.{n}", abs(flux[n][0]) < TARGET, flux[n])
    check(f"constantFlux.{n}.keepsItsHeat", abs(flux[n][1]) < TARGET, flux[n])
for name, errors in ("constantTemperature", temperature), ("constantFlux", flux):
    check(f"{name}.converges", abs(errors[20][0]) < 0.5*abs(errors[12][0]), errors)

# The gradient of T between wall and cell is not the flux of the lattice: -1.2 %
# with 20. Detects change
check("latticeHeatFlux.20", abs(temperature[20][1]) < 0.015, temperature[20])

finish()
