// Compiled as one: see Make/openfoam

#include "fluxPotential.C"
#include "initialState.C"
#include "velocityProjection.C"
#include "latticeProjection.C"
