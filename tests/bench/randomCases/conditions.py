#------------------------------------------------------------------------------
# License
#     This file is part of lbmGpuFoam, distributed under GPL-3.0-or-later.
#     Copyright (C) 2026 lbmGpuFoam contributors
#------------------------------------------------------------------------------
"""Boundary conditions: what is drawn for a patch, and the text that follows.

A condition is {"U": name, "p": name, ...}: the rest are numbers without
dimension. Its text comes from the faces that blockMesh makes and from the
scales of the case.
"""

import math

import numpy as np

ZERO = "zeroGradient"

#: Velocities that are given at inlets, with weights
GIVEN = {
    "fixedValue": 4, "oblique": 1, "parabolic": 3, "flowRateInletVelocity": 3,
    "surfaceNormalFixedValue": 1, "uniformNormalFixedValue": 1,
    "ramp": 2, "sine": 1.5, "timeVaryingMappedFixedValue": 0.7,
}

#: Velocities where the pressure is given and fluid comes in
DRIVEN = {
    "pressureInletVelocity": 3, "pressureInletOutletVelocity": 3,
    "zeroGradient": 1.5, "pressureDirectedInletVelocity": 0.7,
    "pressureNormalInletOutletVelocity": 0.7,
    "pressureDirectedInletOutletVelocity": 0.5,
    "pressureInletUniformVelocity": 0.4,
    "pressureInletOutletParSlipVelocity": 0.4,
}
DRIVING = {
    "fixedValue": 3, "totalPressure": 4, "uniformTotalPressure": 1,
    "uniformFixedValue": 1,
}

#: Velocities and pressures where it goes out
LEAVING = {
    "zeroGradient": 4, "inletOutlet": 3, "pressureInletOutletVelocity": 2,
    "uniformInletOutlet": 0.5, "advective": 0.7, "outletInlet": 0.15,
}
LEFT = {"fixedValue": 5, "totalPressure": 1.5, "uniformFixedValue": 0.7,
        "advective": 0.4}

#: Types of patches, which p has as well
CONSTRAINTS = ("symmetry", "symmetryPlane", "cyclic", "empty")

#: Conditions of p that fix it; advective does not, its level remembers how the
#: flow began
FIXING = ("fixedValue", "totalPressure", "uniformTotalPressure",
          "uniformFixedValue", "freestreamPressure", "outletInlet")


def choose(r, weights):
    return r.choices(list(weights), list(weights.values()))[0]


def drawGiven(r, pipe):
    weights = dict(GIVEN, cylindricalInletVelocity=2) if pipe else GIVEN
    c = {"U": choose(r, weights), "p": ZERO}
    if c["U"] == "oblique":
        c["tangential"] = r.choice([-0.4, -0.2, 0.2, 0.4])
    elif c["U"] == "ramp":
        c["start"] = r.choice([0, 0, 0.5])
        c["until"] = r.choice([0.1, 0.3, 0.6])
    elif c["U"] == "sine":
        c["amplitude"] = r.choice([0.2, 0.5, 0.9])
        c["periods"] = r.choice([1, 2, 3])
    elif c["U"] == "cylindricalInletVelocity":
        c["swirl"] = r.choice([0, 0.2, 0.5])
    return c


def drawDriven(r):
    c = {"U": choose(r, DRIVEN), "p": choose(r, DRIVING), "drive": 1}
    if c["p"].startswith("uniform"):
        c["until"] = r.choice([0.1, 0.3])
    return c


def drawLeaving(r, family, drive):
    weights = dict(LEAVING)
    # It fixes the velocity that goes out as well, which nothing else fits
    if family != "channel" or drive != "velocity":
        del weights["outletInlet"]
    c = {"U": choose(r, weights)}
    pressures = dict(LEFT)
    if c["U"] != ZERO or drive != "velocity":
        del pressures["advective"]
    c["p"] = choose(r, pressures)
    return c


def drawSide(r, moving):
    """A wall of a channel, or a plane without friction"""

    kind = choose(r, {"noSlip": 6, "fixedZero": 1, "movingWallVelocity": 0.5,
                      "moving": 1 if moving else 0, "slip": 1,
                      "symmetry": 0.7, "symmetryPlane": 0.7})
    c = {"U": kind, "p": ZERO}
    if kind == "moving":
        c["speed"] = r.choice([-1, -0.5, 0.5, 1])
    if kind in CONSTRAINTS:
        c["p"] = kind
    return c


def drawFar(r):
    kind = choose(r, {"slip": 3, "symmetry": 2, "symmetryPlane": 3,
                      "noSlip": 0.5})
    return {"U": kind, "p": kind if kind in CONSTRAINTS else ZERO}


