#------------------------------------------------------------------------------
# License
#     This file is part of lbmGpuFoam, distributed under GPL-3.0-or-later.
#     Copyright (C) 2026 lbmGpuFoam contributors
#------------------------------------------------------------------------------
"""OpenFOAM cases through VTK: values along lines, and pictures of fields.

Cases are read with vtkOpenFOAMReader, the reader that ParaView has.
Pictures are of the plane of a two-dimensional case, or of the middle plane of
another. They need no display: where there is none, Xvfb is started.
"""

import contextlib
import math
import os
import re
import shutil
import subprocess
import sys

try:
    import numpy as np
    import vtk
    from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy
except ImportError as missing:
    # Another python comes first on the PATH: go on in that of bin/environment
    python = os.environ.get("LBMGPUFOAM_PYTHON") or "/usr/bin/python3"
    if not os.path.exists(python) or os.path.samefile(python, sys.executable):
        sys.exit(f"{sys.argv[0]}: {missing} "
                 "(packages python3-vtk9 and python3-numpy)")
    os.execv(python, [python] + sys.argv)

import foamFields

AXES = "xyz"


class PlotError(RuntimeError):
    """What went wrong, in words for the user"""


#------------------------------------------------------------------------------
# Cases
#------------------------------------------------------------------------------

