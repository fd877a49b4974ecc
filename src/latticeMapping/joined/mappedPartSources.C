// Compiled as one: see Make/openfoam

#include "latticeMappingParts.C"
#include "latticeMappingPatches.C"
#include "latticeMappingRemote.C"
#include "latticeMappingRuns.C"
#include "latticeMappingSpeed.C"