def drawLid(r):
    kind = choose(r, {"moving": 3, "uniformFixedValue": 1, "sineWall": 1,
                      "translatingWallVelocity": 1})
    c = {"U": kind, "p": ZERO, "speed": r.choice([1, 1, -1])}
    if kind == "uniformFixedValue":
        c["until"] = r.choice([0.1, 0.3])
    if kind == "sineWall":
        c["periods"] = r.choice([1, 2])
    return c


def drawFree(r):
    return r.choice([
        {"U": "freestreamVelocity", "p": "freestreamPressure"},
        {"U": "freestreamVelocity", "p": "freestreamPressure"},
        {"U": "freestream", "p": "freestreamPressure"}])


def drawPatches(r, shape, family):
    """(drive, patch -> condition) for the patches of a shape"""

    def having(role):
        return [p for p in shape.roles if shape.roles[p] == role]

    patches = {}
    drive = "closed"
    if having("inlet"):
        drive = choose(r, {"velocity": 10, "pressure": 4.5, "suction": 0.8,
                           "allVelocity": 0.7})
    elif having("free"):
        drive = choose(r, {"freestream": 3, "velocity": 2})

    for patch, role in shape.roles.items():
        if role == "free" and drive == "velocity":
            role = {"inlet": "inlet", "outlet": "outlet"}.get(patch, "far")
        if role == "inlet":
            if drive in ("velocity", "allVelocity"):
                c = drawGiven(r, family == "pipe")
                if drive == "allVelocity" and c["U"] in (
                        "ramp", "sine", "timeVaryingMappedFixedValue"):
                    c = {"U": "fixedValue", "p": ZERO}
                if len(having("inlet")) > 1:
                    c["share"] = r.choice([0.5, 1, 1])
            else:
                c = drawDriven(r)
                if drive == "suction":
                    c["drive"] = 0
        elif role == "outlet":
            if drive == "allVelocity":
                c = {"U": "balance", "p": ZERO}
            elif drive == "suction":
                c = {"U": r.choice(["fixedValue", "surfaceNormalFixedValue"]),
                     "p": ZERO, "share": -1}
            else:
                c = drawLeaving(r, family, drive)
        elif role == "side":
            c = drawSide(r, patch in ("lower", "upper"))
        elif role == "far":
            c = drawFar(r)
        elif role == "lid":
            c = drawLid(r)
        elif role == "rotor":
            c = {"U": "rotatingWallVelocity", "p": ZERO,
                 "speed": r.choice([1, -1])}
        elif role == "free":
            c = drawFree(r)
        elif role == "cyclic":
            c = {"U": "cyclic", "p": "cyclic"}
        else:
            c = {"U": "noSlip", "p": ZERO}
        patches[patch] = c
    # A free stream has one condition all around
    free = [p for p in patches if patches[p]["U"].startswith("freestream")]
    for p in free[1:]:
        patches[p] = dict(patches[free[0]])
    return drive, patches


def drawRarer(r, patches):
    """Relatives of what was drawn, that hardly anybody uses"""

    for c in patches.values():
        rare = r.random() < 0.25
        if rare and c["U"] == "pressureInletOutletVelocity":
            c["U"] = "rotatingPressureInletOutletVelocity"
            c["speed"] = r.choice([-0.3, 0.1, 0.3])
    pressure = r.choice(["freestreamPressure", "outletInlet", "fixedValue"])
    for c in patches.values():
        if c["U"] == "freestream":
            c["p"] = pressure


def label(c):
    return c["U"] if c["p"] in (ZERO, c["U"]) else c["U"] + "+" + c["p"]


def fixesPressure(patches):
    return any(c["p"] in FIXING for c in patches.values())


def meshType(c, wall):
    """Type of the patch in the mesh"""

    if c["U"] in CONSTRAINTS:
        return c["U"]
    if wall and c["U"] != "slip":
        return "wall"
    return "patch"


class Scales:
    """What the texts of conditions need of a case, in SI units.

    U, nu, T        velocity, viscosity, endTime
    friction        difference of pressures that drives about U through
    dynamic         pressure of the largest velocity
    offset          pressure at the outlet
    axis, across    the direction of x and y, turned
    balance         flow rates of patches with a given velocity
    """


def vector(v):
    return "(" + " ".join(f"{x + 0:.12g}" for x in v) + ")"


def function(name, points, text):
    """A Function1 with a straight line between points"""

    return (f"{name} table (" + " ".join(
        f"({t:.10g} {text(f)})" for t, f in points) + ");")


