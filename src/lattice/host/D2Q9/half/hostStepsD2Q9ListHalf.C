#include "host/hostEngines.H"

lbmHostSteps(D2Q9, list, halfPrecision)
