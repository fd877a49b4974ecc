// Compiled as one: see Make/openfoam

#include "buoyantHeat.C"
#include "boundaryFit.C"
#include "scalarOnLattice.C"
#include "latticeScalars.C"
