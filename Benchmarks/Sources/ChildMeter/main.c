// ChildMeter PROGRAM ARGUMENT…: runs a program and writes its costs to standard error: CPU time in
// the program and in the kernel in microseconds, the largest resident size in KiB, the elapsed time
// in microseconds, and the exit status.
//
// This is a separate program because Linux counts the size of the starting process toward the peak
// of the started one: every child started by a benchmark would seem to need the megabytes of the
// benchmark.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long microseconds(struct timeval time)
{
    return time.tv_sec * 1000000L + time.tv_usec;
}

static long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000L + time.tv_nsec / 1000;
}

int main(int count, char **arguments)
{
    struct rusage usage;
    int status = 0;
    if (count < 2) return 2;
    long start = now();
    pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) {
        int silence = open("/dev/null", O_WRONLY);
        if (silence >= 0) dup2(silence, STDERR_FILENO);
        execvp(arguments[1], arguments + 1);
        _exit(127);
    }
    if (wait4(child, &status, 0, &usage) != child) return 1;
    fprintf(stderr, "%ld %ld %ld %ld %d\n", microseconds(usage.ru_utime),
            microseconds(usage.ru_stime), usage.ru_maxrss, now() - start,
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return 0;
}
