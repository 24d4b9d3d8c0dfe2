#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

// Linux features beyond POSIX that Swift's Glibc module lacks: extended attributes, and descriptors
// that replace condition variables, signals and timers.
//
// The descriptors are closed on exec and do not block. If the kernel refuses to create one, the
// function returns -1 and sets errno.

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

extern char **environ;

/// Returns the process's environment, in the form that a child process takes.
static inline char *_Nullable *_Nonnull clinux_environment(void) { return environ; }

/// Renames like rename(2), but fails with EEXIST if the new name exists.
static inline int clinux_rename_new(const char *_Nonnull path, const char *_Nonnull target) {
    // Including the headers with these constants would replace the Glibc module.
    enum { no_replace = 1, current_folder = -100 };
    int result = (int)syscall(SYS_renameat2, current_folder, path, current_folder, target,
                              no_replace);
    if (result == 0 || (errno != EINVAL && errno != ENOSYS)) return result;
    // The file system does not support the flag: add a second name, then remove the first.
    return link(path, target) == 0 ? unlink(path) : -1;
}

/// Creates an empty file in memory, which has no path.
static inline int clinux_memory_file(void) {
    // Including the header with this constant would replace the Glibc module.
    enum { close_on_exec = 1 };
    return (int)syscall(SYS_memfd_create, "anonymous", close_on_exec);
}

/// Stores the characters that a console's font contains, at most `capacity` of them, and returns
/// the number stored; -1 if the descriptor is not a console.
static inline int clinux_console_characters(int console, uint16_t *_Nonnull characters,
                                            int capacity) {
    enum { get_unicode_map = 0x4B66, most = 8192 };
    static struct { uint16_t character, glyph; } pairs[most];
    struct { unsigned short count; void *_Nonnull pairs; } map = {most, pairs};
    if (ioctl(console, get_unicode_map, &map) != 0) return -1;
    int count = map.count < capacity ? map.count : capacity;
    for (int place = 0; place < count; place++) characters[place] = pairs[place].character;
    return count;
}

/// Makes all threads share one arena of the allocator; otherwise each thread would reserve 64 MiB
/// of address space for its own arena.
static inline void clinux_share_one_arena(void) { mallopt(M_ARENA_MAX, 1); }

/// Makes the allocator keep freed memory for reuse, up to 8 MiB per arena. By default, it returns
/// bodies of 100 kB to the kernel one by one, and the kernel must zero their pages again for the
/// next body. Blocks larger than 4 MiB, such as the pixels of a photograph, are still returned
/// immediately.
static inline void clinux_keep_freed_memory(void) {
    mallopt(M_TOP_PAD, 256 << 10);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
}

/// Creates an eventfd, which is readable after `clinux_eventfd_signal` until `clinux_take` resets
/// it.
static inline int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// Makes an eventfd readable.
static inline void clinux_eventfd_signal(int descriptor) { (void)!eventfd_write(descriptor, 1); }

/// Creates a signalfd, which is readable while a signal of `set` is pending.
static inline int clinux_signalfd(const sigset_t *_Nonnull set) {
    return signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/// Reads the number of the next pending signal from a signalfd; returns 0 if no signal is pending.
static inline int clinux_signalfd_next(int descriptor) {
    struct signalfd_siginfo information;
    bool isWhole = read(descriptor, &information, sizeof information) == sizeof information;
    return isWhole ? (int)information.ssi_signo : 0;
}

/// Creates a stopped timerfd, which becomes readable each time the period that `clinux_timerfd_set`
/// sets has passed.
static inline int clinux_timerfd(void) {
    return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
}

/// Restarts a timerfd with this period; 0 stops it.
static inline void clinux_timerfd_set(int descriptor, int64_t nanoseconds) {
    struct timespec period = {.tv_sec = nanoseconds / 1000000000,
                              .tv_nsec = nanoseconds % 1000000000};
    struct itimerspec setting = {.it_interval = period, .it_value = period};
    timerfd_settime(descriptor, 0, &setting, NULL);
}

/// Resets an eventfd or a timerfd; returns false if it was not readable.
static inline bool clinux_take(int descriptor) {
    uint64_t count;
    return read(descriptor, &count, sizeof count) == sizeof count;
}

/// Creates an inotify descriptor.
static inline int clinux_inotify(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

/// Watches for files that are written, moved, created or deleted in a directory; returns the number
/// of the watch, or -1.
static inline int clinux_inotify_watch_folder(int descriptor, const char *_Nonnull path,
                                              bool followsLinks) {
    return inotify_add_watch(descriptor, path,
                             IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE |
                                 IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK |
                                 (followsLinks ? 0 : IN_DONT_FOLLOW));
}

/// Returns the type of the file system that contains a path, as the number from statfs(2); 0 if the
/// call fails.
static inline uint32_t clinux_file_system(const char *_Nonnull path) {
    struct statfs information;
    return statfs(path, &information) == 0 ? (uint32_t)information.f_type : 0;
}

#endif
