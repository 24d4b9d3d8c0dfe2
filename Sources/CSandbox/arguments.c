// The arguments of the process, as the kernel passed them.

#include "CSandbox.h"

static int argument_count;
static char *const *arguments;

// glibc passes main's arguments to constructors. The Swift runtime searches for them in front of
// the environment instead, and does not find them if a preloaded library has called setenv before.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
    argument_count = count;
    arguments = values;
}

int csandbox_argument_count(void) { return argument_count; }

const char *csandbox_argument(int index) { return arguments[index]; }
