#ifndef CTERMINALRESTORE_EVENTDESCRIPTORS_H
#define CTERMINALRESTORE_EVENTDESCRIPTORS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

// Linux' descriptors for what else would come as a signal or a condition variable; Swift's
// Glibc module doesn't have their headers. Each is closed on exec and doesn't block; -1 with
// errno where the kernel refuses.

/// Readable while a signal of `set` waits.
static inline int cterminalrestore_signals(const sigset_t *_Nonnull set) {
    return signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/// Takes the next waiting signal's number; 0 if none waits.
static inline int cterminalrestore_next_signal(int descriptor) {
    struct signalfd_siginfo information;
    bool isWhole = read(descriptor, &information, sizeof information) == sizeof information;
    return isWhole ? (int)information.ssi_signo : 0;
}

/// Readable while it was raised and not taken.
static inline int cterminalrestore_flag(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// Makes the flag readable.
static inline void cterminalrestore_raise_flag(int descriptor) {
    (void)!eventfd_write(descriptor, 1);
}

/// Readable when a period of `cterminalrestore_set_timer` has passed; stopped at first.
static inline int cterminalrestore_timer(void) {
    return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
}

/// Starts a timer anew with this period; 0 stops it.
static inline void cterminalrestore_set_timer(int descriptor, int64_t nanoseconds) {
    struct timespec period = {.tv_sec = nanoseconds / 1000000000,
                              .tv_nsec = nanoseconds % 1000000000};
    struct itimerspec setting = {.it_interval = period, .it_value = period};
    timerfd_settime(descriptor, 0, &setting, NULL);
}

/// Takes what waits in a flag or a timer; false if nothing did.
static inline bool cterminalrestore_take(int descriptor) {
    uint64_t count;
    return read(descriptor, &count, sizeof count) == sizeof count;
}

#endif
