// Compiled as one: see Make/openfoam

#include "inputChecks.C"
#include "nodeValues.C"
