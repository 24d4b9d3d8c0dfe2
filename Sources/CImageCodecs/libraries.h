#ifndef CIC_LIBRARIES_H
#define CIC_LIBRARIES_H

#include <stdbool.h>

/// Loads a library; returns NULL if it is not installed.
void *cic_open_library(const char *name);

/// Loads the first library in `names` that is installed; returns NULL if none is installed. The
/// list ends with NULL.
void *cic_open_first(const char *const *names);

enum { cic_file_name_size = 256 };

/// Copies the name of the first file that this thread could not load since the last call, or an
/// empty string. `name` has room for cic_file_name_size bytes.
void cic_take_missing_file(char *name);

/// Finds a function; returns false if the library does not contain it.
bool cic_find_function(void *library, const char *name, void *function);

#endif
