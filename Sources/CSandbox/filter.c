// The system calls that decoding needs, allowed through libseccomp.
//
// The library is loaded with dlopen and only in helpers: the program itself never needs it.

#define _GNU_SOURCE
#include "confinement.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/// The system calls that are allowed with any arguments. A call that is not listed is not
/// available: no file can be opened, no socket created, no process or program started, and no other
/// process signaled or traced.
static const int allowed[] = {
    // Requests, bodies and responses; crash messages, which are discarded.
    SCMP_SYS(recvmsg), SCMP_SYS(sendmsg), SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(write),
    SCMP_SYS(writev), SCMP_SYS(pwrite64), SCMP_SYS(ftruncate), SCMP_SYS(close), SCMP_SYS(lseek),
    SCMP_SYS(restart_syscall),
    // Memory.
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(futex),
    // Clocks, random numbers for hashing, and information about the machine.
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(gettimeofday), SCMP_SYS(getrandom),
    SCMP_SYS(sysinfo), SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_yield), SCMP_SYS(getcpu),
    SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getrlimit),
    // Crashes and exit.
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack), SCMP_SYS(exit), SCMP_SYS(exit_group),
    SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
};

/// The additional system calls that threads need.
static const int allowed_for_threads[] = {
    SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(set_tid_address),
};

/// The system calls needed to read the files that Landlock permits.
static const int allowed_for_files[] = {
    SCMP_SYS(openat), SCMP_SYS(open), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2),
    SCMP_SYS(stat), SCMP_SYS(fstat), SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(fcntl),
};
enum { file_call_count = sizeof allowed_for_files / sizeof *allowed_for_files };

struct functions {
    scmp_filter_ctx (*init)(uint32_t action);
    int (*rule_add_array)(scmp_filter_ctx rules, uint32_t action, int call, unsigned int count,
                          const struct scmp_arg_cmp *conditions);
    int (*load)(scmp_filter_ctx rules);
    void (*release)(scmp_filter_ctx rules);
};

static bool find(void *library, struct functions *functions) {
    // POSIX allows storing a function's address in a void pointer; ISO C only allows copying its
    // bytes.
#define FIND(name)                                            \
    do {                                                      \
        void *symbol = dlsym(library, "seccomp_" #name);      \
        if (symbol == NULL) return false;                     \
        memcpy(&functions->name, &symbol, sizeof symbol);     \
    } while (0)
    FIND(init);
    FIND(rule_add_array);
    FIND(load);
    FIND(release);
#undef FIND
    return true;
}

static bool allow(const struct functions *functions, scmp_filter_ctx rules, const int *calls, size_t count) {
    bool is_complete = true;
    for (size_t index = 0; index < count; index++)
        is_complete &= functions->rule_add_array(rules, SCMP_ACT_ALLOW, calls[index], 0, NULL) == 0;
    return is_complete;
}

static bool add_rules_for_threads(const struct functions *functions, scmp_filter_ctx rules) {
    const size_t count = sizeof allowed_for_threads / sizeof *allowed_for_threads;
    bool is_complete = allow(functions, rules, allowed_for_threads, count);
    // Threads are allowed, processes are not. The filter cannot inspect the arguments of clone3;
    // glibc uses clone if clone3 is missing.
    struct scmp_arg_cmp thread = SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD);
    is_complete &=
        functions->rule_add_array(rules, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, &thread) == 0;
    is_complete &= functions->rule_add_array(
                       rules, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0, NULL) == 0;
    // Libraries start one thread per processor, or a single thread if the number is unknown. glibc
    // also makes this call, and takes the error as a sign of an old kernel.
    is_complete &= functions->rule_add_array(
                       rules, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(sched_getaffinity), 0, NULL) == 0;
    return is_complete;
}

static bool add_rules(const struct functions *functions, scmp_filter_ctx rules, bool is_large) {
    bool is_complete = true;
    for (size_t index = 0; index < sizeof allowed / sizeof *allowed; index++) {
        // This call has a separate rule.
        if (is_large && allowed[index] == SCMP_SYS(sched_getaffinity)) continue;
        is_complete &= functions->rule_add_array(rules, SCMP_ACT_ALLOW, allowed[index], 0, NULL) == 0;
    }
    if (is_large) is_complete &= add_rules_for_threads(functions, rules);
    // No executable memory.
    struct scmp_arg_cmp unexecutable = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    is_complete &=
        functions->rule_add_array(rules, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, &unexecutable) == 0;
    is_complete &=
        functions->rule_add_array(rules, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, &unexecutable) == 0;
    // Signals only to the process itself, for abort().
    struct scmp_arg_cmp itself = SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid());
    is_complete &= functions->rule_add_array(rules, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, &itself) == 0;
    return is_complete;
}

struct csandbox_filter csandbox_load_filter(bool is_large, bool reads_files) {
    struct csandbox_filter filter = {NULL, NULL};
    struct functions functions;
    filter.library = dlopen("libseccomp.so.2", RTLD_NOW | RTLD_LOCAL);
    if (filter.library == NULL || !find(filter.library, &functions)) return filter;
    // Large libraries also look for files, fonts and names, and work without them.
    scmp_filter_ctx rules = functions.init(is_large ? SCMP_ACT_ERRNO(EPERM) : SCMP_ACT_KILL_PROCESS);
    if (rules == NULL) return filter;
    if (add_rules(&functions, rules, is_large)
        && (!reads_files || allow(&functions, rules, allowed_for_files, file_call_count)))
        filter.rules = rules;
    else
        functions.release(rules);
    return filter;
}

bool csandbox_apply(struct csandbox_filter filter) {
    struct functions functions;
    if (filter.rules == NULL || !find(filter.library, &functions)) return false;
    return functions.load(filter.rules) == 0;
}
