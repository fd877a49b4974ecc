// Compiled as one: see Make/openfoam

#include "effectiveViscosity.C"
#include "effectiveViscosityLaws.C"
#include "eddyVariables.C"
#include "latticeLaminarModel.C"
