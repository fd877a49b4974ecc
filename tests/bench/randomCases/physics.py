#------------------------------------------------------------------------------
# License
#     This file is part of lbmGpuFoam, distributed under GPL-3.0-or-later.
#     Copyright (C) 2026 lbmGpuFoam contributors
#------------------------------------------------------------------------------
"""What a flow has beside U and p: a scalar, heat, another fluid, a porous zone,
turbulence.

draw(kind, seed, description) completes a description of cases.py, of(description)
gives a Physics: solver, files and fields that follow, and what is compared.
"""

import math
import random

from blocks import header
from conditions import CONSTRAINTS, ZERO, choose, vector

#: Temperature of inlets, and TRef [K]
TREF = 300.


def value(x):
    return f"{x:.9g}"


def fixed(x):
    return f"type fixedValue; value uniform {value(x)};"


class Physics:
    """Laminar flow of a fluid of given viscosity, and what others change in it.

    numbers     of the description
    solver      OpenFOAM's
    pressure    name of its pressure
    scalars     field that is compared besides, if there is one, and its range
    limits      largest distances of a fine case
    """

    pressure = "p"
    scalars = ()
    range = 1.
    limits = {"U": 0.10, "p": 0.30}

    def __init__(self, description):
        self.d = description
        self.numbers = description.get("physics", {})
        self.solver = "icoFoam"

    @staticmethod
    def draw(r, d, shape):
        """The numbers; d may be changed"""

        return {}

    def text(self):
        """In a line"""

        return " ".join([self.numbers["kind"]] + [
            f"{k} {v}" for k, v in self.numbers.items() if k != "kind"])

    def lbm(self, controlDict):
        """controlDict for lbmGpuFoam, of that for OpenFOAM's solver"""

        return controlDict

    def peak(self, s):
        """The largest velocity that is to be expected [m/s]"""

        return s.peak

    def convection(self):
        return "Gauss linear"

    def schemes(self):
        """Of the convection of scalars"""

        return "".join(f"    div(phi,{name}) Gauss limitedLinear 1;\n"
                       for name in self.scalars)

    def transport(self, s):
        return (f"transportModel Newtonian;\nnu [0 2 -1 0 0 0 0]"
                f" {s.nu:.12g};\n")

    def turbulence(self):
        return "simulationType laminar;\n"

    def options(self, s):
        """Entries of fvOptions"""

        return ""

    def functions(self, s):
        """Of controlDict"""

        return ""

    def files(self, s):
        """Path in the case -> text of other files"""

        return {}

    def topoSet(self, s):
        """Actions of topoSet, run where there are any"""

        return ""

    def fields(self, s, patches):
        """(name, dimensions, value in cells, patch -> entries) of other scalars"""

        return []

    def conditionOf(self, patch, c, s):
        """inlet, outlet, wall, or the type of a constraint; of anything else, as
        of planes without friction, slip"""

        if c["U"] in CONSTRAINTS:
            return c["U"]
        role = s.shape.roles[patch]
        if role == "free":
            if c["U"].startswith("freestream"):
                return "outlet"
            if patch not in ("inlet", "outlet"):
                return "slip"
            role = patch
        if role in ("inlet", "outlet"):
            return role
        return "slip" if c["U"] == "slip" else "wall"


def steadyInflow(r, d):
    """Let inlets have velocities of their own, where there are any"""

    if d["drive"] in ("pressure", "suction"):
        d["drive"] = "velocity"
        for c in d["patches"].values():
            if "drive" in c:
                c.clear()
                c.update(U="fixedValue", p=ZERO)
            elif c.get("share") == -1:
                c.clear()
                c.update(U=r.choice([ZERO, "inletOutlet"]), p="fixedValue")


