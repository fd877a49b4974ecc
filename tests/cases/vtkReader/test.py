"""VTK's OpenFOAM reader, ParaView's, finds the numbers that are in the files.

The reader keeps single precision: half a unit in its last place is 6e-8.
"""

from caseTest import *

sys.path.insert(0, str(top / "bin"))

try:
    import numpy as np
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError as missing:
    skipped("vtk", missing)
    finish()

import foamFields  # noqa: E402

SINGLE = 6e-8


def read(case):
    file = case / "case.foam"
    file.touch()
    reader = vtk.vtkOpenFOAMReader()
    reader.SetFileName(str(file))
    reader.SetCreateCellToPoint(0)
    reader.UpdateInformation()
    reader.EnableAllPatchArrays()
    reader.EnableAllCellArrays()
    return reader


def blocks(reader):
    """Internal mesh and patches by name"""

    found = {}

    def walk(block):
        for i in range(block.GetNumberOfBlocks()):
            child = block.GetBlock(i)
            name = block.GetMetaData(i).Get(vtk.vtkCompositeDataSet.NAME())
            if isinstance(child, vtk.vtkMultiBlockDataSet):
                walk(child)
            else:
                found[name] = child

    walk(reader.GetOutput())
    return found


def values(block, name):
    array = block.GetCellData().GetArray(name)
    return None if array is None else vtk_to_numpy(array).astype(float)


def same(found, wanted):
    """Whether two arrays are the same but for single precision"""

    if found is None:
        return False
    wanted = np.broadcast_to(wanted, found.shape) \
        if len(np.atleast_1d(wanted)) == 1 else wanted
    return found.shape == wanted.shape and np.all(
        np.abs(found - wanted) <= SINGLE*np.abs(wanted) + 1e-30)


for format in ("ascii", "binary"):
    case = copyCase("cavity", format)
    control = case / "system/controlDict"
    setEntry(control, "writeFormat", format)
    setEntry(control, "writePrecision", 10)
    mustRun("blockMesh", case)
    mustRun("lbmGpuFoam", case)

    names = foamFields.timeNames(case)
    reader = read(case)
    found = vtk_to_numpy(reader.GetTimeValues())
    check(f"{format}.times",
          len(names) > 2 and np.allclose(found, [float(n) for n in names]),
          f"{found} instead of {names}")

    wrong = {"format": [], "cells": [], "patches": []}

    for name in names[1:]:
        reader.UpdateTimeStep(float(name))
        data = blocks(reader)

        for field in ("U", "p"):
            place = f"{name}/{field}"
            file = foamFields.readField(str(case / place))
            cells = values(data["internalMesh"], field)

            if file.format != format:
                wrong["format"].append(f"{place}: {file.format}")
            if not (same(cells, file.internal) and np.ptp(cells) > 0.1):
                wrong["cells"].append(place)

            for patch, condition in file.boundary.items():
                if condition.type == "empty":
                    continue
                shown = values(data[patch], field)
                wanted = condition.values
                if wanted is None and condition.type == "noSlip":
                    wanted = np.zeros((1, 3))

                # Of zeroGradient the file has no values: those of cells
                if shown is None or not (
                        np.isin(shown, cells).all() if wanted is None
                        else same(shown, wanted)):
                    wrong["patches"].append(f"{place} {patch}: {shown}")

    for what, places in wrong.items():
        check(f"{format}.{what}", not places, "; ".join(places))

finish()
