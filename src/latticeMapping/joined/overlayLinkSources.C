// Compiled as one: see Make/openfoam

#include "overlayMeshLinks.C"
#include "overlayMeshOwners.C"
#include "overlayMeshPaths.C"
#include "overlayMeshRegions.C"
#include "overlayMeshSpacing.C"
