#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

// What Linux has beyond POSIX and Swift's Glibc module leaves out: extended attributes, and
// descriptors for what else would come as a condition variable, a signal or a timer.
//
// The descriptors are closed on exec and don't block; making one gives -1 with errno where the
// kernel refuses.

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

/// The process's environment, as a child takes it.
static inline char *_Nullable *_Nonnull clinux_environment(void) { return environ; }

/// As rename(2), but fails with EEXIST if there is a file of the new name.
static inline int clinux_rename_new(const char *_Nonnull path, const char *_Nonnull target) {
    // Their headers would take the place of Glibc's module.
    enum { no_replace = 1, current_folder = -100 };
    int result = (int)syscall(SYS_renameat2, current_folder, path, current_folder, target,
                              no_replace);
    if (result == 0 || (errno != EINVAL && errno != ENOSYS)) return result;
    // A file system that can't say so: a second name, and then without the first.
    return link(path, target) == 0 ? unlink(path) : -1;
}

/// The characters of a console's font, of which at most `capacity` are stored; -1 if the descriptor is
/// no console.
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

/// Has all threads share one arena of the allocator, where each would reserve 64 MiB of addresses for
/// its own.
static inline void clinux_share_one_arena(void) { mallopt(M_ARENA_MAX, 1); }

/// Has the allocator keep what is freed for what is needed next, up to 8 MiB an arena, where by default it
/// gives bodies of 100 kB back to the kernel one by one, and has their pages zeroed again for the next.
/// What is larger than 4 MiB, such as the pixels of a photograph, goes back at once.
static inline void clinux_keep_freed_memory(void) {
    mallopt(M_TOP_PAD, 256 << 10);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
}

/// Makes an eventfd: readable from `clinux_eventfd_signal` until `clinux_take`.
static inline int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// Makes an eventfd readable.
static inline void clinux_eventfd_signal(int descriptor) { (void)!eventfd_write(descriptor, 1); }

/// Makes a signalfd: readable while a signal of `set` waits.
static inline int clinux_signalfd(const sigset_t *_Nonnull set) {
    return signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/// Takes the next waiting signal's number from a signalfd; 0 if none waits.
static inline int clinux_signalfd_next(int descriptor) {
    struct signalfd_siginfo information;
    bool isWhole = read(descriptor, &information, sizeof information) == sizeof information;
    return isWhole ? (int)information.ssi_signo : 0;
}

/// Makes a timerfd: readable when a period of `clinux_timerfd_set` has passed; stopped at first.
static inline int clinux_timerfd(void) {
    return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
}

/// Starts a timerfd anew with this period; 0 stops it.
static inline void clinux_timerfd_set(int descriptor, int64_t nanoseconds) {
    struct timespec period = {.tv_sec = nanoseconds / 1000000000,
                              .tv_nsec = nanoseconds % 1000000000};
    struct itimerspec setting = {.it_interval = period, .it_value = period};
    timerfd_settime(descriptor, 0, &setting, NULL);
}

/// Takes what waits in an eventfd or a timerfd; false if nothing did.
static inline bool clinux_take(int descriptor) {
    uint64_t count;
    return read(descriptor, &count, sizeof count) == sizeof count;
}

/// Makes an inotify descriptor.
static inline int clinux_inotify(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

/// Watches what is written, moved and deleted in a folder; the number of the watch, or -1.
static inline int clinux_inotify_watch_folder(int descriptor, const char *_Nonnull path,
                                              bool followsLinks) {
    return inotify_add_watch(descriptor, path,
                             IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE |
                                 IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK |
                                 (followsLinks ? 0 : IN_DONT_FOLLOW));
}

/// The number of a path's file system in statfs(2); 0 if there is none.
static inline uint32_t clinux_file_system(const char *_Nonnull path) {
    struct statfs information;
    return statfs(path, &information) == 0 ? (uint32_t)information.f_type : 0;
}

#endif
