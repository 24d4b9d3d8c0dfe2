#ifndef CTERMINALRESTORE_H
#define CTERMINALRESTORE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <termios.h>

/// The maximum size of a crash report in bytes, including the terminating NUL.
enum { cterminalrestore_report_capacity = 256 };

/// The terminal state to restore if the process dies while it owns the terminal.
struct cterminalrestore_plan {
    /// The terminal, open for writing.
    int terminal;
    /// The modes to restore.
    struct termios modes;
    /// A file with the captured standard error output, or -1.
    int captured_errors;
    /// The original destination of that output, or -1.
    int real_errors;
    /// Whether a crash is passed to the previous handler; otherwise the default action follows.
    bool keeps_previous_handlers;
    /// The program's name and version, and the advice to the user: "PROGRAM crashed (SIGNAL).
    /// REPORT" is written to `real_errors` after a crash, or to standard error if `real_errors` is
    /// negative. Nothing is written if `report` is empty.
    char program[cterminalrestore_report_capacity / 4];
    char report[cterminalrestore_report_capacity / 2];
};

/// Sets the program and the report of a plan; text that does not fit is truncated.
static inline void cterminalrestore_set_report(struct cterminalrestore_plan *_Nonnull plan,
                                               const char *_Nonnull program,
                                               const char *_Nonnull report) {
    strncpy(plan->program, program, sizeof plan->program - 1);
    strncpy(plan->report, report, sizeof plan->report - 1);
}

/// The maximum length of the restore string in bytes.
enum { cterminalrestore_capacity = 512 };

/// Arms the guard: on a crash (SIGILL TRAP SEGV BUS ABRT FPE), on another signal that ends the
/// process by default (SIGXCPU, SIGUSR1 …), or on exit(), it first writes `text` (`length` bytes,
/// at most the capacity) and restores the state in `plan`. Copies `plan` and `text`. Returns false,
/// and arms nothing, if the text is too long. Call it on the thread that owns the terminal.
bool cterminalrestore_arm(const struct cterminalrestore_plan *_Nonnull plan,
                          const char *_Nonnull text, size_t length);

/// Disarms the guard and restores the previous signal handlers.
void cterminalrestore_disarm(void);

/// Performs the guard's work now, at most once until the guard is armed again. Async-signal-safe.
void cterminalrestore_run(void);

#endif
