// Compiled as one: see Make/openfoam

#include "errorReport.C"
#include "caseChecks.C"
#include "functionObjectTimes.C"
#include "latticeFunctionObject.C"
#include "steadyControl.C"
