#ifndef CSANDBOX_CONFINEMENT_H
#define CSANDBOX_CONFINEMENT_H

#include <stdbool.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CSANDBOX_IS_SANITIZED true
#endif
#endif
#ifndef CSANDBOX_IS_SANITIZED
#define CSANDBOX_IS_SANITIZED false
#endif

/// Whether the build contains a sanitizer, which needs additional address space, system calls and
/// signals.
static const bool csandbox_is_sanitized = CSANDBOX_IS_SANITIZED;

/// A list of allowed system calls, before it is put in force.
struct csandbox_filter {
    void *library;
    /// NULL if there are no rules.
    void *rules;
};

/// Creates the list of allowed system calls with libseccomp. With `is_large`, it is the list for
/// libraries that start threads; with `reads_files`, files can be opened. The result has no rules
/// if libseccomp is not installed.
struct csandbox_filter csandbox_load_filter(bool is_large, bool reads_files);

/// Puts the filter in force permanently. From then on, a system call that it does not allow kills
/// the process or, if the filter was created with `is_large`, fails. Returns false if the filter
/// could not be put in force.
bool csandbox_apply(struct csandbox_filter filter);

#endif
