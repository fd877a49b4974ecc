#include "host/hostEngines.H"

lbmHostEngines(D2Q9, singlePrecision)