def scalarConditions(r, d, shape):
    """Of a scalar, patch -> [kind, number]: of walls drawn, not all insulated"""

    result = {}
    for patch, c in d["patches"].items():
        role = shape.roles[patch]
        if c["U"] in CONSTRAINTS or role in ("inlet", "outlet"):
            continue
        kind = choose(r, {"zeroGradient": 3, "fixedValue": 3,
                          "fixedGradient": 1, "table": 0.5})
        result[patch] = [kind, r.choice([-1, -0.5, 0.5, 1, 1])]
    walls = list(result)
    if walls and all(k == "zeroGradient" for k, _ in result.values()):
        result[walls[0]] = ["fixedValue", 1]
    if "inlet" not in shape.roles.values() and len(walls) > 1 and not any(
            k == "fixedValue" for k, _ in result.values()):
        result[walls[-1]] = ["fixedValue", -0.5]
    return result


def scalarTexts(numbers, physics, s, patches, level, range_):
    """Entries of a scalar: level at inlets, walls as drawn"""

    texts = {}
    for patch, c in physics.d["patches"].items():
        what = physics.conditionOf(patch, c, s)
        if what in CONSTRAINTS:
            texts[patch] = f"type {what};"
        elif what == "inlet":
            texts[patch] = fixed(level + numbers.get("inlet", 0)*range_)
        elif what == "outlet":
            texts[patch] = (
                f"type inletOutlet; inletValue uniform {value(level)};"
                f" value uniform {value(level)};")
        else:
            kind, x = numbers["walls"][patch]
            x *= range_
            if kind == "zeroGradient":
                texts[patch] = "type zeroGradient;"
            elif kind == "fixedValue":
                texts[patch] = fixed(level + x)
            elif kind == "table":
                texts[patch] = (
                    "type uniformFixedValue; uniformValue table"
                    f" ((0 {value(level)}) ({s.T/3:.10g} {value(level + x)})"
                    f" ({2*s.T:.10g} {value(level + x)}));"
                    f" value uniform {value(level)};")
            else:
                texts[patch] = (
                    f"type fixedGradient; gradient uniform {value(x/s.L)};")
    return texts


class Scalar(Physics):
    """A passive scalar, by scalarTransport or on the lattice"""

    scalars = ("s",)
    limits = {"U": 0.10, "p": 0.30, "s": 0.05}

    @staticmethod
    def draw(r, d, shape):
        return {
            "Schmidt": r.choice([0.3, 0.7, 1, 1, 3]),
            "lattice": r.random() < 0.7,
            "inlet": r.choice([0, 0.5, 1, 1]),
            "walls": scalarConditions(r, d, shape),
        }

    def functions(self, s):
        return f"""
functions
{{
    scalar1
    {{
        type scalarTransport;
        libs (solverFunctionObjects);
        field s;
        schemesField s;
        D {s.nu/self.numbers["Schmidt"]:.12g};
    }}
}}
"""

    def lbm(self, controlDict):
        if not self.numbers["lattice"]:
            return controlDict
        return controlDict.replace(
            "type scalarTransport;", "type latticeScalar;").replace(
            "libs (solverFunctionObjects);", "libs (latticeScalar);")

    def fields(self, s, patches):
        return [("s", "[0 0 0 0 0 0 0]", 0, scalarTexts(
            self.numbers, self, s, patches, 0, 1))]


