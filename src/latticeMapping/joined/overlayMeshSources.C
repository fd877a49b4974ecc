// Compiled as one: see Make/openfoam

#include "overlayMesh.C"
#include "overlayMeshBox.C"
#include "overlayMeshCells.C"
#include "overlayMeshCrossings.C"
#include "overlayMeshFluid.C"
