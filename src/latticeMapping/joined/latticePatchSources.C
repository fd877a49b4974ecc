// Compiled as one: see Make/openfoam

#include "latticeInflow.C"
#include "latticePatch.C"
#include "wallLatticePatch.C"
#include "wallFunctionLatticePatch.C"
#include "velocityLatticePatch.C"
#include "SRFFreestreamLatticePatch.C"
#include "pressureLatticePatch.C"
#include "slipLatticePatch.C"
#include "freestreamLatticePatch.C"
#include "cyclicLatticePatch.C"
#include "emptyLatticePatch.C"
