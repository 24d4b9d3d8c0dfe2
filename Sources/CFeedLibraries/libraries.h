#ifndef CFL_LIBRARIES_H
#define CFL_LIBRARIES_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

/// Declares the functions of a library, which are named in a list, in a structure.
#define CFL_DECLARE(name) __typeof__(&name) name;
/// Whether a function of the list is found; to be put behind `true`.
#define CFL_FIND(name) && cfl_find_function(library, #name, &functions.name)

static inline bool cfl_find_function(void *library, const char *name, void *function) {
    void *symbol = dlsym(library, name);
    // ISO C has no conversion between pointers to objects and to functions; POSIX has this one.
    *(void **)function = symbol;
    return symbol != NULL;
}

#endif