class Heat(Physics):
    """Buoyancy after Boussinesq"""

    pressure = "p_rgh"
    scalars = ("T",)
    limits = {"U": 0.10, "p": 0.30, "s": 0.05}

    @staticmethod
    def draw(r, d, shape):
        steadyInflow(r, d)
        # OpenFOAM's solvers of buoyant flow fail on turned cells of several sizes
        d["grading"] = ["uniform", 1]
        # ... and in their first step, where phi is not that of U
        if d["start"] != "uniform" or d["drive"] != "freestream":
            d["start"] = "rest"
        return {
            "Pr": r.choice([0.7, 0.7, 1, 7]),
            # Of buoyancy over inertia
            "Richardson": float(f"{math.exp(r.uniform(math.log(0.02), math.log(3))):.3g}"),
            "down": r.choice([0, 90, 180, 270, 270, 270]),
            "inlet": 0,
            "start": r.choice([0, 0, 0.5]),
            "walls": scalarConditions(r, d, shape),
        }

    def __init__(self, description):
        super().__init__(description)
        self.solver = "buoyantBoussinesqPimpleFoam"

    #: [K], and [1/K]; gravity follows from the Richardson number
    range, beta = 10., 1e-3

    def peak(self, s):
        lines = s.shape.lines
        height = 1 if s.shape.maker else max(x[-1] - x[0] for x in lines[:2])
        return max(s.peak,
                   s.U*math.sqrt(self.numbers["Richardson"]*height))

    def transport(self, s):
        return (super().transport(s) + f"beta [0 0 0 -1 0 0 0] {self.beta};\n"
                f"TRef [0 0 0 1 0 0 0] {TREF};\n"
                f"Pr [0 0 0 0 0 0 0] {self.numbers['Pr']};\n"
                "Prt [0 0 0 0 0 0 0] 0.85;\n")

    def files(self, s):
        g = self.numbers["Richardson"]*s.U**2/(s.L*self.beta*self.range)
        angle = math.radians(self.numbers["down"])
        direction = math.cos(angle)*s.axis + math.sin(angle)*s.across
        return {"constant/g": header("uniformDimensionedVectorField", "g")
                + "dimensions [0 1 -2 0 0 0 0];\n"
                f"value {vector(g*direction)};\n"}

    def fields(self, s, patches):
        texts = scalarTexts(self.numbers, self, s, patches, TREF, self.range)
        alphat = {}
        for patch, c in self.d["patches"].items():
            alphat[patch] = (
                f"type {c['U']};" if c["U"] in CONSTRAINTS
                else "type calculated; value uniform 0;")
        return [
            ("T", "[0 0 0 1 0 0 0]",
             TREF + self.numbers["start"]*self.range, texts),
            ("alphat", "[0 2 -1 0 0 0 0]", 0, alphat),
        ]


class Fluid(Physics):
    """A generalised Newtonian fluid"""

    @staticmethod
    def draw(r, d, shape):
        model = r.choice(["powerLaw", "CrossPowerLaw", "BirdCarreau", "Casson",
                          "HerschelBulkley"])
        return {"model": model,
                "n": r.choice([0.5, 0.7, 0.8, 1.3] if model == "powerLaw"
                              else [0.4, 0.6, 0.8]),
                "yield": r.choice([0.02, 0.1, 0.3]),
                "times": r.choice([0.5, 1, 3])}

    def __init__(self, description):
        super().__init__(description)
        self.solver = "pimpleFoam"

    def transport(self, s):
        """nu is that of the case at the strain rate U/L, or about"""

        m = self.numbers
        rate, n = s.U/s.L, m["n"]

        def entry(name, time, x):
            return f"    {name} [0 2 {time} 0 0 0 0] {x:.9g};\n"

        model = m["model"]
        if model == "powerLaw":
            text = (entry("k", -1, s.nu*rate**(1 - n)) + f"    n {n};\n"
                    + entry("nuMin", -1, 0.2*s.nu)
                    + entry("nuMax", -1, 5*s.nu))
        elif model == "CrossPowerLaw":
            text = (entry("nu0", -1, 2*s.nu) + entry("nuInf", -1, 0.3*s.nu)
                    + f"    m [0 0 1 0 0 0 0] {m['times']/rate:.9g};\n"
                    + f"    n [0 0 0 0 0 0 0] {n};\n")
        elif model == "BirdCarreau":
            text = (entry("nu0", -1, 2*s.nu) + entry("nuInf", -1, 0.3*s.nu)
                    + f"    k [0 0 1 0 0 0 0] {m['times']/rate:.9g};\n"
                    + f"    n [0 0 0 0 0 0 0] {n};\n")
        elif model == "Casson":
            text = (entry("m", -1, s.nu*(1 - m["yield"]))
                    + entry("tau0", -2, s.nu*rate*m["yield"]**2)
                    + entry("nuMin", -1, 0.2*s.nu)
                    + entry("nuMax", -1, 5*s.nu))
        else:
            text = (f"    k [0 2 -1 0 0 0 0] {s.nu*rate**(1 - n):.9g};\n"
                    f"    n [0 0 0 0 0 0 0] {n};\n"
                    + entry("tau0", -2, s.nu*rate*m["yield"])
                    + entry("nu0", -1, 5*s.nu))
        return (f"transportModel {model};\n{model}Coeffs\n{{\n{text}}}\n"
                f"nu [0 2 -1 0 0 0 0] {s.nu:.12g};\n")


