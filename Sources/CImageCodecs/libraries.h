#ifndef CIC_LIBRARIES_H
#define CIC_LIBRARIES_H

#include <stdbool.h>

/// Loads a library; NULL if it is not installed.
void *cic_open_library(const char *name);

/// Finds a function; false if the library has none of that name.
bool cic_find_function(void *library, const char *name, void *function);

#endif