class Patch:
    """Faces of a patch"""

    def __init__(self, geometry, name):
        self.name = name
        self.centres = geometry.centres[name]
        self.points = geometry.points[name]
        self.magnitudes = np.linalg.norm(geometry.areas[name], axis=1)
        self.area = self.magnitudes.sum()
        mean = geometry.areas[name].sum(axis=0)/self.area
        #: Inwards; the length is 1 where the patch is plane
        self.inward = -mean
        self.inward[np.abs(self.inward) < 1e-9] = 0
        length = np.linalg.norm(self.inward)
        if length > 1e-6:
            self.inward /= length
        self.normals = geometry.areas[name]/self.magnitudes[:, None]
        self.along = np.cross([0, 0, 1], self.inward)

    def parabola(self, at, plane, round_):
        """Profile at points, with a mean of about one"""

        corners = self.points.reshape(-1, 3)
        if round_:
            middle = (self.centres*self.magnitudes[:, None]).sum(
                axis=0)/self.area
            R2 = ((corners - middle)**2).sum(axis=1).max()
            return 2*np.maximum(0, 1 - ((at - middle)**2).sum(axis=1)/R2)
        result = np.ones(len(at))
        for axis in (self.along, np.array([0., 0, 1])):
            if plane and axis[2] == 1:
                continue
            s = corners @ axis
            t = (at @ axis - s.min())/(s.max() - s.min())
            result *= np.maximum(0, 6*t*(1 - t))
        return result


def parabolaOnFaces(patch, plane, round_):
    u = patch.parabola(patch.centres, plane, round_)
    return u*patch.area/(u*patch.magnitudes).sum()


def mappedData(case, patch, s, speed, plane, round_):
    """Files of timeVaryingMappedFixedValue: a profile that grows"""

    points = np.unique(
        np.round(patch.points.reshape(-1, 3), 12), axis=0)
    u = patch.parabola(points, plane, round_)
    data = case/"constant/boundaryData"/patch.name
    data.mkdir(parents=True, exist_ok=True)

    def write(path, rows):
        path.write_text("(\n" + "\n".join(vector(v) for v in rows) + "\n)\n")

    write(data/"points", points)
    for time, factor in ((0, 0.5), (s.T/3, 1), (2*s.T, 1)):
        folder = data/f"{time:.8g}"
        folder.mkdir(exist_ok=True)
        write(folder/"U", factor*speed*u[:, None]*patch.inward)


