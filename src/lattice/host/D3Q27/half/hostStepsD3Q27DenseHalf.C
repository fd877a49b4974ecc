#include "host/hostEngines.H"

lbmHostSteps(D3Q27, dense, halfPrecision)
