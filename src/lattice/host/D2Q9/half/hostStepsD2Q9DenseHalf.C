#include "host/hostEngines.H"

lbmHostSteps(D2Q9, dense, halfPrecision)
