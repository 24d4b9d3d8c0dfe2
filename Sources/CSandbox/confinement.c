// The helper's side: giving up rights. If a step fails, the confinement is weaker, and the greeting
// reports the restrictions in force. The order matters, because each step removes rights that the
// next one might need.

#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confinement.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

/// A decode that crashes with less than this memory left is considered out of memory.
enum { scarce_byte_count = 32 << 20 };
enum { alternate_stack_byte_count = 32 << 10, descriptor_limit = 32 };

bool csandbox_is_helper(void) {
    int type = 0;
    socklen_t count = sizeof type;
    return getsockopt(csandbox_socket, SOL_SOCKET, SO_TYPE, &type, &count) == 0
        && type == SOCK_SEQPACKET && fcntl(csandbox_answers, F_GET_SEALS) >= 0
        && fcntl(csandbox_bodies, F_GET_SEALS) > 0 && fcntl(csandbox_control, F_GET_SEALS) > 0;
}

static void note_crash(int signal) {
    void *room = mmap(NULL, scarce_byte_count, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) _exit(csandbox_exit_memory);
    // The handler has been reset, so this ends the process, with the signal as the reason.
    raise(signal);
}

static void take_crashes(void) {
    static char stack[alternate_stack_byte_count];
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE};
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = note_crash,
                               .sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER};
    if (csandbox_is_sanitized) {
        // Without a limit, memory cannot run out, and the sanitizer's report would open a file.
        action.sa_handler = SIG_DFL;
        action.sa_flags = 0;
    } else {
        sigaltstack(&alternate, NULL);
    }
    for (size_t index = 0; index < sizeof crashes / sizeof *crashes; index++)
        sigaction(crashes[index], &action, NULL);
    // A write beyond the limit must fail instead of ending the process.
    struct sigaction ignored = {.sa_handler = SIG_IGN};
    sigaction(SIGXFSZ, &ignored, NULL);
}

void csandbox_begin(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "image-decoder");
    // The output of a decoder must not appear on the program's screen.
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int descriptor = 0; descriptor < csandbox_socket; descriptor++)
        if (nothing >= 0) dup2(nothing, descriptor); else close(descriptor);
    if (syscall(SYS_close_range, csandbox_control + 1, ~0U, 0) != 0) {
        long limit = sysconf(_SC_OPEN_MAX);
        for (int descriptor = csandbox_control + 1; descriptor < limit; descriptor++)
            close(descriptor);
    }
    take_crashes();
}

static bool limit(int resource, uint64_t value) {
    struct rlimit old, new = {.rlim_cur = value, .rlim_max = value};
    if (getrlimit(resource, &old) != 0) return false;
    // A limit that is already lower is kept.
    if (old.rlim_max < value) new.rlim_cur = new.rlim_max = old.rlim_max;
    return setrlimit(resource, &new) == 0;
}

/// Returns the size of the address space in use, in bytes; 0 if it is unknown.
static uint64_t address_byte_count(void) {
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL) return 0;
    if (fscanf(file, "%llu", &pages) != 1) pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/// Limits the address space. Sanitizers map terabytes of shadow memory, so they run without a
/// limit.
static bool limit_memory(uint64_t byte_count) {
    uint64_t base = csandbox_is_sanitized ? 0 : address_byte_count();
    return base > 0 && limit(RLIMIT_AS, base + byte_count);
}

/// Allows reading the contents of a directory.
static void allow_folder(int rules, const char *path) {
    // From linux/landlock.h: LANDLOCK_ACCESS_FS_READ_FILE and _READ_DIR,
    // LANDLOCK_RULE_PATH_BENEATH.
    struct {
        uint64_t rights;
        int32_t folder;
    } __attribute__((packed)) rule = {(1 << 2) | (1 << 3), open(path, O_PATH | O_CLOEXEC)};
    if (rule.folder < 0) return;
    syscall(SYS_landlock_add_rule, rules, 1, &rule, 0);
    close(rule.folder);
}

/// Denies access to all TCP ports and to all files except those in `folders`, and denies signals to
/// other processes, as far as the kernel's version of Landlock supports it. Returns this version,
/// or 0 if nothing is denied.
static int deny_files(const char *const *folders) {
    struct {
        uint64_t files, ports, scopes;
    } rights = {0};
    int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
    if (version < 1) return 0;
    int file_rights = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
    rights.files = (1ULL << file_rights) - 1;
    if (version >= 4) rights.ports = 3;
    if (version >= 6) rights.scopes = 3;
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &rights, size, 0);
    if (rules < 0) return 0;
    for (; *folders != NULL; folders++) allow_folder(rules, *folders);
    long result = syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
    return result == 0 ? version : 0;
}

struct csandbox_greeting csandbox_give_up(uint64_t byte_count, uint64_t seconds, bool is_large,
                                          const char *const *folders) {
    struct csandbox_greeting greeting = {.magic = csandbox_magic};
    // Without Landlock, a filter cannot distinguish a font from a private document.
    const bool has_landlock = syscall(SYS_landlock_create_ruleset, NULL, 0, 1) >= 1;
    // The filter must be loaded while files can still be opened.
    struct csandbox_filter filter =
        csandbox_load_filter(is_large, has_landlock && *folders != NULL);
    bool cannot_gain = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, seconds);
    limit(RLIMIT_NOFILE, descriptor_limit);
    // This limit also counts threads. For large libraries, the filter allows threads but not
    // processes.
    if (!is_large) limit(RLIMIT_NPROC, 0);
    limit(RLIMIT_FSIZE, byte_count);
    greeting.has_memory_limit = limit_memory(byte_count);
    greeting.landlock = cannot_gain ? deny_files(folders) : 0;
    greeting.has_filter = cannot_gain && csandbox_apply(filter);
    return greeting;
}

bool csandbox_limits_memory(void) { return !csandbox_is_sanitized; }

_Noreturn void csandbox_exit(int status) { _exit(status); }
