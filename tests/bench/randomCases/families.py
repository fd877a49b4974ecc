#------------------------------------------------------------------------------
# License
#     This file is part of lbmGpuFoam, distributed under GPL-3.0-or-later.
#     Copyright (C) 2026 lbmGpuFoam contributors
#------------------------------------------------------------------------------
"""Families of geometries: what is drawn of each, and the blocks that follow.

Lengths are in units of the characteristic one (height of the channel, edge of
the obstacle, ...), in a plane along the axes; turned and scaled later.

A family has two functions: draw(r) gives its numbers, build(g, three) a Shape.
"""

import math

from blocks import Blocks, boxes


class Shape:
    """Blocks whose cells are not counted yet, and what the patches are.

    lines       coordinates of the block corners in x, y and z
    roles       patch -> inlet, outlet, wall (always at rest), side (a wall, or
                free of friction), far (better without), lid, rotor, free (the
                undisturbed stream), cyclic
    pairs       patch of a cyclic pair -> the other half
    path        length of the way through
    narrow      the narrowest passage
    peak        estimate of the largest velocity, over that of the inlet
    """

    def __init__(self, lines, roles, name, path, narrow=1, peak=1.5,
                 keep=None, mapped=None, pairs=None, close=None, volume=None,
                 maker=None):
        self.lines = lines
        self.roles = roles
        self.name = name
        self.path = path
        self.narrow = narrow
        self.peak = peak
        self.keep = keep
        self.mapped = mapped
        self.pairs = pairs or {}
        self.close = close
        self.maker = maker
        self.three = len(lines) == 3
        self.volume = volume or self._volume()

    def _volume(self):
        x, y, *rest = self.lines
        z = rest[0] if rest else [0, 1]
        return sum(
            (x[i + 1] - x[i])*(y[j + 1] - y[j])*(z[k + 1] - z[k])
            for i in range(len(x) - 1) for j in range(len(y) - 1)
            for k in range(len(z) - 1)
            if self.keep is None or self.keep(i, j, k))

    def blocks(self, n, stretch, grading):
        """With n cells to the unit.

        stretch     factors of n in the directions
        grading     [which, ratio]: uniform; alternating, from interval to
                    interval; same in all
        """

        if self.maker:
            return self.maker(n, stretch, grading)

        lines = list(self.lines)
        if not self.three:
            lines.append([0, 1/n])

        counts, gradings = [], []
        for d, line in enumerate(lines):
            m = len(line) - 1
            if d == 2 and not self.three:
                counts.append([1])
                gradings.append([1])
                continue
            counts.append([
                max(2, round((line[i + 1] - line[i])*n*stretch[d]))
                for i in range(m)])
            which, ratio = grading
            gradings.append([
                1 if which == "uniform"
                else ratio if which == "same" or i % 2 == 0 else 1/ratio
                for i in range(m)])
        result = boxes(*lines, counts, gradings, self.keep, self.mapped,
                       not self.three)
        if self.close:
            self.close(result)
        return result


def near(a, b):
    return abs(a - b) < 1e-6


def step(r, low, high, by=0.5):
    """One of low, low + by, ..., high"""

    return low + by*r.randrange(int(round((high - low)/by)) + 1)


def extruded(g, x, y, roles, name, three, **others):
    """In three dimensions: between two planes more, front and back"""

    if not three:
        return Shape([x, y], roles, name, **others)

    depth = g["depth"]

    def named(c, direction, side):
        if direction == 2:
            return ("back", "front")[side]
        return name(c, direction, side)

    roles = dict(roles, back="side", front="side")
    if g.get("cyclicDepth"):
        roles.update(back="cyclic", front="cyclic")
        others["pairs"] = dict(others.get("pairs") or {},
                               back="front", front="back")
    return Shape([x, y, [0, depth]], roles, named, **others)


# Channels

def drawChannel(r):
    return {"length": step(r, 3, 8)}


def buildChannel(g, three):
    def name(c, d, side):
        return (("inlet", "outlet"), ("lower", "upper"))[d][side]
    return extruded(
        g, [0, g["length"]], [0, 1],
        {"inlet": "inlet", "outlet": "outlet", "lower": "side",
         "upper": "side"}, name, three, path=g["length"])