def texts(c, patch, s, plane, round_, case):
    """(entries of U, entries of p) for a condition"""

    if c["U"] in CONSTRAINTS:
        # The same for both
        return (f"type {c['U']};",)*2

    zero = "value uniform (0 0 0);"
    speed = s.U*c.get("share", 1)
    u = speed*patch.inward
    kind = c["U"]
    fixed = "type fixedValue; value uniform "
    wall = (s.U*c.get("speed", 1))*patch.along

    if kind == "fixedValue":
        U = fixed + vector(u) + ";"
    elif kind == "oblique":
        U = fixed + vector(u + c["tangential"]*speed*patch.along) + ";"
    elif kind == "balance":
        U = fixed + vector(-s.balance/patch.area*patch.inward) + ";"
    elif kind == "parabolic":
        f = parabolaOnFaces(patch, plane, round_)
        U = (f"type fixedValue; value nonuniform List<vector> {len(f)} ("
             + " ".join(vector(v) for v in speed*f[:, None]*patch.inward)
             + ");")
    elif kind == "flowRateInletVelocity":
        U = (f"type {kind}; volumetricFlowRate {speed*patch.area:.12g}; "
             + zero)
    elif kind == "surfaceNormalFixedValue":
        U = f"type {kind}; refValue uniform {-speed:.12g};"
    elif kind == "uniformNormalFixedValue":
        U = f"type {kind}; uniformValue {-speed:.12g};"
    elif kind == "ramp":
        U = ("type uniformFixedValue; " + function(
            "uniformValue", ((0, c["start"]), (c["until"]*s.T, 1),
                             (2*s.T, 1)), lambda f: vector(f*u)) + " "
            + "value uniform " + vector(c["start"]*u) + ";")
    elif kind == "sine":
        U = ("type uniformFixedValue; uniformValue sine; uniformValueCoeffs"
             f" {{ frequency {c['periods']/s.T:.10g}; amplitude"
             f" {c['amplitude']}; scale {vector(u)}; level {vector(u)}; }}"
             f" value uniform {vector(u)};")
    elif kind == "cylindricalInletVelocity":
        middle = (patch.centres*patch.magnitudes[:, None]).sum(
            axis=0)/patch.area
        radius = math.sqrt(patch.area/math.pi)
        rpm = c["swirl"]*speed/radius*30/math.pi
        U = (f"type {kind}; axis {vector(patch.inward)}; origin"
             f" {vector(middle)}; axialVelocity {speed:.12g};"
             f" radialVelocity 0; rpm {rpm:.10g}; {zero}")
    elif kind == "timeVaryingMappedFixedValue":
        mappedData(case, patch, s, speed, plane, round_)
        U = f"type {kind}; offset (0 0 0); setAverage off; {zero}"
    elif kind == "noSlip":
        U = "type noSlip;"
    elif kind == "fixedZero":
        U = fixed + "(0 0 0);"
    elif kind == "movingWallVelocity":
        U = f"type {kind}; {zero}"
    elif kind == "moving":
        U = fixed + vector(wall) + ";"
    elif kind == "translatingWallVelocity":
        U = f"type {kind}; U {vector(wall)}; value uniform {vector(wall)};"
    elif kind == "uniformFixedValue":
        U = ("type uniformFixedValue; " + function(
            "uniformValue", ((0, 0), (c["until"]*s.T, 1), (2*s.T, 1)),
            lambda f: vector(f*wall)) + " " + zero)
    elif kind == "sineWall":
        U = ("type uniformFixedValue; uniformValue sine; uniformValueCoeffs"
             f" {{ frequency {c['periods']/s.T:.10g}; amplitude 1; scale"
             f" {vector(wall)}; level (0 0 0); }} {zero}")
    elif kind == "rotatingWallVelocity":
        radius = np.linalg.norm(patch.points[..., :2], axis=2).max()
        U = (f"type {kind}; origin (0 0 0); axis (0 0 1); omega"
             f" {s.U*c['speed']/radius:.12g}; {zero}")
    elif kind == "slip":
        U = "type slip;"
    elif kind in ("freestreamVelocity", "freestream"):
        U = f"type {kind}; freestreamValue uniform {vector(s.U*s.axis)};"
    elif kind == "inletOutlet":
        U = f"type {kind}; inletValue uniform (0 0 0); {zero}"
    elif kind == "uniformInletOutlet":
        U = f"type {kind}; uniformInletValue (0 0 0); {zero}"
    elif kind == "outletInlet":
        U = f"type {kind}; outletValue uniform {vector(-u)}; {zero}"
    elif kind == "advective":
        U = f"type {kind}; phi phi; {zero}"
    elif kind in ("pressureDirectedInletVelocity",
                  "pressureDirectedInletOutletVelocity"):
        U = (f"type {kind}; inletDirection uniform {vector(patch.inward)};"
             f" {zero}")
    elif kind in ("pressureInletVelocity", "pressureInletOutletVelocity",
                  "pressureNormalInletOutletVelocity",
                  "pressureInletUniformVelocity",
                  "pressureInletOutletParSlipVelocity"):
        U = f"type {kind}; {zero}"
    elif kind == "rotatingPressureInletOutletVelocity":
        radius = np.linalg.norm(patch.points[..., :2], axis=2).max()
        omega = np.array([0, 0, s.U*c["speed"]/radius])
        U = f"type {kind}; omega {vector(omega)}; {zero}"
    elif kind == ZERO:
        U = "type zeroGradient;"
    else:
        raise ValueError(f"no text for {kind} of U")

    kind = c["p"]
    # Static pressures need not make the velocity, only keep it
    head = s.friction + s.dynamic*(1 if "otal" in kind else 0.3)
    p0 = s.offset + head*c.get("drive", 0)
    line = ((0, s.offset), (c.get("until", 0.1)*s.T, p0), (2*s.T, p0))
    if kind == ZERO:
        p = "type zeroGradient;"
    elif kind == "fixedValue":
        p = f"type fixedValue; value uniform {p0:.12g};"
    elif kind == "totalPressure":
        p = f"type {kind}; p0 uniform {p0:.12g}; value uniform {p0:.12g};"
    elif kind == "uniformTotalPressure":
        p = (f"type {kind}; " + function("p0", line, lambda f: f"{f:.12g}")
             + f" value uniform {s.offset:.12g};")
    elif kind == "uniformFixedValue":
        p = (f"type {kind}; " + function(
            "uniformValue", line, lambda f: f"{f:.12g}")
            + f" value uniform {s.offset:.12g};")
    elif kind == "advective":
        p = (f"type {kind}; phi phi; lInf {s.L:.10g}; fieldInf"
             f" {s.offset:.12g}; value uniform {s.offset:.12g};")
    elif kind == "outletInlet":
        p = (f"type {kind}; outletValue uniform {s.offset:.12g};"
             f" value uniform {s.offset:.12g};")
    elif kind == "freestreamPressure":
        p = f"type {kind}; freestreamValue uniform {s.offset:.12g};"
    else:
        raise ValueError(f"no text for {kind} of p")
    return U, p
