#ifndef CSANDBOX_H
#define CSANDBOX_H

// The isolation between a program and the process that decodes for it: starting the process, the
// rights that it gives up before it reads untrusted bytes, and the messages between the two.
//
// Both sides are the same program, so messages are C structs in their memory layout. The program
// still treats data from the helper as untrusted.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The descriptors that a helper starts with, in addition to 0 to 2: its socket, the memory for its
/// responses, the memory with the bodies, and a page with the number of the last cancelled request.
enum { csandbox_socket = 3, csandbox_answers = 4, csandbox_bodies = 5, csandbox_control = 6 };

/// Bodies up to this length are passed in shared memory that is reused, because creating memory
/// takes as long as decoding a small thumbnail. Larger bodies get their own memory.
enum { csandbox_bodies_byte_count = 8 << 20 };

/// The exit status of a helper that ran out of memory.
enum { csandbox_exit_memory = 86 };

/// The task of a helper.
typedef enum __attribute__((enum_extensibility(closed))) {
    csandbox_work_decode = 0,
    csandbox_work_read_header,
    csandbox_work_read_metadata,
} csandbox_work;

/// A request to a helper. Its body (the file to decode) is in the memory for bodies, or in a memory
/// file that is sent with the request.
struct csandbox_request {
    uint64_t number;
    uint64_t byte_count;
    /// The requested size in pixels; -1 for the full size.
    int64_t target_width, target_height;
    int64_t maximum_pixel_count, maximum_byte_count, maximum_side, maximum_scan_count;
    int64_t maximum_metadata_byte_count, maximum_nanoseconds;
    /// The index of the first requested frame of an animation; -1 to decode only the first frame.
    int64_t first_frame;
    int64_t maximum_animation_byte_count;
    csandbox_work work;
    bool fills, accepts_truncation, accepts_damage, accepts_thumbnail, accepts_larger,
        uses_fast_paths;
};

enum { csandbox_text_capacity = 256 };

/// The response of a helper. The memory for responses contains the pixels of all frames, followed
/// by their durations in nanoseconds; or the metadata, whose number of bytes is in `first`.
struct csandbox_answer {
    uint64_t number;
    /// `status` is 0 for an image; otherwise it identifies an error. The numbers of the error are
    /// in `first` to `third`, and its text is in `text`.
    uint32_t status, text_count;
    int64_t first, second, third;
    int64_t width, height, announced_frame_count;
    int64_t pixel_width, pixel_height;
    /// `frame_count` is 0 for a still image; `loop_count` is -1 for endless loops.
    int64_t frame_count, loop_count;
    uint32_t orientation;
    bool has_alpha, is_progressive, is_final, is_thumbnail, pixels_have_alpha;
    char text[csandbox_text_capacity];
};

/// The message from a helper that is ready, with the rights that it has given up.
struct csandbox_greeting {
    uint64_t magic;
    /// The version of the Landlock interface; 0 if the kernel does not support it.
    int32_t landlock;
    bool has_filter, has_memory_limit;
};

extern const uint64_t csandbox_magic;

// MARK: The program's side

/// A process that was started, or the reason why it could not be started.
struct csandbox_process {
    /// -1 on failure, with `error` set.
    pid_t process;
    /// The pidfd; -1 if the kernel does not support it.
    int descriptor;
    int error;
};

/// Starts the program `path` as a helper with these descriptors, and blocks all of its signals
/// except those of crashes.
///
/// All of the program's own descriptors must be closed on exec. Both lists end with NULL.
struct csandbox_process csandbox_start(const char *_Nonnull path,
                                       char *_Nullable const *_Nonnull arguments,
                                       char *_Nullable const *_Nonnull environment, int socket,
                                       int answers, int bodies, int control);

/// The exit status of a process, or the signal that ended it.
struct csandbox_end {
    /// The signal that ended the process; 0 if no signal ended it, or if this is unknown.
    int signal;
    /// The exit status; -1 if a signal ended the process, or if the status is unknown.
    int status;
};

/// Waits until a process has ended, and frees its system resources; kills it if it has not ended
/// within `milliseconds`.
struct csandbox_end csandbox_reap(struct csandbox_process process, int milliseconds);

/// Returns the processor time of a process in nanoseconds; -1 if it is unknown.
int64_t csandbox_processor_time(pid_t process);

/// Creates a pair of sockets that preserve message boundaries; returns false with errno on failure.
bool csandbox_make_sockets(int *_Nonnull mine, int *_Nonnull other);