def drawStep(r):
    return {"before": step(r, 1, 3), "after": step(r, 1, 7),
            "step": r.choice([0.25, 0.5, 0.5, 0.6])}


def buildBackwardStep(g, three):
    a, b, h = g["before"], g["before"] + g["after"], g["step"]

    def name(c, d, side):
        if d == 0:
            return ("inlet" if near(c[0], 0) else "step", "outlet")[side]
        return "wall" if side == 0 else "upper"
    return extruded(
        g, [0, a, b], [0, h, 1],
        {"inlet": "inlet", "outlet": "outlet", "wall": "wall", "step": "wall",
         "upper": "side"}, name, three, path=b, narrow=1 - h,
        keep=lambda i, j, k: not (i == 0 and j == 0))


def buildForwardStep(g, three):
    a, b, h = g["before"], g["before"] + g["after"], g["step"]

    def name(c, d, side):
        if d == 0:
            return ("inlet", "outlet" if near(c[0], b) else "step")[side]
        return "wall" if side == 0 else "upper"
    return extruded(
        g, [0, a, b], [0, h, 1],
        {"inlet": "inlet", "outlet": "outlet", "wall": "wall", "step": "wall",
         "upper": "side"}, name, three, path=b, narrow=1 - h,
        peak=1.6/(1 - h), keep=lambda i, j, k: not (i == 1 and j == 0))


def drawExpansion(r):
    return {"before": step(r, 1, 3), "after": step(r, 1, 7),
            "lower": r.choice([0.25, 0.5, 1]),
            "upper": r.choice([0.25, 0.5, 1])}


def buildExpansion(g, three):
    a, b = g["before"], g["before"] + g["after"]
    y = [-g["lower"], 0, 1, 1 + g["upper"]]

    def name(c, d, side):
        if d == 0:
            return ("inlet" if near(c[0], 0) else "wall", "outlet")[side]
        return "wall"
    return extruded(
        g, [0, a, b], y,
        {"inlet": "inlet", "outlet": "outlet", "wall": "wall"},
        name, three, path=b,
        keep=lambda i, j, k: i == 1 or j == 1)


def buildContraction(g, three):
    a, b = g["before"], g["before"] + g["after"]
    y = [-g["lower"], 0, 1, 1 + g["upper"]]

    def name(c, d, side):
        if d == 0:
            return ("inlet", "outlet" if near(c[0], b) else "wall")[side]
        return "wall"
    return extruded(
        g, [0, a, b], y,
        {"inlet": "inlet", "outlet": "outlet", "wall": "wall"},
        name, three, path=b, peak=1.6*(y[3] - y[0]),
        keep=lambda i, j, k: i == 0 or j == 1)


def drawConstriction(r):
    return {"before": step(r, 1, 2), "length": step(r, 0.5, 1.5),
            "after": step(r, 1, 5), "lower": r.choice([0, 0.25, 0.3]),
            "upper": r.choice([0.25, 0.3])}


def buildConstriction(g, three):
    a = g["before"]
    b = a + g["length"]
    c1 = b + g["after"]
    y = sorted({0, g["lower"], 1 - g["upper"], 1})
    last = len(y) - 2
    open_ = range(1 if g["lower"] else 0, last)

    def name(c, d, side):
        if d == 0:
            return ("inlet" if near(c[0], 0) else "wall",
                    "outlet" if near(c[0], c1) else "wall")[side]
        return "wall"
    gap = 1 - g["lower"] - g["upper"]
    return extruded(
        g, [0, a, b, c1], y,
        {"inlet": "inlet", "outlet": "outlet", "wall": "wall"},
        name, three, path=c1, narrow=gap, peak=1.6/gap,
        keep=lambda i, j, k: i != 1 or j in open_)


# Jets, bends, junctions

def drawJet(r):
    return {"below": step(r, 0.5, 2), "above": step(r, 0.5, 2),
            "length": step(r, 2.5, 6),
            "outlets": r.choice(["right", "right", "slot", "top", "both",
                                 "around"])}


