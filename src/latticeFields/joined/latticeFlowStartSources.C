// Compiled as one: see Make/openfoam

#include "latticeFlow.C"
#include "latticeFlowInitialStep.C"
#include "latticeFlowRestart.C"
#include "latticeFlowEngineSettings.C"
#include "latticeFlowStart.C"
#include "latticeFlowScalars.C"
