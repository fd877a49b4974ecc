// Compiled as one: see Make/openfoam

#include "latticeMappingBlends.C"
#include "latticeMappingLinkFaces.C"
#include "latticeMappingLinks.C"
#include "nodeWalker.C"