def buildJet(g, three):
    y = [0, g["below"], g["below"] + 1, g["below"] + 1 + g["above"]]
    where = g["outlets"]

    def name(c, d, side):
        if d == 0 and side == 0:
            return "inlet" if y[1] < c[1] < y[2] else "wall"
        if d == 0:
            if where in ("right", "both", "around"):
                return "outlet"
            if where == "slot" and c[1] < y[1]:
                return "outlet"
            return "wall"
        if side == 1 and where == "top":
            return "outlet"
        if side == 1 and where in ("both", "around"):
            return "outlet2"
        if side == 0 and where == "around":
            return "outlet3"
        return "wall"
    roles = {"inlet": "inlet", "outlet": "outlet", "wall": "wall"}
    if where in ("both", "around"):
        roles["outlet2"] = "outlet"
    if where == "around":
        roles["outlet3"] = "outlet"
    return extruded(g, [0, g["length"]], y, roles, name, three,
                    path=1.5*g["length"], narrow=min(g["below"], 1))


def drawBend(r):
    return {"before": step(r, 1, 4), "after": step(r, 1, 4)}


def buildBend(g, three):
    a, b = g["before"], g["after"]

    def name(c, d, side):
        if d == 0 and side == 0 and near(c[0], 0):
            return "inlet"
        if d == 1 and side == 1 and near(c[1], 1 + b):
            return "outlet"
        return "wall"
    return extruded(
        g, [0, a, a + 1], [0, 1, 1 + b],
        {"inlet": "inlet", "outlet": "outlet", "wall": "wall"},
        name, three, path=a + b + 1, peak=1.7,
        keep=lambda i, j, k: not (i == 0 and j == 1))


def drawUBend(r):
    return {"length": step(r, 1, 4), "gap": r.choice([0.5, 1])}


def buildUBend(g, three):
    a, b = g["length"], g["gap"]

    def name(c, d, side):
        if d == 0 and side == 0 and near(c[0], 0):
            return "inlet" if c[1] < 1 else "outlet"
        return "wall"
    return extruded(
        g, [0, a, a + 1], [0, 1, 1 + b, 2 + b],
        {"inlet": "inlet", "outlet": "outlet", "wall": "wall"},
        name, three, path=2*a + b + 2, peak=1.8,
        keep=lambda i, j, k: not (i == 0 and j == 1))


def drawJunction(r):
    return {"left": step(r, 1, 3), "right": step(r, 1, 4),
            "branch": step(r, 1, 4),
            "inlets": r.choice(["left", "left", "branch", "left right",
                                "left branch"])}


def buildJunction(g, three):
    a, b = g["left"], g["left"] + 1 + g["right"]
    h = 1 + g["branch"]
    inlets = g["inlets"].split()

    names = {}
    count = {"inlet": 0, "outlet": 0}
    for arm in ("left", "right", "branch"):
        role = "inlet" if arm in inlets else "outlet"
        count[role] += 1
        names[arm] = role + ("" if count[role] == 1 else str(count[role]))

    def name(c, d, side):
        if d == 0 and near(c[0], 0):
            return names["left"]
        if d == 0 and near(c[0], b):
            return names["right"]
        if d == 1 and near(c[1], h):
            return names["branch"]
        return "wall"
    roles = {n: n.rstrip("2") for n in names.values()}
    roles["wall"] = "wall"
    return extruded(
        g, [0, a, a + 1, b], [0, 1, h], roles, name, three,
        path=max(b, a + h), peak=1.5*len(inlets) + 0.2,
        keep=lambda i, j, k: j == 0 or i == 1)


# Bodies

def drawObstacle(r):
    return {"before": step(r, 1.5, 3), "after": step(r, 1, 6),
            "below": step(r, 0.5, 2), "above": step(r, 0.5, 2),
            "thick": r.choice([0.5, 1, 1, 1.5])}


