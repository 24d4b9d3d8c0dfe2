// The libraries that read the documents of feeds, loaded with the first document that needs them.
//
// Nothing here opens a file or the network. Input bytes are borrowed.

#ifndef CFEEDLIBRARIES_H
#define CFEEDLIBRARIES_H

#include "cfl_json.h"
#include "cfl_markup.h"

#endif
