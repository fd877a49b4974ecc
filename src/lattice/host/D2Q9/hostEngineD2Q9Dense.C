#include "host/hostEngines.H"

lbmHostEngine(D2Q9, dense)