def buildObstacle(g, three, free=False):
    x = [0, g["before"], g["before"] + g["thick"],
         g["before"] + g["thick"] + g["after"]]
    y = [0, g["below"], g["below"] + 1, g["below"] + 1 + g["above"]]

    def name(c, d, side):
        if d == 0 and near(c[0], 0):
            return "inlet"
        if d == 0 and near(c[0], x[3]):
            return "outlet"
        if d == 1 and near(c[1], 0):
            return "lower"
        if d == 1 and near(c[1], y[3]):
            return "upper"
        return "obstacle"
    roles = {"inlet": "inlet", "outlet": "outlet", "lower": "side",
             "upper": "side", "obstacle": "wall"}
    if free:
        roles.update(inlet="free", outlet="free", lower="far", upper="far")
        if g["around"]:
            roles.update(lower="free", upper="free")
    return extruded(
        g, x, y, roles, name, three, path=x[3],
        narrow=min(g["below"], g["above"], 1),
        peak=1.7*y[3]/(y[3] - 1),
        keep=lambda i, j, k: not (i == 1 and j == 1))


def drawFreeBody(r):
    return {"before": step(r, 2, 3), "after": step(r, 2, 5),
            "below": step(r, 1.5, 3), "above": step(r, 1.5, 3),
            "thick": r.choice([0.5, 1, 1.5]), "around": r.random() < 0.5}


def buildFreeBody(g, three):
    return buildObstacle(g, three, free=True)


def drawPlate(r):
    return {"before": step(r, 0.5, 2), "length": step(r, 1, 4),
            "after": r.choice([0, 0, 1, 1.5]), "height": step(r, 1, 3)}


def buildPlate(g, three):
    x = [0, g["before"], g["before"] + g["length"]]
    if g["after"]:
        x.append(x[-1] + g["after"])

    def name(c, d, side):
        if d == 0:
            return ("inlet", "outlet")[side]
        if side == 1:
            return "upper"
        return "plate" if x[1] < c[0] < x[2] else "upstream"
    return extruded(
        g, x, [0, g["height"]],
        {"inlet": "inlet", "outlet": "outlet", "upper": "far",
         "plate": "wall", "upstream": "far"}, name, three, path=x[-1],
        peak=1.3)


def drawCube(r):
    return {"before": step(r, 1, 2), "after": step(r, 1.5, 3),
            "below": r.choice([0, 0, 1]), "above": step(r, 1, 1.5),
            "aside": step(r, 1, 1.5)}


def buildCube(g, three):
    x = [0, g["before"], g["before"] + 1, g["before"] + 1 + g["after"]]
    y = [0, g["aside"], g["aside"] + 1, 2*g["aside"] + 1]
    z = sorted({0, g["below"], g["below"] + 1, g["below"] + 1 + g["above"]})
    at = 1 if g["below"] else 0

    def name(c, d, side):
        if d == 0 and near(c[0], 0):
            return "inlet"
        if d == 0 and near(c[0], x[3]):
            return "outlet"
        if d == 1 and (near(c[1], 0) or near(c[1], y[3])):
            return ("sideA", "sideB")[side]
        if d == 2 and near(c[2], 0) and not (
                at == 0 and x[1] < c[0] < x[2] and y[1] < c[1] < y[2]):
            return "floor"
        if d == 2 and near(c[2], z[-1]):
            return "top"
        return "cube"
    return Shape(
        [x, y, z], {"inlet": "inlet", "outlet": "outlet", "sideA": "far",
                    "sideB": "far", "top": "far", "floor": "side",
                    "cube": "wall"},
        name, path=x[3], peak=1.8,
        keep=lambda i, j, k: not (i == 1 and j == 1 and k == at))


# Sloping and bent

def drawNozzle(r):
    return {"before": step(r, 0.5, 2), "slope": step(r, 1, 3),
            "after": step(r, 1, 3), "width": r.choice([0.5, 0.6, 1.5, 2]),
            "lift": r.choice([0, 0, 0.5, -0.5])}


def buildNozzle(g, three):
    x = [0, g["before"], g["before"] + g["slope"],
         g["before"] + g["slope"] + g["after"]]

    def mapped(p):
        end = p[0] > x[1] + 1e-9
        w = g["width"] if end else 1
        return (p[0], (p[1] - 0.5)*w + (g["lift"] if end else 0), p[2])

    def name(c, d, side):
        return (("inlet", "outlet"), ("lower", "upper"))[d][side]
    return extruded(
        g, x, [0, 1],
        {"inlet": "inlet", "outlet": "outlet", "lower": "wall",
         "upper": "wall"}, name, three, path=x[3],
        narrow=min(1, g["width"]), peak=1.6/min(1, g["width"]),
        mapped=mapped)


