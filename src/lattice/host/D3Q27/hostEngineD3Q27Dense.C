#include "host/hostEngines.H"

lbmHostEngine(D3Q27, dense)
