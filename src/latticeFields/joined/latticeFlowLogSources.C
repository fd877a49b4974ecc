// Compiled as one: see Make/openfoam

#include "latticeFlowDevices.C"
#include "latticeFlowMemory.C"
#include "latticeFlowSummary.C"
#include "latticeFlowChecks.C"
#include "latticeFlowBoundaryValues.C"
#include "latticeFlowViscosity.C"