class Porous(Physics):
    """A porous zone across the middle of the way, or across a part"""

    @staticmethod
    def draw(r, d, shape):
        return {
            "Darcy": r.choice([1e-1, 1e-2, 1e-2, 1e-3]),
            "Forchheimer": r.choice([0, 0, 1, 5]),
            "from": r.choice([0.2, 0.35, 0.5]),
            "length": r.choice([0.15, 0.25, 0.4]),
            "height": r.choice([1, 1, 0.5]),
            "across": r.choice([1, 1, 10]),
        }

    def __init__(self, description):
        super().__init__(description)
        self.solver = "pimpleFoam"

    def topoSet(self, s):
        m = self.numbers
        if s.shape.maker:
            # Of bent blocks, half a plane
            low, high = (-1e3, m["from"] - 0.3), (1e3, 1e3)
        else:
            x, y = s.shape.lines[0], s.shape.lines[1]
            length, height = x[-1] - x[0], y[-1] - y[0]
            low = (x[0] + m["from"]*length, y[0] - 1)
            high = (low[0] + m["length"]*length, y[0] + m["height"]*height
                    + (1 if m["height"] == 1 else 0))
        L = s.L
        origin = low[0]*L*s.axis + low[1]*L*s.across
        origin[2] -= 1e3*L
        i, j = (h - l for h, l in zip(high, low))
        return (f"{{ name zone; type cellSet; action new;"
                f" source rotatedBoxToCell; origin {vector(origin)};"
                f" i {vector(i*L*s.axis)}; j {vector(j*L*s.across)};"
                f" k (0 0 {2e3*L:.9g}); }}\n"
                "{ name zone; type cellZoneSet; action new;"
                " source setToCellZone; set zone; }\n")

    def options(self, s):
        m = self.numbers
        d = 1/(m["Darcy"]*s.L**2)
        f = m["Forchheimer"]/s.L
        more = m["across"]
        return f"""
porosity1
{{
    type explicitPorositySource;
    active yes;
    explicitPorositySourceCoeffs
    {{
        selectionMode cellZone;
        cellZone zone;
        type DarcyForchheimer;
        DarcyForchheimerCoeffs
        {{
            d ({d:.9g} {more*d:.9g} {more*d:.9g});
            f ({f:.9g} {more*f:.9g} {more*f:.9g});
            coordinateSystem
            {{
                type cartesian;
                origin (0 0 0);
                rotation
                {{
                    type axes;
                    e1 {vector(s.axis)};
                    e2 {vector(s.across)};
                }}
            }}
        }}
    }}
}}
"""


#: Fields of turbulence models
MODELS = {
    "kEpsilon": ("RAS", "k epsilon"), "realizableKE": ("RAS", "k epsilon"),
    "RNGkEpsilon": ("RAS", "k epsilon"), "kOmegaSST": ("RAS", "k omega"),
    "kOmega": ("RAS", "k omega"), "SpalartAllmaras": ("RAS", "nuTilda"),
    "Smagorinsky": ("LES", ""), "WALE": ("LES", ""), "kEqn": ("LES", "k"),
}


