#ifndef CIC_LIBRARIES_H
#define CIC_LIBRARIES_H

#include <stdbool.h>

/// Loads a library; returns NULL if it is not installed.
void *cic_open_library(const char *name);

/// Finds a function; returns false if the library does not contain it.
bool cic_find_function(void *library, const char *name, void *function);

#endif
