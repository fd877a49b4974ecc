// Compiled as one: see Make/openfoam

#include "recordedStream.C"
#include "recordField.C"
#include "backgroundWriter.C"
#include "timeDirectory.C"
#include "parallelCommit.C"
#include "committedFiles.C"
#include "committedTime.C"
