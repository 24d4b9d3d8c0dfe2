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

/// A program running without a terminal.
struct cpseudoterminal_piped {
    /// Its process, or -1 with `error` set.
    pid_t process;
    /// Where its standard output and standard error can be read, closed on exec. The caller closes
    /// them.
    int output, errors;
    /// errno of what failed.
    int error;
};

/// Starts `path` as the leader of a session without a terminal, with nothing on standard input.
struct cpseudoterminal_piped cpseudoterminal_spawn_piped(
    const char *_Nonnull path, char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nonnull environment);

/// Changes the size (the child gets SIGWINCH); 0 or errno.
int cpseudoterminal_resize(int master, int rows, int columns);

/// Returns a descriptor, closed on exec, that becomes readable when a child has ended; -1 on an
/// error.
int cpseudoterminal_watch(pid_t process);

/// Sends a signal to one thread of a process; 0, or -1 with errno.
int cpseudoterminal_signal_thread(pid_t process, pid_t thread, int signal);

#endif
