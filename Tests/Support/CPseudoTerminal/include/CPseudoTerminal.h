#ifndef CPSEUDOTERMINAL_H
#define CPSEUDOTERMINAL_H

#include <sys/types.h>

/// A program running on a pseudo-terminal of its own.
struct cpseudoterminal_child {
    /// Its process, or -1 with `error` set.
    pid_t process;
    /// The master side, closed on exec. The caller closes it.
    int master;
    /// errno of what failed.
    int error;
};

/// Starts `path` as the leader of a session whose controlling terminal has this size.
/// The child has an empty signal mask and default dispositions. Both lists end with null.
struct cpseudoterminal_child cpseudoterminal_spawn(const char *_Nonnull path,
                                                   char *_Nullable const *_Nonnull arguments,
                                                   char *_Nullable const *_Nonnull environment,
                                                   int rows, int columns);

/// Changes the size (the child gets SIGWINCH); 0 or errno.
int cpseudoterminal_resize(int master, int rows, int columns);

#endif
