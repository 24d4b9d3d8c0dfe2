#include "CTerminalRestore.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Crashes, followed by signals that end a process without a handler, such as a limit on processor
// time (SIGXCPU) or `kill -USR1`.
static const int guarded_signals[] = {
    SIGILL,  SIGTRAP, SIGSEGV,   SIGBUS,  SIGABRT, SIGFPE, SIGSYS, SIGXCPU,
    SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO,   SIGPWR, SIGSTKFLT,
};
enum {
    guarded_count = sizeof guarded_signals / sizeof guarded_signals[0],
    crash_count = 6,
};

// Written by arm and disarm on the owner's thread. A handler reads them only while `is_armed` is
// set, which happens after they are complete.
static struct cterminalrestore_plan plan;
static char restore_text[cterminalrestore_capacity];
static size_t restore_length;
static struct sigaction previous[guarded_count];
static atomic_bool is_armed;
// The thread that armed the guard and draws on the terminal.
static pthread_t owner;
static atomic_bool is_owner_parked;
static atomic_bool is_crashing;

// The guard needs a few hundred bytes; the rest is for a previous handler that runs on this stack.
static char alternate_stack[64 * 1024];

// A terminal that is not being read must not keep a dying process alive, so each wait is limited.
static void write_all(int descriptor, const char *bytes, size_t count) {
    while (count > 0) {
        struct pollfd writable = {.fd = descriptor, .events = POLLOUT};
        if (poll(&writable, 1, 500) <= 0) {
            return;
        }
        ssize_t written = write(descriptor, bytes, count);
        if (written < 0 && (errno == EINTR || errno == EAGAIN)) {
            continue;
        }
        if (written <= 0) {
            return;
        }
        bytes += written;
        count -= (size_t)written;
    }
}

// The last 64 KiB are enough to show the cause, and a flood of messages must not delay the exit.
static void print_captured_errors(void) {
    struct stat status;
    if (plan.captured_errors < 0 || plan.real_errors < 0 ||
        fstat(plan.captured_errors, &status) != 0) {
        return;
    }
    off_t offset = status.st_size > 65536 ? status.st_size - 65536 : 0;
    char chunk[2048];
    ssize_t count;
    while ((count = pread(plan.captured_errors, chunk, sizeof chunk, offset)) > 0) {
        write_all(plan.real_errors, chunk, (size_t)count);
        offset += count;
    }
}

void cterminalrestore_run(void) {
    if (!atomic_exchange(&is_armed, false)) {
        return;
    }
    write_all(plan.terminal, restore_text, restore_length);
    tcsetattr(plan.terminal, TCSANOW, &plan.modes);
    print_captured_errors();
}

static const char *name_of(int number) {
    switch (number) {
    case SIGILL: return "SIGILL";
    case SIGTRAP: return "SIGTRAP";
    case SIGSEGV: return "SIGSEGV";
    case SIGBUS: return "SIGBUS";
    case SIGABRT: return "SIGABRT";
    case SIGFPE: return "SIGFPE";
    default: return NULL;
    }
}

static void append(char *line, const char *text) {
    size_t length = strlen(line), room = cterminalrestore_report_capacity - 1 - length;
    size_t count = strlen(text) < room ? strlen(text) : room;
    memcpy(line + length, text, count);
    line[length + count] = 0;
}

static void report_crash(int number) {
    const char *name = name_of(number);
    if (name == NULL || plan.report[0] == 0) {
        return;
    }
    char line[cterminalrestore_report_capacity] = "";
    append(line, plan.program);
    append(line, " crashed (");
    append(line, name);
    append(line, "). ");
    append(line, plan.report);
    append(line, "\n");
    int errors = plan.real_errors < 0 ? STDERR_FILENO : plan.real_errors;
    // The cursor may be anywhere.
    struct termios modes;
    if (tcgetattr(errors, &modes) == 0) {
        write_all(errors, "\r\n", 2);
    }
    write_all(errors, line, strlen(line));
}

// Stops a thread that must no longer write to the terminal. It never continues: the process ends.
static void park(int number) {
    (void)number;
    atomic_store(&is_owner_parked, true);
    for (;;) {
        pause();
    }
}

// If another thread crashed, the owner may be writing an image at this moment, and would continue
// after the terminal was restored.
static void stop_owner(void) {
    if (pthread_equal(pthread_self(), owner) || pthread_kill(owner, SIGRTMAX) != 0) {
        return;
    }
    for (int wait = 0; wait < 100 && !atomic_load(&is_owner_parked); wait++) {
        poll(NULL, 0, 5);
    }
}

static void give_signals_back(void) {
    for (int index = 0; index < guarded_count; index++) {
        sigaction(guarded_signals[index], &previous[index], NULL);
    }
}

static void crashed(int number, siginfo_t *information, void *context) {
    (void)context;
    int saved = errno;
    if (atomic_exchange(&is_crashing, true)) {
        // Another thread is restoring the terminal, and then ends the process.
        for (;;) {
            pause();
        }
    }
    bool reports = atomic_load(&is_armed);
    if (reports) {
        stop_owner();
    }
    cterminalrestore_run();
    if (reports) {
        report_crash(number);
    }
    give_signals_back();
    if (!plan.keeps_previous_handlers) {
        signal(number, SIG_DFL);
    }
    // A fault occurs again on return, with its address, for the next handler. A signal that was
    // sent (abort, kill, a limit) and a trap, which has moved past its instruction, would not.
    bool is_fault = number == SIGILL || number == SIGSEGV || number == SIGBUS || number == SIGFPE;
    if (information->si_code <= 0 || !is_fault) {
        raise(number);
    }
    errno = saved;
}

static void use_alternate_stack(void) {
    stack_t current;
    if (sigaltstack(NULL, &current) == 0 && !(current.ss_flags & SS_DISABLE)) {
        return;
    }
    stack_t own = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
    sigaltstack(&own, NULL);
}

bool cterminalrestore_arm(const struct cterminalrestore_plan *new_plan, const char *text,
                          size_t length) {
    static bool is_registered = false;
    if (length > cterminalrestore_capacity) {
        return false;
    }
    cterminalrestore_disarm();
    plan = *new_plan;
    memcpy(restore_text, text, length);
    restore_length = length;
    owner = pthread_self();
    use_alternate_stack();
    struct sigaction parking = {.sa_handler = park};
    sigfillset(&parking.sa_mask);
    sigaction(SIGRTMAX, &parking, NULL);
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    action.sa_sigaction = crashed;
    sigfillset(&action.sa_mask);
    for (int index = 0; index < guarded_count; index++) {
        sigaction(guarded_signals[index], NULL, &previous[index]);
        // A signal that is ignored (nohup and the like) or used by a profiler does not end the
        // process.
        if (index < crash_count || previous[index].sa_handler == SIG_DFL) {
            sigaction(guarded_signals[index], &action, NULL);
        }
    }
    atomic_store(&is_armed, true);
    if (!is_registered) {
        is_registered = atexit(cterminalrestore_run) == 0;
    }
    return true;
}

void cterminalrestore_disarm(void) {
    if (atomic_exchange(&is_armed, false)) {
        give_signals_back();
    }
}
