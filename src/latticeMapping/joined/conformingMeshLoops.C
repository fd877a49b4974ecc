// Compiled as one: see Make/openfoam

#include "conformingMesh.C"
#include "conformingMeshPlaces.C"
#include "conformingMeshSpacing.C"
