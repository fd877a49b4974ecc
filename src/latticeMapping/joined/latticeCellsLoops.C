// Compiled as one: see Make/openfoam

#include "latticeCells.C"
#include "latticeCellsExchange.C"
#include "latticeCellsFit.C"
#include "latticeCellsMean.C"
#include "latticeCellsNearest.C"
#include "latticeCellsValues.C"