def drawSector(r):
    return {"inner": r.choice([0.5, 1, 2]),
            "angle": r.choice([45, 60, 90, 120, 180])}


def buildSector(g, three):
    inner = g["inner"]
    pieces = 1 if g["angle"] <= 90 else 2
    # The lines are along the middle radius, in its length
    total = math.radians(g["angle"])
    middle = inner + 0.5
    x = [total*middle*i/pieces for i in range(pieces + 1)]

    def mapped(p):
        a, radius = p[0]/middle, inner + p[1]
        return (radius*math.sin(a), radius*math.cos(a), p[2])

    def close(blocks):
        index = {p: i for i, p in enumerate(blocks.logical)}
        for (a, radius, z), first in list(index.items()):
            if a < x[-1]:
                b = x[x.index(a) + 1]
                blocks.arcs.append(
                    (first, index[b, radius, z],
                     mapped(((a + b)/2, radius, z))))

    def name(c, d, side):
        return (("inlet", "outlet"), ("inner", "outer"))[d][side]
    return extruded(
        g, x, [0, 1],
        {"inlet": "inlet", "outlet": "outlet", "inner": "wall",
         "outer": "wall"}, name, three, path=total*middle, peak=1.7,
        mapped=mapped, close=close)


def drawRing(r):
    return {"inner": r.choice([0.5, 1, 2]),
            "rotor": r.choice(["inner", "outer", "both"])}


def buildRing(g, three):
    inner = g["inner"]
    length = 2*math.pi*(inner + 0.5)

    def maker(n, stretch, grading):
        blocks = Blocks(not three)
        depth = g["depth"] if three else 1/n
        ratio = 1 if grading[0] == "uniform" else grading[1]
        around = max(3, round(length/4*n*stretch[0]))
        across = max(3, round(n*stretch[1]))
        deep = max(2, round(depth*n*stretch[2])) if three else 1
        for k in range(2):
            for j in range(2):
                for i in range(4):
                    a, radius = i*math.pi/2, inner + j
                    blocks.points.append((radius*math.sin(a),
                                          radius*math.cos(a), k*depth))
                    blocks.logical.append((i, j, k*depth))
                    a += math.pi/4
                    at = 8*k + 4*j
                    blocks.arcs.append((at + i, at + (i + 1) % 4, (
                        radius*math.sin(a), radius*math.cos(a), k*depth)))
        for i in range(4):
            m = (i + 1) % 4
            blocks.blocks.append((
                [i, m, 4 + m, 4 + i, 8 + i, 8 + m, 12 + m, 12 + i],
                (around, across, deep), (1, ratio, 1)))
        return blocks

    def name(c, d, side):
        return ("inner", "outer")[side]
    roles = {"inner": "wall", "outer": "wall"}
    for patch in roles:
        if g["rotor"] in (patch, "both"):
            roles[patch] = "rotor"
    return extruded(
        g, [0, 1], [0, 1], roles, name, three, path=length, maker=maker,
        volume=length*(g["depth"] if three else 1), peak=1)


def drawPipe(r):
    return {"length": step(r, 2, 6)}


def buildPipe(g, three):
    length = g["length"]

    def maker(n, stretch, grading):
        blocks = Blocks(False)
        core, radius = 0.2, 0.5
        along = max(4, round(length*n*stretch[0]))
        side = max(3, round(0.5*n))
        outer = max(2, round(0.3*n*stretch[1]))
        ratio = 1 if grading[0] == "uniform" else max(
            0.25, min(1, grading[1]))
        # Corners of both squares at one end, then at the other; the disc lies
        # in y and z, the axis along x
        for x in (0, length):
            for size in (core, radius):
                for i in range(4):
                    a = (-135 + 90*i)*math.pi/180
                    p = (x, size*math.cos(a), size*math.sin(a))
                    blocks.points.append(p)
                    blocks.logical.append(p)
        for end, x in enumerate((0, length)):
            for i in range(4):
                at = 8*end + 4
                a = (-90 + 90*i)*math.pi/180
                blocks.arcs.append((at + i, at + (i + 1) % 4, (
                    x, radius*math.cos(a), radius*math.sin(a))))
        blocks.blocks.append((
            [0, 1, 2, 3, 8, 9, 10, 11], (side, side, along), (1, 1, 1)))
        for i in range(4):
            m = (i + 1) % 4
            blocks.blocks.append((
                [4 + i, 4 + m, m, i, 12 + i, 12 + m, 8 + m, 8 + i],
                (side, outer, along), (1, 1/ratio, 1)))
        return blocks

    def name(c, d, side):
        if d == 2:
            return ("inlet", "outlet")[side]
        return "wall"
    shape = Shape(
        [[0, 1]]*3, {"inlet": "inlet", "outlet": "outlet", "wall": "wall"},
        name, path=length, volume=0.8*length, peak=2, maker=maker)
    return shape


