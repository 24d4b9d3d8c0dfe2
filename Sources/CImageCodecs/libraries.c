#include "libraries.h"

#include <dlfcn.h>
#include <stddef.h>

void *cic_open_library(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }

bool cic_find_function(void *library, const char *name, void *function) {
    void *symbol = dlsym(library, name);
    // ISO C has no conversion between pointers to objects and to functions; POSIX has this one.
    *(void **)function = symbol;
    return symbol != NULL;
}
