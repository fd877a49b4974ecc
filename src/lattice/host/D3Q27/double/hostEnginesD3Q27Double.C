#include "host/hostEngines.H"

lbmHostEngines(D3Q27, doublePrecision)
