#include "host/hostEngines.H"

lbmHostEngine(D3Q19, dense)
