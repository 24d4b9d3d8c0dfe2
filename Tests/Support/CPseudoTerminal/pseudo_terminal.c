#define _GNU_SOURCE
#include "CPseudoTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct cpseudoterminal_child cpseudoterminal_spawn(const char *path, char *const *arguments,
                                                   char *const *environment, int rows,
                                                   int columns) {
    struct cpseudoterminal_child child = {.process = -1, .master = -1, .error = 0};
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    child.process = forkpty(&child.master, NULL, NULL, &size);
    if (child.process < 0) {
        child.error = errno;
    } else if (child.process == 0) {
        sigset_t none;
        sigemptyset(&none);
        for (int number = 1; number < NSIG; number++) {
            signal(number, SIG_DFL);
        }
        sigprocmask(SIG_SETMASK, &none, NULL);
        // Another test's descriptors, kept open here, would hide that test's hang-ups.
        close_range(3, ~0U, 0);
        execve(path, arguments, environment);
        _exit(127);
    } else {
        fcntl(child.master, F_SETFD, FD_CLOEXEC);
    }
    return child;
}

int cpseudoterminal_resize(int master, int rows, int columns) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    return ioctl(master, TIOCSWINSZ, &size) == 0 ? 0 : errno;
}
