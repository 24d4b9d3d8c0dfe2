#include "libraries.h"

#include <dlfcn.h>
#include <string.h>

static _Thread_local char missing[cic_file_name_size];

// The error starts with the name or path of the file: the library, or a library that it needs.
static void record_missing(void) {
    const char *error = dlerror();
    if (missing[0] != 0 || error == NULL) return;
    const size_t count = strcspn(error, ":");
    if (count >= sizeof missing) return;
    memcpy(missing, error, count);
    missing[count] = 0;
}

void *cic_open_library(const char *name) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) record_missing();
    return library;
}

void *cic_open_first(const char *const *names) {
    void *library = NULL;
    for (; library == NULL && *names != NULL; names++) library = cic_open_library(*names);
    return library;
}

void cic_take_missing_file(char *name) {
    memcpy(name, missing, sizeof missing);
    missing[0] = 0;
}

bool cic_find_function(void *library, const char *name, void *function) {
    void *symbol = dlsym(library, name);
    // ISO C has no conversion between object and function pointers; POSIX defines this one.
    *(void **)function = symbol;
    return symbol != NULL;
}
