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

/// Whether a sanitizer is built in: it needs more addresses, system calls and signals of its own.
static const bool csandbox_is_sanitized = CSANDBOX_IS_SANITIZED;

/// A list of allowed system calls, not in force yet.
struct csandbox_filter {
    void *library;
    /// NULL if there is none.
    void *rules;
};

/// Makes the list with libseccomp, with `is_large` that of libraries which start threads, with
/// `reads_files` such that files can be opened; without rules if libseccomp is not installed.
struct csandbox_filter csandbox_load_filter(bool is_large, bool reads_files);

/// Puts it in force, for good: any other call kills the process, or, with `is_large`, fails. False if it
/// could not be.
bool csandbox_apply(struct csandbox_filter filter);

#endif