class Case:
    """One time of a case, on its plane.

    normal      axis across the plane (x, y, z), place the coordinate where it
                crosses it [m]; chosen where they are None
    a, b        axes of the plane (0, 1, 2), c the one across it; right-handed
    centres     [n][2] places (a, b) of cells and of boundary faces; of cyclic
                patches there are none
    fields      name -> values there, [n] or [n][3]
    isCell      [n] whether the place is a cell
    mesh        vtkUnstructuredGrid with cell and point data
    bounds      ((a, a), (b, b)) of the mesh [m]
    """

    def __init__(self, path, time=None, label=None, normal=None, place=None):
        self.path = os.path.abspath(path)
        control = os.path.join(self.path, "system", "controlDict")
        if not os.path.isfile(control):
            raise PlotError(f"Not an OpenFOAM case: {self.path}")

        self.label = (label or foamFields.readEntry(control, "application")
                      or os.path.basename(self.path))
        self._read(time)
        self._choosePlane(normal, place)
        self._collect()
        self._plane = None

    def timeText(self):
        """The time with its unit, or the iteration of a steady case."""

        schemes = os.path.join(self.path, "system", "fvSchemes")
        text = open(schemes).read() if os.path.isfile(schemes) else ""
        if re.search(r"ddtSchemes\s*\{[^}]*\bdefault\s+steadyState\s*;", text):
            return f"iteration {self.time:g}"
        return f"t = {self.time:g} s"

    def _read(self, time):
        # The reader wants a file; what is in it does not matter
        file = os.path.join(self.path, "case.foam")
        if not os.path.exists(file):
            open(file, "w").close()

        reader = vtk.vtkOpenFOAMReader()
        reader.SetFileName(file)
        reader.SetCreateCellToPoint(1)
        reader.SetDecomposePolyhedra(0)
        reader.UpdateInformation()

        times = reader.GetTimeValues()
        times = vtk_to_numpy(times) if times else np.zeros(0)
        if times.size == 0:
            raise PlotError(f"No time directory in {self.path}")

        # To name no time takes the latest
        nearest = times[-1 if time is None else np.abs(times - time).argmin()]
        if time is not None and abs(nearest - time) > 1e-5*abs(time):
            raise PlotError(f"No time {time} in {self.path}; there are "
                            + " ".join(f"{t:g}" for t in times))
        self.time = float(nearest)

        reader.EnableAllCellArrays()
        reader.EnableAllPatchArrays()
        reader.UpdateTimeStep(self.time)
        self._reader = reader

        output = reader.GetOutput()

        # A case with more than one mesh: its own one comes first
        if isinstance(output.GetBlock(0), vtk.vtkMultiBlockDataSet):
            output = output.GetBlock(0)

        self.mesh = output.GetBlock(0)
        self.patches = {}
        for i in range(1, output.GetNumberOfBlocks()):
            block = output.GetBlock(i)
            if isinstance(block, vtk.vtkMultiBlockDataSet):
                for j in range(block.GetNumberOfBlocks()):
                    name = block.GetMetaData(j).Get(
                        vtk.vtkCompositeDataSet.NAME())
                    # Of those the reader repeats the values of the cells
                    if name not in self._cyclicPatches():
                        self.patches[name] = block.GetBlock(j)

    def _cyclicPatches(self):
        file = os.path.join(self.path, "constant", "polyMesh", "boundary")
        boundary = foamFields.readFile(file).decode(errors="replace")
        return re.findall(r"(\S+)\s*\{\s*type\s+cyclic\w*\s*;", boundary)

    def _choosePlane(self, normal, place):
        """Across the direction with the fewest layers of cells"""

        centres = _centres(self.mesh)
        box = np.array(self.mesh.GetBounds()).reshape(3, 2)
        size = box[:, 1] - box[:, 0]
        layers = [len(np.unique(np.round(centres[:, i]/size[i], 5)))
                  for i in range(3)]

        # Of equals the last: x-y is the plane of most cases
        self.c = 2 - int(np.argmin(layers[::-1])) if normal is None \
            else AXES.index(normal)
        self.a, self.b = (self.c + 1) % 3, (self.c + 2) % 3
        self.bounds = (tuple(box[self.a]), tuple(box[self.b]))
        self._thickness = size[self.c]
        # Off the middle a little, which may be where cells meet
        if place is None:
            place = box[self.c].mean()
        elif not box[self.c, 0] <= place <= box[self.c, 1]:
            raise PlotError(
                f"The mesh of {self.path} lies between {AXES[self.c]} = "
                f"{box[self.c, 0]:g} and {box[self.c, 1]:g}")
        self._middle = place + 1e-3*size[self.c]/layers[self.c]

    def _collect(self):
        """Cells of the plane and the boundary faces that cross it"""

        places, fields, isCell = [], {}, []
        self._inRows = True
        blocks = [(self.mesh, True)]
        blocks += [(patch, False) for patch in self.patches.values()]

        for block, cells in blocks:
            if block.GetNumberOfCells() == 0:
                continue

            box = np.array([block.GetCell(i).GetBounds()[2*self.c:2*self.c + 2]
                            for i in range(block.GetNumberOfCells())])
            # Faces that lie in the plane, as those of empty patches, do not
            inside = (box[:, 0] < self._middle) & (box[:, 1] > self._middle)

            centres = _centres(block)[inside]
            if cells:
                self._inRows = _inRows(block, np.flatnonzero(inside))
            places.append(centres[:, [self.a, self.b]])
            isCell.append(np.full(len(centres), cells))

            data = block.GetCellData()
            for i in range(data.GetNumberOfArrays()):
                values = vtk_to_numpy(data.GetArray(i)).astype(float)[inside]
                fields.setdefault(data.GetArrayName(i), []).append(values)

        self.centres = np.concatenate(places)
        self.isCell = np.concatenate(isCell)
        self.fields = {
            name: np.concatenate(values) for name, values in fields.items()
            if sum(map(len, values)) == len(self.centres)
        }

    def plane(self):
        """The plane as vtkPolyData, see plane()"""
        if self._plane is None:
            self._plane = plane(self)
        return self._plane

    def _probe(self, name, along, at, number=400):
        """Values along a line, from the points of the plane"""

        low, high = self.bounds[along]
        # The ends are just inside
        s = np.linspace(low, high, number)
        places = np.zeros((number, 3))
        places[:, along] = np.clip(s, low + 1e-5*(high - low),
                                   high - 1e-5*(high - low))
        places[:, 1 - along] = at

        sampled, inside = probe(self.plane(), places)
        array = sampled.GetArray("U" if name in ("u", "v") else name)
        if array is None:
            raise PlotError(f"No field {name} at time {self.time:g} of "
                            f"{self.path}")
        values = vtk_to_numpy(array).astype(float)
        if name in ("u", "v"):
            values = values[:, 0 if name == "u" else 1]
        values[~inside] = np.nan
        return s, values

    def values(self, name):
        """Values of a field, or of a component of U in the plane: u, v"""

        if name in ("u", "v"):
            return self.values("U")[:, self.a if name == "u" else self.b]
        if name not in self.fields:
            raise PlotError(f"No field {name} at time {self.time:g} of "
                            f"{self.path}; there are "
                            + " ".join(sorted(self.fields)))
        return self.fields[name]

    def axis(self, i):
        """Name of an axis of the plane: 0 the first, 1 the second"""
        return AXES[self.b if i else self.a]

    def component(self, name):
        """Name of u, v in the axes of the case, eg, Uy"""
        return "U" + self.axis(name == "v") if name in ("u", "v") else name

    def line(self, name, along, at=None):
        """Places and values of a field along a line of the plane.

        along   0 or 1, the axis of the plane
        at      place on the other axis; the middle if none is given

        The values are those of the two rows of cells beside the line,
        interpolated to it, and of the boundary at its ends. Where cells do not
        stand in rows they are interpolated between the points of the mesh, NaN
        outside.
        """

        across = 1 - along
        if at is None:
            at = 0.5*sum(self.bounds[across])

        if not self._inRows:
            return self._probe(name, along, at)

        size = self.bounds[across][1] - self.bounds[across][0]
        place = self.centres[:, across]
        rows = np.unique(np.round(place[self.isCell]/size, 5))*size
        tolerance = 2e-5*size

        def row(i):
            chosen = np.abs(place - rows[i]) < tolerance
            s = self.centres[chosen, along]
            order = np.argsort(s, kind="stable")
            return s[order], self.values(name)[chosen][order]

        i = int(np.clip(np.searchsorted(rows, at), 1, len(rows) - 1)) \
            if len(rows) > 1 else 0
        s, upper = row(i)
        if len(rows) > 1 and abs(rows[i] - at) > tolerance:
            lowerS, lower = row(i - 1)
            weight = (at - rows[i - 1])/(rows[i] - rows[i - 1])
            if len(lowerS) == len(s) and np.allclose(lowerS, s, atol=tolerance):
                return s, (1 - weight)*lower + weight*upper
            if weight < 0.5:
                s, upper = lowerS, lower

        return s, upper


