#include "host/hostEngines.H"

lbmHostEngines(D3Q19, halfPrecision)