class Turbulent(Physics):
    """OpenFOAM's turbulence models, with wall functions"""

    limits = {"U": 0.25, "p": 0.50}

    @staticmethod
    def draw(r, d, shape):
        d["Re"] = float(f"{math.exp(r.uniform(math.log(3e3), math.log(1e5))):.3g}")
        return {
            "model": choose(r, {
                "kEpsilon": 3, "realizableKE": 1, "RNGkEpsilon": 1,
                "kOmegaSST": 3, "kOmega": 0.5, "SpalartAllmaras": 1.5,
                "Smagorinsky": 1, "WALE": 1, "kEqn": 1}),
            "wall": r.choice(["nutkWallFunction", "nutUSpaldingWallFunction",
                              "nutUWallFunction"]),
            "intensity": r.choice([0.02, 0.05, 0.1]),
            "length": r.choice([0.03, 0.1]),
        }

    def __init__(self, description):
        super().__init__(description)
        self.solver = "pimpleFoam"

    def convection(self):
        return "Gauss linearUpwind grad(U)"

    def schemes(self):
        return "".join(
            f"    div(phi,{f}) Gauss upwind;\n"
            for f in ("k", "epsilon", "omega", "nuTilda"))

    def turbulence(self):
        model = self.numbers["model"]
        kind, _ = MODELS[model]
        delta = ("    delta cubeRootVol;\n    cubeRootVolCoeffs { deltaCoeff 1;"
                 " }\n" if kind == "LES" else "")
        return (f"simulationType {kind};\n{kind}\n{{\n    {kind}Model {model};\n"
                f"    turbulence on;\n    printCoeffs off;\n{delta}}}\n")

    def fields(self, s, patches):
        m = self.numbers
        k = 1.5*(m["intensity"]*s.U)**2
        length = m["length"]*s.L
        Cmu = 0.09
        start = {
            "k": ("[0 2 -2 0 0 0 0]", k, "kqRWallFunction"),
            "epsilon": ("[0 2 -3 0 0 0 0]", Cmu**0.75*k**1.5/length,
                        "epsilonWallFunction"),
            "omega": ("[0 0 -1 0 0 0 0]", k**0.5/(Cmu**0.25*length),
                      "omegaWallFunction"),
            "nuTilda": ("[0 2 -1 0 0 0 0]", Cmu**0.25*k**0.5*length, None),
        }
        kind, names = MODELS[m["model"]]
        result = []
        for name in names.split():
            dimensions, x, wall = start[name]
            texts = {}
            for patch, c in self.d["patches"].items():
                what = self.conditionOf(patch, c, s)
                texts[patch] = (
                    f"type {what};" if what in CONSTRAINTS
                    else fixed(x) if what == "inlet"
                    else f"type inletOutlet; inletValue uniform {value(x)};"
                         f" value uniform {value(x)};" if what == "outlet"
                    else "type zeroGradient;" if what == "slip"
                    else fixed(0) if name == "nuTilda"
                    else f"type {wall}; value uniform {value(x)};")
            result.append((name, dimensions, x, texts))
        texts = {}
        # Without k, the wall function that asks for U alone
        wall = m["wall"]
        if wall == "nutkWallFunction" and "k" not in names.split():
            wall = "nutUSpaldingWallFunction"
        for patch, c in self.d["patches"].items():
            what = self.conditionOf(patch, c, s)
            texts[patch] = (
                f"type {what};" if what in CONSTRAINTS
                else f"type {wall}; value uniform 0;" if what == "wall"
                else "type calculated; value uniform 0;")
        result.append(("nut", "[0 2 -1 0 0 0 0]", 0, texts))
        return result


KINDS = {"scalar": Scalar, "heat": Heat, "fluid": Fluid, "porous": Porous,
         "turbulent": Turbulent}


def draw(kind, seed, description, shape):
    """Add the physics of a kind to a description"""

    # Numbers of their own, so that they change no laminar case
    r = random.Random(f"{seed} {kind}")
    numbers = KINDS[kind].draw(r, description, shape)
    return {**description, "physics": {"kind": kind, **numbers}}


def of(description):
    kind = description.get("physics", {}).get("kind")
    return (KINDS[kind] if kind else Physics)(description)
