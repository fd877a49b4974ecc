// Compiled as one: see Make/openfoam

#include "latticeObstacle.C"
#include "latticeWalls.C"
#include "wallFit.C"
#include "wallNeighbours.C"
#include "wallSurroundings.C"
#include "wholePopulations.C"
#include "latticePopulations.C"