/// Creates a memory file that cannot be executed; returns -1 with errno on failure.
int csandbox_make_memory(const char *_Nonnull name);

/// Creates a memory file that contains these bytes and cannot be changed; returns -1 with errno on
/// failure.
int csandbox_make_sealed_copy(const void *_Nonnull bytes, size_t count);

/// Creates the memory for bodies, maps it, and stores the address in `*start`; returns -1 with
/// errno on failure. Only this program can write to the memory, and the memory cannot be resized.
int csandbox_make_bodies(void *_Nullable *_Nonnull start);

/// Unmaps the memory for bodies.
void csandbox_free_bodies(void *_Nonnull start);

/// Creates a page of memory that cannot be resized, maps it, and stores the address in `*page`;
/// returns -1 with errno on failure.
int csandbox_make_control(void *_Nullable *_Nonnull page);

/// Unmaps a page that `csandbox_make_control` created.
void csandbox_free_control(void *_Nonnull page);

/// Marks the request with this number and all earlier requests as cancelled.
void csandbox_cancel(void *_Nonnull page, uint64_t number);

/// Sends a message, with a descriptor if it is not -1; returns 0 or errno. Never blocks.
int csandbox_send(int socket, const void *_Nonnull bytes, size_t count, int descriptor);

/// Receives a message; returns its length, 0 if the other side has ended, or -1 with errno. If the
/// message is longer than `capacity`, returns `capacity` + 1. Descriptors in the message are
/// closed.
ssize_t csandbox_receive(int socket, void *_Nonnull bytes, size_t capacity);

/// Waits until a message arrives or the other side has ended; returns false on a timeout.
bool csandbox_wait(int socket, int milliseconds);

/// Reads `count` bytes of a memory file, starting at `offset`; returns false if they are not all
/// available.
bool csandbox_read(int descriptor, void *_Nonnull bytes, size_t count, int64_t offset);

/// Releases the memory of a memory file.
void csandbox_empty(int descriptor);

/// Returns the name of a crash signal, such as "SIGSEGV"; "a signal" for other signals.
const char *_Nonnull csandbox_signal_name(int signal);

// MARK: The helper's side

/// Whether the process was started as a helper; a helper is recognized by its descriptors.
bool csandbox_is_helper(void);

/// Redirects descriptors 0 to 2 to /dev/null, closes all others that a helper does not use,
/// installs handlers for crash signals, and makes the process die with its parent.
void csandbox_begin(void);

/// Gives up everything that decoding does not need: memory beyond the current size plus
/// `byte_count`, more processor time than `seconds`, files, sockets, programs and other processes.
///
/// `is_large` is for libraries that start threads and look for files: threads are allowed, and a
/// system call that is not allowed fails. Without `is_large`, such a call ends the process.
/// `folders` lists the directories that may be read, and ends with NULL. If the kernel lacks
/// Landlock, no directory can be read.
struct csandbox_greeting csandbox_give_up(uint64_t byte_count, uint64_t seconds, bool is_large,
                                          const char *_Nullable const *_Nonnull folders);

/// Whether helpers of this build can have a memory limit; with a sanitizer, they cannot.
bool csandbox_limits_memory(void);

/// Receives a request, and the descriptor of its body or -1; returns false if the other side has
/// ended or the message is not a request.
bool csandbox_take_request(struct csandbox_request *_Nonnull request, int *_Nonnull body);

/// Maps the page with the number of the last cancelled request in the helper.
const void *_Nullable csandbox_map_control(void);

/// Maps the memory for bodies in the helper.
const void *_Nullable csandbox_map_bodies(void);

/// Maps a body that has its own memory, and closes its descriptor.
const void *_Nullable csandbox_map_body(int body, size_t count);

/// Unmaps a body that has its own memory.
void csandbox_free_body(const void *_Nonnull start, size_t count);

/// Whether the request with this number is cancelled.
bool csandbox_is_cancelled(const void *_Nonnull page, uint64_t number);

/// Writes bytes to the memory for responses; returns false if there is no room.
bool csandbox_write_answer(const void *_Nonnull bytes, size_t count, int64_t offset);

/// Ends the process immediately.
_Noreturn void csandbox_exit(int status);

/// Returns a pointer to the text of a response.
static inline char *_Nonnull csandbox_text(struct csandbox_answer *_Nonnull answer) {
    return answer->text;
}

/// The number of arguments that the process was started with, including its own name.
int csandbox_argument_count(void);

/// Returns the argument at an index, which starts at 0.
const char *_Nonnull csandbox_argument(int index);

#endif
