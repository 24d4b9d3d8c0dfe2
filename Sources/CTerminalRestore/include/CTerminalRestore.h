#ifndef CTERMINALRESTORE_H
#define CTERMINALRESTORE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <termios.h>

/// The longest crash report, with its terminating zero.
enum { cterminalrestore_report_capacity = 256 };

/// What has to be undone when the process dies while it owns the terminal.
struct cterminalrestore_plan {
    /// The terminal, open for writing.
    int terminal;
    /// Modes to set again.
    struct termios modes;
    /// Holds what was written to standard error meanwhile, or -1.
    int captured_errors;
    /// Where those messages belong, or -1.
    int real_errors;
    /// Hand a crash to the handler that was there before; otherwise the default action follows.
    bool keeps_previous_handlers;
    /// The program's name and version, and what the user should do: "PROGRAM crashed (SIGNAL). REPORT" is
    /// written to `real_errors`, or else to standard error, after a crash. Nothing if `report` is empty.
    char program[cterminalrestore_report_capacity / 4];
    char report[cterminalrestore_report_capacity / 2];
};

/// Sets a text of a plan; text that does not fit is cut.
static inline void cterminalrestore_set_report(struct cterminalrestore_plan *_Nonnull plan,
                                               const char *_Nonnull program,
                                               const char *_Nonnull report) {
    strncpy(plan->program, program, sizeof plan->program - 1);
    strncpy(plan->report, report, sizeof plan->report - 1);
}

/// The longest restore string that is kept.
enum { cterminalrestore_capacity = 512 };

/// Arms the guard: a crash (SIGILL TRAP SEGV BUS ABRT FPE), another signal that ends the process
/// unasked (SIGXCPU, SIGUSR1 …), or exit() undoes `plan` and writes `text` (`length` bytes, at most
/// the capacity) first. If another thread crashes, the calling thread is stopped before. Copies both. Returns false, and arms nothing, if the text is too long. Call
/// on the thread that owns the terminal.
bool cterminalrestore_arm(const struct cterminalrestore_plan *_Nonnull plan,
                          const char *_Nonnull text, size_t length);

/// Disarms the guard and gives the signals back to whom they belonged.
void cterminalrestore_disarm(void);

/// Does now what the guard would do at a crash, at most once until armed again.
/// Async-signal-safe.
void cterminalrestore_run(void);

#endif
