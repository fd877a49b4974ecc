// Compiled as one: see Make/openfoam

#include "latticeFlowStep.C"
#include "latticeFlowAdaptiveStep.C"
#include "latticeFlowKeptState.C"
#include "latticeFlowSecondChance.C"
#include "latticeFlowFields.C"
