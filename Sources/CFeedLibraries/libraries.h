#ifndef CFL_LIBRARIES_H
#define CFL_LIBRARIES_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

/// Declares a struct member for the pointer to the library function `name`.
#define CFL_DECLARE(name) __typeof__(&name) name;
/// Finds the library function `name`, and stores its address in `functions`. The expansion starts
/// with `&&`, so it must follow another condition.
#define CFL_FIND(name) && cfl_find_function(library, #name, &functions.name)

static inline bool cfl_find_function(void *library, const char *name, void *function) {
    void *symbol = dlsym(library, name);
    // ISO C has no conversion between object and function pointers; POSIX defines this one.
    *(void **)function = symbol;
    return symbol != NULL;
}

#endif
