// The program's side: starting a helper, and determining how it ended.

#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

enum { waits_for_descriptor = 3, given_count = 4 };

/// Selects all signals except those of crashes, so that keys and hangups of a terminal do not reach
/// the helper.
static void block_all_but_crashes(sigset_t *signals) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGXCPU};
    sigfillset(signals);
    for (size_t index = 0; index < sizeof crashes / sizeof *crashes; index++)
        sigdelset(signals, crashes[index]);
}

static int add_descriptors(posix_spawn_file_actions_t *actions, const int *sources) {
    static const int targets[] = {csandbox_socket, csandbox_answers, csandbox_bodies,
                                  csandbox_control};
    int error = 0;
    for (int index = 0; index < given_count && error == 0; index++)
        error = posix_spawn_file_actions_adddup2(actions, sources[index], targets[index]);
    return error;
}

static int spawn(const char *path, char *const *arguments, char *const *environment,
                 const int *sources, pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        sigset_t all, blocked;
        sigfillset(&all);
        block_all_but_crashes(&blocked);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setsigmask(&attributes, &blocked);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
        error = add_descriptors(&actions, sources);
        if (error == 0)
            error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

struct csandbox_process csandbox_start(const char *path, char *const *arguments,
                                       char *const *environment, int socket, int answers,
                                       int bodies, int control) {
    struct csandbox_process result = {.process = -1, .descriptor = -1};
    int sources[] = {socket, answers, bodies, control};
    int error = 0;
    // Duplicates them above the target numbers, so that none is overwritten before it is copied.
    for (int index = 0; index < given_count; index++) {
        sources[index] = fcntl(sources[index], F_DUPFD_CLOEXEC, csandbox_control + 1);
        if (sources[index] < 0 && error == 0) error = errno;
    }
    if (error == 0) error = spawn(path, arguments, environment, sources, &result.process);
    for (int index = 0; index < given_count; index++)
        if (sources[index] >= 0) close(sources[index]);
    if (error != 0) {
        result.process = -1;
        result.error = error;
        return result;
    }
    // A process ID may refer to another process once this one has ended and other code has waited
    // for it, or if SIGCHLD is ignored. A pidfd cannot.
    result.descriptor = (int)syscall(SYS_pidfd_open, result.process, 0);
    return result;
}

static bool ends_within(struct csandbox_process process, int milliseconds) {
    if (process.descriptor < 0) {
        // Without a pidfd, the process must be polled.
        for (;; milliseconds -= 5) {
            siginfo_t information = {0};
            int result = waitid(P_PID, (id_t)process.process, &information,
                                WEXITED | WNOHANG | WNOWAIT);
            if (result != 0 || information.si_pid != 0) return true;
            if (milliseconds <= 0) return false;
            poll(NULL, 0, 5);
        }
    }
    struct pollfd source = {.fd = process.descriptor, .events = POLLIN};
    int count;
    do count = poll(&source, 1, milliseconds);
    while (count < 0 && errno == EINTR);
    return count > 0;
}

struct csandbox_end csandbox_reap(struct csandbox_process process, int milliseconds) {
    struct csandbox_end end = {.signal = 0, .status = -1};
    if (!ends_within(process, milliseconds)) {
        if (process.descriptor >= 0)
            syscall(SYS_pidfd_send_signal, process.descriptor, SIGKILL, NULL, 0);
        else
            kill(process.process, SIGKILL);
    }
    siginfo_t information = {0};
    int result;
    do {
        result = process.descriptor >= 0
            ? waitid((idtype_t)waits_for_descriptor, (id_t)process.descriptor, &information, WEXITED)
            : waitid(P_PID, (id_t)process.process, &information, WEXITED);
    } while (result != 0 && errno == EINTR);
    if (result == 0) {
        if (information.si_code == CLD_EXITED)
            end.status = information.si_status;
        else
            end.signal = information.si_status;
    }
    if (process.descriptor >= 0) close(process.descriptor);
    return end;
}

int64_t csandbox_processor_time(pid_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

const char *csandbox_signal_name(int signal) {
    switch (signal) {
        case SIGSEGV: return "SIGSEGV";
        case SIGBUS: return "SIGBUS";
        case SIGILL: return "SIGILL";
        case SIGTRAP: return "SIGTRAP";
        case SIGABRT: return "SIGABRT";
        case SIGFPE: return "SIGFPE";
        case SIGSYS: return "SIGSYS";
        case SIGKILL: return "SIGKILL";
        case SIGXCPU: return "SIGXCPU";
        default: return "a signal";
    }
}
