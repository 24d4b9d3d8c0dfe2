// The libraries that parse feed documents, loaded for the first document that needs them.
//
// No function opens a file or the network. Input bytes are borrowed.

#ifndef CFEEDLIBRARIES_H
#define CFEEDLIBRARIES_H

#include "cfl_json.h"
#include "cfl_markup.h"

#endif
