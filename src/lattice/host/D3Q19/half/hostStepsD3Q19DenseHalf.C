#include "host/hostEngines.H"

lbmHostSteps(D3Q19, dense, halfPrecision)
