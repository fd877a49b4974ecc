"""Heat in fluids of variable viscosity, whose diffusivity is nu/Pr of each node: a
plane channel against its exact solution, a heated cavity against OpenFOAM's solver and
T on the mesh, the rates of the scalar's collision, input that is refused.
"""

import re

from heatCase import *


def carreau(rate):
    """nu of the fluid below at a shear rate [m2/s]"""
    nu0, nuInf, k, n = 0.02, 0.002, 10, 0.4
    return nuInf + (nu0 - nuInf)*(1 + (k*rate)**2)**((n - 1)/2)


CARREAU = """
transportModel BirdCarreau;
nu 0.02;
BirdCarreauCoeffs { nu0 0.02; nuInf 0.002; k 10; n 0.4; }
"""

FLUX = """
functions
{
    q
    {
        type latticeHeatFlux; libs (latticeHeatFlux);
        executeControl writeTime; writeControl writeTime;
    }
}
"""


def channelProfiles(force, Pr, n=20000):
    """Heights, nu, u and T - T of the wall above, per T of the wall below, of the flow
    that a body force drives between plates, by the midpoint rule
    """
    y = (np.arange(n) + 0.5)/n
    stress = force*np.abs(0.5 - y)
    low, high = np.zeros(n), np.full(n, 1e3)
    for _ in range(80):
        middle = 0.5*(low + high)
        above = carreau(middle)*middle > stress
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    nu = carreau(low)
    u = np.cumsum(np.where(y < 0.5, low, -low))/n
    resistance = np.cumsum(Pr/nu)/n
    return y, nu, u, 1 - resistance/resistance[-1], 1/resistance[-1]


force, N = 2e-2, 32
cells = (4, N)
y, nu, u, T, flux = channelProfiles(force, Pr)
centres = (np.arange(N) + 0.5)/N
uExact, TExact = (np.interp(centres, y, f) for f in (u, T))
strays = np.abs(TExact - (1 - centres)).max()

channel = prepare(
    "channel", cells, (4/N, 1), expansion=0, T0=300, fluid=CARREAU, periodic=True,
    T={"bottom": fixed(301), "top": fixed(300)}, endTime=400, deltaT=4,
    writeInterval=100, LBM=f"bodyForce ({force} 0 0); heat device; precision double;")
path = channel/"system/controlDict"
path.write_text(path.read_text() + FLUX)
output = mustRun("lbmGpuFoam", channel)
check("heatIsOnTheLattice", "K, on the lattice" in output, output[:6000])

# Accuracy: of second order in the spacing, measured 0.24 % of u, 0.12 % of T and 0.15 % of
# the heat flux with 32 nodes across. A diffusivity that is uniform gives T off by 9 %
off = np.abs(rows(channel, ("U", 0), cells).mean(axis=1) - uExact).max()/u.max()
check("channelVelocity", off < 0.01, f"u off by {off:.4f} of the largest")
off = np.abs(rows(channel, "T", cells).mean(axis=1) - 300 - TExact).max()
check("channelTemperature", off < 0.005 and strays > 0.03,
      f"T off by {off:.5f} K, and by {strays:.4f} K with a diffusivity that is uniform")

area = 0.1*4/N
for patch, sign in ("bottom", 1), ("top", -1):
    found = heatFluxes(channel)[patch][2]/area
    check(f"channelHeatFlux.{patch}", abs(found*sign/flux - 1) < 0.005,
          f"{found:.6g} K m/s, exact {sign*flux:.6g}")

