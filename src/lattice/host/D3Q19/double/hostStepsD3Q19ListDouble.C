#include "host/hostEngines.H"

lbmHostSteps(D3Q19, list, doublePrecision)
