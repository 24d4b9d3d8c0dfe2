#ifndef CFL_LIBRARIES_H
#define CFL_LIBRARIES_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

/// Declares a struct member for one function in the list of a library's functions.
#define CFL_DECLARE(name) __typeof__(&name) name;
/// Checks whether a function of the list is found; must follow another condition.
#define CFL_FIND(name) && cfl_find_function(library, #name, &functions.name)

static inline bool cfl_find_function(void *library, const char *name, void *function) {
    void *symbol = dlsym(library, name);
    // ISO C has no conversion between object and function pointers; POSIX defines this one.
    *(void **)function = symbol;
    return symbol != NULL;
}

#endif