# MRT of the scalar: the same steady conduction, whatever the rate, and not the same way
# to it
early = []
for rate in 0.7, 1.6:
    case = copyCase(channel, f"channel-{rate}")
    mustRun("blockMesh", case)
    setEntry(case/"system/controlDict", "writeInterval", 5)
    path = case/"system/fvSolution"
    path.write_text(path.read_text().replace(
        "heat device;", "heat device; scalarCollision MRT;"
        f" scalarMRTCoeffs {{ sSum {rate}; }}"))
    output = mustRun("lbmGpuFoam", case)
    early.append(read(case, "T", "20"))
    off = np.abs(read(case, "T") - read(channel, "T")).max()
    check(f"scalarMRT.{rate}", off < 1e-9
          and f"scalar collision      MRT, rate {rate} of the sum" in output,
          f"T {off:.3g} K off that of TRT")
off = np.abs(early[0] - early[1]).max()
check("scalarMRT.rateActs", off > 1e-8, f"T {off:.3g} K apart after 20 s")

# A restart goes on to the bit
half = copyCase(channel, "channel-half")
mustRun("blockMesh", half)
for end in 200, 400:
    setEntry(half/"system/controlDict", "endTime", end)
    setEntry(half/"system/controlDict", "writeInterval", 50)
    mustRun("lbmGpuFoam", half)
check("restartHasTheBits", all(
    np.array_equal(read(half, name), read(channel, name)) for name in ("U", "T")))

# A cavity heated at its sides: 0.3 % of U and 0.004 K off the solution with T on the mesh,
# 2.8 % and 0.011 K off OpenFOAM's solver on the same mesh, neither of which is exact. The
# limits detect change
CROSS = """
transportModel CrossPowerLaw;
nu 0.02;
CrossPowerLawCoeffs { nu0 0.02; nuInf 0.004; m 1; n 1; }
"""
cells = (32, 32)
flow = dict(cells=cells, T={"left": fixed(TRef + 0.5), "right": fixed(TRef - 0.5)},
            U={patch: WALL for patch in ("left", "right")}, fluid=CROSS,
            endTime=60, deltaT=0.1, writeInterval=600)
cavity = prepare("cavity", LBM="heat device;", **flow)
mustRun("lbmGpuFoam", cavity)
onMesh = prepare("cavity-mesh", LBM="heat host;", **flow)
mustRun("lbmGpuFoam", onMesh)
references = {"T on the mesh": (onMesh, 0.005, 0.006)}
solver = "buoyantBoussinesqPimpleFoam"
if shutil.which(solver):
    own = prepare("cavity-OpenFOAM", **flow)
    mustRun(solver, own)
    references[solver] = own, 0.03, 0.015
else:
    skipped("cavityWithOpenFOAM", f"no {solver}")
for name, (other, limit, limitT) in references.items():
    U, V = (read(case, "U") for case in (cavity, other))
    off = np.linalg.norm(U - V)/np.linalg.norm(V)
    offT = np.abs(read(cavity, "T") - read(other, "T")).max()
    check(f"cavity.{name.split()[0]}", off < limit and offT < limitT,
          f"U {100*off:.2f} % off {name}, T up to {offT:.4f} K;"
          f" speeds up to {np.abs(V).max():.3f} m/s")

def refused(name, case, *words):
    status, output = run("lbmGpuFoam", case)
    check(name, status == 1 and all(word in output for word in words),
          f"status {status}\n{output[-1500:]}")


# A gradient of T that is given needs nu at the wall, which the mesh has
case = prepare("gradient", LBM="heat device;", fluid=CROSS,
               T={"left": "type fixedGradient; gradient uniform 1;",
                  "right": fixed(TRef)})
refused("givenGradient", case, "CrossPowerLaw and patch left, where the gradient of"
        " T is given", "heat host or auto")
for entry, wanted in (
    ("scalarCollision BGK;", "scalarCollision"),
    ("scalarCollision MRT; scalarMRTCoeffs { sSum 2; }", "sSum is 2"),
    ("scalarMRTCoeffs { sum 1; }", "Unknown entry sum"),
):
    case = prepare("entries", LBM=f"heat device; {entry}", **{
        **flow, "fluid": None})
    refused(re.sub("[ {]", "", entry.split(";")[0]), case, wanted)

finish()
