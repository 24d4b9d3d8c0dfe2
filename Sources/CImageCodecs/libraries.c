#include "libraries.h"

#include <dlfcn.h>
#include <stddef.h>

void *cic_open_library(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }

bool cic_find_function(void *library, const char *name, void *function) {
    void *symbol = dlsym(library, name);
    // ISO C has no conversion between object and function pointers; POSIX defines this one.
    *(void **)function = symbol;
    return symbol != NULL;
}
