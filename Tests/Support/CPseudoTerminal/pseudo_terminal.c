#define _GNU_SOURCE
#include "CPseudoTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The program must not inherit the signals and files of the test runner. Another
// test's descriptors, kept open here, would hide that test's hang-ups.
static void be_fresh(void) {
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < NSIG; number++) {
        signal(number, SIG_DFL);
    }
    sigprocmask(SIG_SETMASK, &none, NULL);
    close_range(3, ~0U, 0);
}

// Both sides, closed on exec from the first moment, unlike forkpty's: another test may start a
// program in between, which would keep this terminal from ever hanging up.
static int open_terminal(int *master, int rows, int columns) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    *master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*master < 0 || grantpt(*master) != 0 || unlockpt(*master) != 0 ||
        ioctl(*master, TIOCSWINSZ, &size) != 0) {
        return -1;
    }
    return ioctl(*master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
}

struct cpseudoterminal_child cpseudoterminal_spawn(const char *path, char *const *arguments,
                                                   char *const *environment, int rows,
                                                   int columns) {
    struct cpseudoterminal_child child = {.process = -1, .master = -1, .error = 0};
    int terminal = open_terminal(&child.master, rows, columns);
    if (terminal >= 0) {
        child.process = fork();
    }
    if (child.process == 0) {
        setsid();
        ioctl(terminal, TIOCSCTTY, 0);
        for (int standard = STDIN_FILENO; standard <= STDERR_FILENO; standard++) {
            dup2(terminal, standard);
        }
        be_fresh();
        execve(path, arguments, environment);
        _exit(127);
    }
    if (child.process < 0) {
        child.error = errno;
        close(child.master);
    }
    close(terminal);
    return child;
}

static void close_pipe(const int ends[2]) {
    close(ends[0]);
    close(ends[1]);
}

struct cpseudoterminal_piped cpseudoterminal_spawn_piped(const char *path, char *const *arguments,
                                                         char *const *environment) {
    struct cpseudoterminal_piped child = {.process = -1, .output = -1, .errors = -1, .error = 0};
    int output[2], errors[2];
    if (pipe2(output, O_CLOEXEC) != 0) {
        child.error = errno;
        return child;
    }
    if (pipe2(errors, O_CLOEXEC) != 0) {
        child.error = errno;
        close_pipe(output);
        return child;
    }
    child.process = fork();
    if (child.process < 0) {
        child.error = errno;
        close_pipe(output);
        close_pipe(errors);
        return child;
    }
    if (child.process == 0) {
        setsid();
        dup2(open("/dev/null", O_RDONLY | O_NOCTTY), STDIN_FILENO);
        dup2(output[1], STDOUT_FILENO);
        dup2(errors[1], STDERR_FILENO);
        be_fresh();
        execve(path, arguments, environment);
        _exit(127);
    }
    close(output[1]);
    close(errors[1]);
    child.output = output[0];
    child.errors = errors[0];
    return child;
}

int cpseudoterminal_resize(int master, int rows, int columns) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    return ioctl(master, TIOCSWINSZ, &size) == 0 ? 0 : errno;
}

int cpseudoterminal_watch(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

int cpseudoterminal_signal_thread(pid_t process, pid_t thread, int signal) {
    return (int)syscall(SYS_tgkill, process, thread, signal);
}
