// Compiled as one: see Make/openfoam

#include "latticeSettings.C"
#include "latticeUnits.C"
#include "latticeMemory.C"
#include "runSamples.C"
#include "pstreamCommunicator.C"
#include "wholeBoundary.C"
#include "fluidRuns.C"
#include "linkFluxes.C"
#include "latticeShell.C"
#include "cellWeights.C"
