// Compiled as one: see Make/openfoam

#include "latticeMapping.C"
#include "latticeMappingCells.C"
#include "latticeMappingFinishLinks.C"
#include "latticeMappingInlets.C"
#include "latticeMappingNodes.C"
#include "latticeMappingOutput.C"
