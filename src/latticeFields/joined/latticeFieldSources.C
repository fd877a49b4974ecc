// Compiled as one: see Make/openfoam

#include "leastSquares.C"
#include "acousticPart.C"
#include "conservativeFlux.C"
#include "latticeFields.C"
#include "latticeBoundaryValues.C"