def _inRows(mesh, cells):
    """Whether cells are boxes along the axes"""

    points = vtk_to_numpy(mesh.GetPoints().GetData())
    size = np.ptp(points, axis=0).max()

    for i in cells:
        ids = mesh.GetCell(i).GetPointIds()
        if ids.GetNumberOfIds() != 8:
            return False
        corners = points[[ids.GetId(k) for k in range(8)]]
        off = np.minimum(corners - corners.min(axis=0),
                         corners.max(axis=0) - corners)
        if off.max() > 2e-5*size:
            return False
    return True


def probe(data, places):
    """Point data at places [n][3], and whether these are inside"""

    points = vtk.vtkPoints()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(places), deep=True))
    target = vtk.vtkPolyData()
    target.SetPoints(points)

    filter = vtk.vtkProbeFilter()
    filter.SetInputData(target)
    filter.SetSourceData(data)
    filter.SetTolerance(1e-3*np.ptp(data.GetBounds()))
    filter.ComputeToleranceOff()
    filter.Update()
    sampled = filter.GetOutput().GetPointData()
    return sampled, vtk_to_numpy(
        sampled.GetArray(filter.GetValidPointMaskArrayName())) > 0


def _centres(block):
    filter = vtk.vtkCellCenters()
    filter.SetInputData(block)
    filter.Update()
    return vtk_to_numpy(filter.GetOutput().GetPoints().GetData()).astype(float)


#------------------------------------------------------------------------------
# Drawing
#------------------------------------------------------------------------------

@contextlib.contextmanager
def display():
    """A display to draw on: the one that is there, or an Xvfb of our own"""

    if os.environ.get("DISPLAY") \
            or vtk.vtkRenderWindow().GetClassName() != "vtkXOpenGLRenderWindow":
        yield
        return

    if not shutil.which("Xvfb"):
        raise PlotError("No display, and no Xvfb to make up for it "
                        "(package xvfb)")

    # The server chooses a free number and writes it to the pipe
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-noreset", "-displayfd", str(write),
         "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
        pass_fds=[write], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)

    try:
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise PlotError("Xvfb did not start")
        os.environ["DISPLAY"] = ":" + number
        yield
    finally:
        os.environ.pop("DISPLAY", None)
        server.terminate()
        server.wait()


# Perceptually uniform (viridis), and diverging for signed values
SEQUENTIAL = ["440154", "482878", "3e4989", "31688e", "26828e", "1f9e89",
              "35b779", "6ece58", "b5de2b", "fde725"]
DIVERGING = ["3b4cc0", "6788ee", "9abbff", "c9d7f0", "edd1c2", "f7a889",
             "e26952", "b40426"]

BLACK = (0.13, 0.13, 0.13)
GREY = (0.6, 0.6, 0.6)
LINE_COLOURS = [(0.12, 0.38, 0.66), (0.85, 0.37, 0.01), (0.2, 0.55, 0.2),
                (0.5, 0.3, 0.6)]


def _rgb(text):
    return tuple(int(text[i:i + 2], 16)/255 for i in (0, 2, 4))


def lookupTable(colours, low, high):
    function = vtk.vtkColorTransferFunction()
    for i, colour in enumerate(colours):
        function.AddRGBPoint(i/(len(colours) - 1), *_rgb(colour))

    table = vtk.vtkLookupTable()
    table.SetNumberOfTableValues(256)
    table.SetRange(low, high)
    table.Build()
    for i in range(256):
        table.SetTableValue(i, *function.GetColor(i/255), 1)
    return table


def ticks(low, high, number=5):
    """Round values between two limits, about so many"""

    if not high > low:
        return [low]
    raw = (high - low)/number
    step = 10**math.floor(math.log10(raw))
    step *= min((1, 2, 2.5, 5, 10), key=lambda f: abs(f*step - raw))
    first = math.ceil(low/step - 1e-6)
    return [i*step for i in range(first, math.floor(high/step + 1e-6) + 1)]