# Closed and periodic

def drawCavity(r):
    return {"height": r.choice([0.5, 1, 1, 1, 1.5, 2]),
            "skew": r.choice([0, 0, 0, 0.3, 0.6, -0.5]),
            "lids": r.choice([1, 1, 2])}


def buildCavity(g, three):
    def name(c, d, side):
        if d == 1:
            return ("lid2" if g["lids"] == 2 else "wall", "lid")[side]
        return "wall"
    roles = {"lid": "lid", "wall": "wall"}
    if g["lids"] == 2:
        roles["lid2"] = "lid"
    return extruded(
        g, [0, 1], [0, g["height"]], roles, name, three, path=4, peak=1,
        narrow=min(1, g["height"]),
        mapped=lambda p: (p[0] + g["skew"]*p[1], p[1], p[2]))


def drawPeriodic(r):
    return {"length": step(r, 2, 4), "rib": r.choice([0, 0, 0.25, 0.5]),
            "drive": r.choice(["mean", "mean", "source", "lid"])}


def buildPeriodic(g, three):
    length, rib = g["length"], g["rib"]
    x = [0, length] if not rib else [0, length/2 - 0.5, length/2, length]
    y = [0, 1] if not rib else [0, rib, 1]

    def name(c, d, side):
        if d == 0 and (near(c[0], 0) or near(c[0], length)):
            return ("left", "right")[side]
        if d == 1 and near(c[1], 1):
            return "upper"
        return "wall"
    return extruded(
        g, x, y,
        {"left": "cyclic", "right": "cyclic", "wall": "wall",
         "upper": "lid" if g["drive"] == "lid" else "wall"},
        name, three, path=3*length, narrow=1 - rib,
        peak=1.6/(1 - rib) if g["drive"] != "lid" else 1,
        keep=lambda i, j, k: not (rib and i == 1 and j == 0),
        pairs={"left": "right", "right": "left"})


#: name -> (weight, dimensions that are possible, draw, build)
FAMILIES = {
    "channel": (3, (2, 3), drawChannel, buildChannel),
    "backwardStep": (2, (2, 3), drawStep, buildBackwardStep),
    "forwardStep": (1.5, (2, 3), drawStep, buildForwardStep),
    "expansion": (1.5, (2, 3), drawExpansion, buildExpansion),
    "contraction": (1.5, (2, 3), drawExpansion, buildContraction),
    "constriction": (1.5, (2, 3), drawConstriction, buildConstriction),
    "jet": (2, (2, 3), drawJet, buildJet),
    "bend": (2, (2, 3), drawBend, buildBend),
    "uBend": (1, (2, 3), drawUBend, buildUBend),
    "junction": (2, (2, 3), drawJunction, buildJunction),
    "obstacle": (2, (2, 3), drawObstacle, buildObstacle),
    "freeBody": (1.5, (2, 3), drawFreeBody, buildFreeBody),
    "plate": (2, (2, 3), drawPlate, buildPlate),
    "cube": (1.5, (3,), drawCube, buildCube),
    "nozzle": (2, (2, 3), drawNozzle, buildNozzle),
    "sector": (1.5, (2, 3), drawSector, buildSector),
    "ring": (1, (2, 3), drawRing, buildRing),
    "pipe": (2, (3,), drawPipe, buildPipe),
    "cavity": (1.5, (2, 3), drawCavity, buildCavity),
    "periodic": (1.5, (2, 3), drawPeriodic, buildPeriodic),
}