class Picture:
    """A picture in the making. Places are in points from the lower left."""

    # Drawn at a multiple of the size and averaged, for smooth edges
    scale = 2

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.window = vtk.vtkRenderWindow()
        self.window.SetOffScreenRendering(1)
        self.window.SetMultiSamples(0)
        self.window.SetSize(width*self.scale, height*self.scale)
        self.window.SetNumberOfLayers(2)

        background = vtk.vtkRenderer()
        background.SetBackground(1, 1, 1)
        self.window.AddRenderer(background)

        self.overlay = vtk.vtkRenderer()
        self.overlay.SetLayer(1)
        self.overlay.InteractiveOff()
        self.window.AddRenderer(self.overlay)

    def text(self, x, y, text, size=14, align="left", valign="centre",
             bold=False, colour=BLACK, turned=False):
        actor = vtk.vtkTextActor()
        actor.SetInput(text)
        actor.SetPosition(x*self.scale, y*self.scale)
        style = actor.GetTextProperty()
        style.SetFontFamilyToArial()
        style.SetFontSize(int(size*self.scale))
        style.SetBold(bold)
        style.SetColor(*colour)
        if turned:
            style.SetOrientation(90)
        getattr(style, "SetJustificationTo" + {
            "left": "Left", "centre": "Centered", "right": "Right"}[align])()
        getattr(style, "SetVerticalJustificationTo" + {
            "bottom": "Bottom", "centre": "Centered", "top": "Top"}[valign])()
        self.overlay.AddActor2D(actor)

    def _shapes(self, points, cells, lines, colour, width):
        points = np.asarray(points, dtype=float)*self.scale
        data = vtk.vtkPolyData()
        vtkPoints = vtk.vtkPoints()
        vtkPoints.SetData(numpy_to_vtk(
            np.column_stack([points, np.zeros(len(points))]), deep=True))
        data.SetPoints(vtkPoints)
        array = vtk.vtkCellArray()
        for cell in cells:
            array.InsertNextCell(len(cell))
            for i in cell:
                array.InsertCellPoint(i)
        (data.SetLines if lines else data.SetPolys)(array)

        mapper = vtk.vtkPolyDataMapper2D()
        mapper.SetInputData(data)
        actor = vtk.vtkActor2D()
        actor.SetMapper(mapper)
        actor.GetProperty().SetColor(*colour)
        actor.GetProperty().SetLineWidth(width*self.scale)
        self.overlay.AddActor2D(actor)

    def lines(self, polylines, colour=BLACK, width=1.0):
        points, cells = [], []
        for line in polylines:
            cells.append(range(len(points), len(points) + len(line)))
            points.extend(line)
        if points:
            self._shapes(points, cells, True, colour, width)

    def box(self, x, y, width, height, colour):
        self._shapes([(x, y), (x + width, y), (x + width, y + height),
                      (x, y + height)], [range(4)], False, colour, 1)

    def markers(self, places, shape="circle", size=7, colour=BLACK, open=True):
        n = {"circle": 16, "diamond": 4}[shape]
        angle = np.arange(n)*2*np.pi/n
        outline = 0.5*size*np.column_stack([np.cos(angle), np.sin(angle)])
        polygons = [np.asarray(place) + outline for place in places]
        if not polygons:
            return
        cells = [range(i*n, i*n + n) for i in range(len(polygons))]
        points = np.concatenate(polygons)
        self._shapes(points, cells, False, (1, 1, 1) if open else colour, 1)
        self.lines([np.vstack([p, p[:1]]) for p in polygons], colour, 1.3)

    def renderer(self, x, y, width, height, bounds):
        """A view of a plane (a, b, 0) that fills a box of the picture"""

        view = vtk.vtkRenderer()
        view.SetBackground(1, 1, 1)
        view.SetViewport(x/self.width, y/self.height,
                         (x + width)/self.width, (y + height)/self.height)
        (a0, a1), (b0, b1) = bounds
        camera = view.GetActiveCamera()
        camera.ParallelProjectionOn()
        size = max(a1 - a0, b1 - b0)
        camera.SetPosition(0.5*(a0 + a1), 0.5*(b0 + b1), 10*size)
        camera.SetFocalPoint(0.5*(a0 + a1), 0.5*(b0 + b1), 0)
        camera.SetViewUp(0, 1, 0)
        camera.SetParallelScale(0.5*(b1 - b0))
        camera.SetClippingRange(size, 20*size)
        self.window.AddRenderer(view)
        return view

    def write(self, path):
        self.window.Render()
        grab = vtk.vtkWindowToImageFilter()
        grab.SetInput(self.window)
        grab.ReadFrontBufferOff()
        grab.Update()
        image = grab.GetOutput()
        w, h, _ = image.GetDimensions()
        s = self.scale
        pixels = vtk_to_numpy(image.GetPointData().GetScalars())
        pixels = pixels.reshape(h//s, s, w//s, s, 3).mean(axis=(1, 3))

        small = vtk.vtkImageData()
        small.SetDimensions(w//s, h//s, 1)
        small.GetPointData().SetScalars(numpy_to_vtk(
            np.round(pixels).astype(np.uint8).reshape(-1, 3), deep=True))

        writer = vtk.vtkPNGWriter()
        writer.SetFileName(path)
        writer.SetInputData(small)
        writer.Write()
        if writer.GetErrorCode():
            raise PlotError(f"Cannot write {path}")

        # Before the display goes
        self.window.Finalize()


class Chart:
    """Axes in a box of a picture, and curves in them.

    xMarks      values and labels along the first axis, chosen where None
    """

    def __init__(self, picture, x, y, width, height, xRange, yRange,
                 xLabel="", yLabel="", title="", log=False, grid=True,
                 number=5, xMarks=None):
        self.picture, self.log = picture, log
        self.x, self.y, self.width, self.height = x, y, width, height
        self.xRange = np.array(self._transform(xRange))
        self.yRange = np.array(self._transform(yRange))

        frame = [(x, y), (x + width, y), (x + width, y + height),
                 (x, y + height), (x, y)]

        for horizontal, (low, high) in ((True, self.xRange),
                                        (False, self.yRange)):
            length = width if horizontal else height
            if horizontal and xMarks is not None:
                marks = xMarks
            elif log:
                marks = [(t, f"{10.0**t:g}") for t in range(
                    math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)]
                if len(marks) < 2:
                    marks = [
                        (math.log10(f*10**e), f"{f*10.0**e:g}")
                        for e in range(math.floor(low), math.ceil(high) + 1)
                        for f in (1, 2, 5)
                        if low - 1e-9 <= math.log10(f*10**e) <= high + 1e-9]
            else:
                n = number if isinstance(number, int) else \
                    number[0 if horizontal else 1]
                marks = [(t, _number(t, high - low))
                         for t in ticks(low, high, n)]

            for value, label in marks:
                at = (value - low)/(high - low)*length
                if horizontal:
                    if grid:
                        picture.lines([[(x + at, y), (x + at, y + height)]],
                                      (0.88, 0.88, 0.88), 0.6)
                    picture.lines([[(x + at, y), (x + at, y - 4)]])
                    picture.text(x + at, y - 7, label, 12, "centre", "top")
                else:
                    if grid:
                        picture.lines([[(x, y + at), (x + width, y + at)]],
                                      (0.88, 0.88, 0.88), 0.6)
                    picture.lines([[(x, y + at), (x - 4, y + at)]])
                    picture.text(x - 8, y + at, label, 12, "right")

        picture.lines([frame])
        if xLabel:
            picture.text(x + width/2, y - 27, xLabel, 14, "centre", "top")
        if yLabel:
            picture.text(x - 50, y + height/2, yLabel, 14, "centre", "bottom",
                         turned=True)
        if title:
            picture.text(x + width/2, y + height + 10, title, 15, "centre",
                         "bottom", bold=True)

    def _transform(self, values):
        values = np.asarray(values, dtype=float)
        return np.log10(values) if self.log else values

    def _places(self, xs, ys):
        xs, ys = self._transform(xs), self._transform(ys)
        return np.column_stack([
            self.x + (xs - self.xRange[0])/np.ptp(self.xRange)*self.width,
            self.y + (ys - self.yRange[0])/np.ptp(self.yRange)*self.height])

    def line(self, xs, ys, colour, width=2.0):
        self.picture.lines([self._places(xs, ys)], colour, width)

    def points(self, xs, ys, **style):
        self.picture.markers(self._places(xs, ys), **style)

    def legend(self, entries, corner="upper left"):
        """entries: label, colour, and None for a line or a marker's style"""

        width = 50 + 8.2*max(len(entry[0]) for entry in entries)
        height = 20*len(entries) + 8
        x = self.x + 10 if "left" in corner else \
            self.x + self.width - width - 10
        y = self.y + 10 if "lower" in corner else \
            self.y + self.height - height - 10
        self.picture._shapes(
            [(x, y), (x + width, y), (x + width, y + height), (x, y + height)],
            [range(4)], False, (1, 1, 1), 1)
        self.picture.lines([[(x, y), (x + width, y), (x + width, y + height),
                             (x, y + height), (x, y)]], (0.8, 0.8, 0.8), 0.8)

        for i, (label, colour, marker) in enumerate(entries):
            at = y + height - 14 - 20*i
            if marker is None:
                self.picture.lines([[(x + 8, at), (x + 32, at)]], colour, 2.0)
            else:
                self.picture.markers([(x + 20, at)], colour=colour, **marker)
            self.picture.text(x + 40, at, label, 12)


def _number(value, span):
    """A label as short as the distance between labels allows"""

    if abs(value) < 1e-9*span:
        return "0"
    if not 1e-3 <= span < 1e5:
        return f"{value:.2g}" if abs(value) >= 0.1*span else f"{value:.1g}"
    decimals = max(0, 2 - math.floor(math.log10(span)))
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


#------------------------------------------------------------------------------
# Fields
#------------------------------------------------------------------------------

def plane(case):
    """The plane of a case as vtkPolyData in (a, b, 0), with point data.

    Values at points are means of the cells around, on the boundary of the
    boundary faces around.
    """

    mesh = vtk.vtkUnstructuredGrid()
    mesh.ShallowCopy(case.mesh)
    points = vtk_to_numpy(mesh.GetPoints().GetData()).astype(float)
    size = np.ptp(points, axis=0).max()

    def keys(coordinates):
        return [tuple(row) for row in
                np.round(coordinates/size*1e5).astype(int).tolist()]

    index = {key: i for i, key in enumerate(keys(points))}
    data = mesh.GetPointData()
    names = [data.GetArrayName(i) for i in range(data.GetNumberOfArrays())]
    values = {name: vtk_to_numpy(data.GetArray(name)).astype(float)
              for name in names}
    sums = {name: np.zeros_like(v) for name, v in values.items()}
    counts = np.zeros(len(points))

    for patch in case.patches.values():
        n = patch.GetNumberOfCells()
        if n == 0:
            continue
        box = np.array([patch.GetCell(i).GetBounds()[2*case.c:2*case.c + 2]
                        for i in range(n)])
        across = np.ptp(box, axis=1) <= 1e-4*case._thickness
        keysOf = keys(vtk_to_numpy(patch.GetPoints().GetData()).astype(float))
        arrays = {name: vtk_to_numpy(patch.GetCellData().GetArray(name))
                  for name in names if patch.GetCellData().HasArray(name)}
        for i in np.flatnonzero(~across):
            ids = patch.GetCell(i).GetPointIds()
            for k in range(ids.GetNumberOfIds()):
                point = index.get(keysOf[ids.GetId(k)])
                if point is None:
                    continue
                counts[point] += 1
                for name, array in arrays.items():
                    sums[name][point] += array[i]

    mesh.GetPointData().Initialize()
    onBoundary = counts > 0
    for name in names:
        v = values[name]
        v[onBoundary] = (sums[name][onBoundary].T/counts[onBoundary]).T
        array = numpy_to_vtk(v, deep=True)
        array.SetName(name)
        mesh.GetPointData().AddArray(array)
    mesh.GetCellData().Initialize()

    cutter = vtk.vtkCutter()
    cutPlane = vtk.vtkPlane()
    normal, origin = [0, 0, 0], [0, 0, 0]
    normal[case.c], origin[case.c] = 1, case._middle
    cutPlane.SetNormal(normal)
    cutPlane.SetOrigin(origin)
    cutter.SetCutFunction(cutPlane)
    cutter.SetInputData(mesh)
    cutter.Update()
    cut = cutter.GetOutput()

    order = [case.a, case.b, case.c]
    result = vtk.vtkPolyData()
    result.DeepCopy(cut)
    p = vtk_to_numpy(cut.GetPoints().GetData())[:, order].astype(float)
    p[:, 2] = 0
    vtkPoints = vtk.vtkPoints()
    vtkPoints.SetData(numpy_to_vtk(p, deep=True))
    result.SetPoints(vtkPoints)
    for name in names:
        v = vtk_to_numpy(cut.GetPointData().GetArray(name))
        if v.ndim == 2 and v.shape[1] == 3:
            v = v[:, order].copy()
            v[:, 2] = 0
            array = numpy_to_vtk(v, deep=True)
            array.SetName(name)
            result.GetPointData().AddArray(array)
    if result.GetPointData().HasArray("U"):
        u = vtk_to_numpy(result.GetPointData().GetArray("U"))
        array = numpy_to_vtk(np.linalg.norm(u, axis=1), deep=True)
        array.SetName("magU")
        result.GetPointData().AddArray(array)

    # A cutter gives every cell points of its own
    clean = vtk.vtkCleanPolyData()
    clean.SetInputData(result)
    clean.SetTolerance(1e-5)
    clean.Update()

    return clean.GetOutput()


def drawField(picture, case, data, name, table, box, title, streamLines=False,
              yLabels=True):
    """A field of a case, coloured, with axes, in a box of the picture"""

    x, y, width, height = box
    view = picture.renderer(x, y, width, height, case.bounds)

    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputData(data)
    mapper.SetScalarModeToUsePointFieldData()
    mapper.SelectColorArray(name)
    mapper.SetLookupTable(table)
    mapper.UseLookupTableScalarRangeOn()
    mapper.InterpolateScalarsBeforeMappingOn()
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().LightingOff()
    view.AddActor(actor)

    size = max(b - a for a, b in case.bounds)

    edges = vtk.vtkFeatureEdges()
    edges.SetInputData(data)
    edges.BoundaryEdgesOn()
    edges.FeatureEdgesOff()
    edges.ManifoldEdgesOff()
    edges.NonManifoldEdgesOff()
    edges.ColoringOff()
    edges.Update()
    view.AddActor(_lineActor(edges.GetOutput(), BLACK, 1.5*picture.scale,
                             0.02*size))

    if streamLines:
        lines = _streamLines(case, data)
        if lines:
            view.AddActor(_lineActor(lines, (1, 1, 1), 1.1*picture.scale,
                                     0.01*size))

    Chart(picture, x, y, width, height, *case.bounds,
          xLabel=f"{case.axis(0)} [m]",
          yLabel=f"{case.axis(1)} [m]" if yLabels else "",
          title=title, grid=False, number=(4, max(2, min(4, int(height/60)))))


def _lineActor(data, colour, width, lift):
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputData(data)
    mapper.ScalarVisibilityOff()
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(*colour)
    actor.GetProperty().SetLineWidth(width)
    actor.GetProperty().LightingOff()
    actor.SetPosition(0, 0, lift)
    return actor


def _streamLines(case, data):
    """Evenly spaced stream lines of U, None where nothing moves.

    Lines are started one after the other and end where they come near another
    (Jobard & Lefer 1997, doi:10.1007/978-3-7091-6876-9_5).
    """

    (a0, a1), (b0, b1) = case.bounds
    size, short = max(a1 - a0, b1 - b0), min(a1 - a0, b1 - b0)
    spacing, step = min(0.06*size, 0.15*short), min(0.004*size, 0.01*short)

    # Velocity on a fine grid
    fine = min(size/250, short/80)
    n = [int(math.ceil((end - start)/fine)) + 1 for start, end in case.bounds]
    h = np.array([(a1 - a0)/(n[0] - 1), (b1 - b0)/(n[1] - 1)])
    grid = vtk.vtkImageData()
    grid.SetDimensions(n[0], n[1], 1)
    grid.SetOrigin(a0, b0, 0)
    grid.SetSpacing(*h, 1)
    probe = vtk.vtkProbeFilter()
    probe.SetInputData(grid)
    probe.SetSourceData(data)
    probe.SetTolerance(1e-3*size)
    probe.ComputeToleranceOff()
    probe.Update()
    sampled = probe.GetOutput().GetPointData()
    u = vtk_to_numpy(sampled.GetArray("U"))[:, :2].reshape(n[1], n[0], 2)
    inside = vtk_to_numpy(
        sampled.GetArray(probe.GetValidPointMaskArrayName())
    ).reshape(n[1], n[0]) > 0

    slow = 1e-5*np.abs(u).max()
    if slow == 0:
        return None

    def direction(p):
        """Unit vector along U, None outside and where nothing moves"""

        x, y = (p[0] - a0)/h[0], (p[1] - b0)/h[1]
        i, j = int(math.floor(x)), int(math.floor(y))
        if not (0 <= i < n[0] - 1 and 0 <= j < n[1] - 1
                and inside[j:j + 2, i:i + 2].all()):
            return None
        x, y = x - i, y - j
        v = ((1 - y)*((1 - x)*u[j, i] + x*u[j, i + 1])
             + y*((1 - x)*u[j + 1, i] + x*u[j + 1, i + 1]))
        speed = math.hypot(*v)
        return v/speed if speed > slow else None

    lines, drawn = [], {}

    def near(p, distance):
        """Whether a line that is drawn already comes so near"""

        i, j = int(p[0]//spacing), int(p[1]//spacing)
        return any(
            (p[0] - q[0])**2 + (p[1] - q[1])**2 < distance**2
            for k in (i - 1, i, i + 1) for m in (j - 1, j, j + 1)
            for q in drawn.get((k, m), ()))

    def trace(seed, sign):
        """Points of half a line, and whether it came back to its start"""

        p, points = seed, []
        for count in range(max(1200, int(1.5*size/step))):
            v = direction(p)
            v = direction(p + 0.5*sign*step*v) if v is not None else None
            if v is None:
                break
            p = p + sign*step*v
            if near(p, 0.5*spacing):
                break
            points.append(p)
            back = seed - p
            if count*step > spacing and math.hypot(*back) < 0.3*spacing:
                # Round once; a spiral misses its start
                if abs(v[0]*back[1] - v[1]*back[0]) < 0.05*spacing:
                    points.append(seed)
                return points, True
        return points, False

    centre = np.array([0.5*(a0 + a1), 0.5*(b0 + b1)])
    seeds = [np.array([a, b])
             for a in np.arange(a0 + 0.3*spacing, a1, 0.5*spacing)
             for b in np.arange(b0 + 0.3*spacing, b1, 0.5*spacing)]

    for seed in sorted(seeds, key=lambda p: math.hypot(*(p - centre))):
        if near(seed, spacing):
            continue
        forward, closed = trace(seed, 1)
        backward = [] if closed else trace(seed, -1)[0]
        line = backward[::-1] + [seed] + forward
        if len(line)*step > 1.5*spacing:
            lines.append(line)
            for q in line:
                key = int(q[0]//spacing), int(q[1]//spacing)
                drawn.setdefault(key, []).append(q)

    points = vtk.vtkPoints()
    cells = vtk.vtkCellArray()
    for line in lines:
        cells.InsertNextCell(len(line))
        for q in line:
            cells.InsertCellPoint(points.InsertNextPoint(*q, 0))

    result = vtk.vtkPolyData()
    result.SetPoints(points)
    result.SetLines(cells)
    return result


def drawSurface(picture, surface, name, table, box, towards, up=(0, 0, 1)):
    """A surface, coloured by an array of its points, seen from outside.

    surface  vtkPolyData [m]
    towards  from the surface to the eye
    """

    x, y, width, height = box
    view = vtk.vtkRenderer()
    view.SetBackground(1, 1, 1)
    view.SetViewport(x/picture.width, y/picture.height,
                     (x + width)/picture.width, (y + height)/picture.height)

    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputData(surface)
    mapper.SetScalarModeToUsePointFieldData()
    mapper.SelectColorArray(name)
    mapper.SetLookupTable(table)
    mapper.UseLookupTableScalarRangeOn()
    mapper.InterpolateScalarsBeforeMappingOn()
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetAmbient(0.35)
    actor.GetProperty().SetDiffuse(0.65)
    view.AddActor(actor)

    towards = np.array(towards, dtype=float)/np.linalg.norm(towards)
    right = np.cross(up, towards)
    right /= np.linalg.norm(right)
    above = np.cross(towards, right)
    points = vtk_to_numpy(surface.GetPoints().GetData()).astype(float)
    middle = 0.5*(points.min(axis=0) + points.max(axis=0))
    extent = [np.abs((points - middle) @ axis).max() for axis in (right, above)]
    size = np.ptp(points, axis=0).max()

    camera = view.GetActiveCamera()
    camera.ParallelProjectionOn()
    camera.SetPosition(*(middle + 10*size*towards))
    camera.SetFocalPoint(*middle)
    camera.SetViewUp(*up)
    camera.SetParallelScale(1.03*max(extent[1], extent[0]*height/width))
    camera.SetClippingRange(5*size, 15*size)
    picture.window.AddRenderer(view)


def patchSurface(case, patch, name, values=None):
    """A patch as vtkPolyData with magnitudes of a field, smoothed to points.

    values  what to show instead of the field's magnitudes, [faces]
    """

    if patch not in case.patches:
        raise PlotError(f"No patch {patch} in {case.path}; there are "
                        + " ".join(sorted(case.patches)))
    block = vtk.vtkPolyData()
    block.DeepCopy(case.patches[patch])
    if values is None:
        array = block.GetCellData().GetArray(name)
        if array is None:
            raise PlotError(f"No field {name} on patch {patch} at time "
                            f"{case.time:g} of {case.path}")
        values = vtk_to_numpy(array).astype(float)
        if values.ndim > 1:
            values = np.linalg.norm(values, axis=1)
    array = numpy_to_vtk(np.ascontiguousarray(values), deep=True)
    array.SetName(name)
    block.GetCellData().Initialize()
    block.GetPointData().Initialize()
    block.GetCellData().AddArray(array)

    points = vtk.vtkCellDataToPointData()
    points.SetInputData(block)
    points.Update()
    normals = vtk.vtkPolyDataNormals()
    normals.SetInputConnection(points.GetOutputPort())
    normals.SetFeatureAngle(50)
    normals.Update()
    return normals.GetOutput()


def drawColourBar(picture, table, box, label):
    """A vertical colour bar in a box of the picture"""

    x, y, width, height = box
    low, high = table.GetRange()
    n = 128
    for i in range(n):
        colour = table.GetTableValue(int(i*255/(n - 1)))[:3]
        y0, y1 = y + i*height/n, y + (i + 1)*height/n + 0.5
        picture._shapes([(x, y0), (x + width, y0), (x + width, y1), (x, y1)],
                        [range(4)], False, colour, 1)
    picture.lines([[(x, y), (x + width, y), (x + width, y + height),
                    (x, y + height), (x, y)]])
    for value in ticks(low, high, 5):
        at = y + (value - low)/(high - low)*height
        picture.lines([[(x + width, at), (x + width + 4, at)]])
        picture.text(x + width + 8, at, _number(value, high - low), 12)
    picture.text(x, y + height + 10, label, 14, "left", "bottom")
