#ifndef CSANDBOX_H
#define CSANDBOX_H

// The wall between a program and the process that decodes for it: how the process is started, what
// it gives up before it sees a stranger's bytes, and the messages that pass between the two.
//
// Both sides are the same program, so messages are C structs as they lie in memory. What comes from
// the helper is read as a stranger's all the same.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The descriptors that a helper is born with, besides 0 to 2: its socket, the memory for its
/// answers, the memory where it finds bodies, and a page that says what is cancelled.
enum { csandbox_socket = 3, csandbox_answers = 4, csandbox_bodies = 5, csandbox_control = 6 };

/// Bodies up to this length go through memory that is there for all of them: to make memory anew
/// costs as much as to decode a small thumbnail. Others get their own.
enum { csandbox_bodies_byte_count = 8 << 20 };

/// How a helper ends that ran out of memory.
enum { csandbox_exit_memory = 86 };

/// What a helper is asked for; its body is in the memory for bodies, or the descriptor that comes
/// with it.
struct csandbox_request {
    uint64_t number;
    uint64_t byte_count;
    /// -1 for full size.
    int64_t target_width, target_height;
    int64_t maximum_pixel_count, maximum_byte_count, maximum_side, maximum_scan_count;
    int64_t maximum_metadata_byte_count, maximum_nanoseconds;
    /// -1 for none beside the first.
    int64_t first_frame;
    int64_t maximum_animation_byte_count;
    bool probes, fills, accepts_truncation, accepts_damage, accepts_thumbnail, accepts_larger,
        uses_fast_paths;
};

enum { csandbox_text_capacity = 256 };

/// What a helper answers; the pixels of all frames, then their durations in nanoseconds, are in the
/// memory for answers.
struct csandbox_answer {
    uint64_t number;
    /// 0 for an image, else an error, with its numbers and its text.
    uint32_t status, text_count;
    int64_t first, second, third;
    int64_t width, height, announced_frame_count;
    int64_t pixel_width, pixel_height;
    /// 0 if the image is still; -1 for loops without an end.
    int64_t frame_count, loop_count;
    uint32_t orientation;
    bool has_alpha, is_progressive, is_final, is_thumbnail, pixels_have_alpha;
    char text[csandbox_text_capacity];
};

/// What a helper says when it is ready: what it has given up.
struct csandbox_greeting {
    uint64_t magic;
    /// Of Landlock's interface; 0 if the kernel has none.
    int32_t landlock;
    bool has_filter, has_memory_limit;
};

extern const uint64_t csandbox_magic;

// MARK: The program's side

/// A process that was started.
struct csandbox_process {
    /// -1 with `error` set if there is none.
    pid_t process;
    /// -1 where the kernel has none.
    int descriptor;
    int error;
};

/// Starts `path` with these descriptors as the helper's, and no signals but those of crashes.
///
/// All of the program's own descriptors must be closed on exec. Both lists end with null.
struct csandbox_process csandbox_start(const char *_Nonnull path,
                                       char *_Nullable const *_Nonnull arguments,
                                       char *_Nullable const *_Nonnull environment, int socket,
                                       int answers, int bodies, int control);

/// How a process ended.
struct csandbox_end {
    /// 0 if it was none.
    int signal;
    /// -1 if it is not known.
    int status;
};

/// Waits for a process's end, and frees what the system keeps of it; kills it if it has not ended
/// within `milliseconds`.
struct csandbox_end csandbox_reap(struct csandbox_process process, int milliseconds);

/// Processor time of a process, in nanoseconds; -1 if it is not known.
int64_t csandbox_processor_time(pid_t process);

/// A pair of sockets that keep messages apart; false with errno.
bool csandbox_make_sockets(int *_Nonnull mine, int *_Nonnull other);

/// Memory as a file that nobody executes; -1 with errno.
int csandbox_make_memory(const char *_Nonnull name);

/// Memory as a file with these bytes, which nobody can change; -1 with errno.
int csandbox_make_sealed_copy(const void *_Nonnull bytes, size_t count);

/// Memory for bodies, which nobody but this program can write or resize, and where it lies here;
/// -1 with errno.
int csandbox_make_bodies(void *_Nullable *_Nonnull start);

/// Unmaps it.
void csandbox_free_bodies(void *_Nonnull start);

/// A page of memory that nobody can resize, and where it lies here; -1 with errno.
int csandbox_make_control(void *_Nullable *_Nonnull page);

/// Unmaps such a page.
void csandbox_free_control(void *_Nonnull page);

/// Says in a page that the request of this number, and all before it, are cancelled.
void csandbox_cancel(void *_Nonnull page, uint64_t number);

/// Sends a message, with a descriptor if it is not -1; 0 or errno. Never waits.
int csandbox_send(int socket, const void *_Nonnull bytes, size_t count, int descriptor);

/// Takes a message; its length, 0 if there is nobody any more, -1 with errno. Messages that are
/// longer than `capacity` count as one more. Descriptors in it are closed.
ssize_t csandbox_receive(int socket, void *_Nonnull bytes, size_t capacity);

/// Waits for a message or the other side's end; false if neither came in time.
bool csandbox_wait(int socket, int milliseconds);

/// Reads all of these bytes from `offset` on; false if they are not there.
bool csandbox_read(int descriptor, void *_Nonnull bytes, size_t count, int64_t offset);

/// Gives the memory of a file back.
void csandbox_empty(int descriptor);

/// The name of a signal, "SIGSEGV"; "signal" for others than crashes.
const char *_Nonnull csandbox_signal_name(int signal);

// MARK: The helper's side

/// Whether the process was born as a helper: whether the descriptors are what they must be.
bool csandbox_is_helper(void);

/// Closes all other descriptors, takes the signals of crashes, and dies with its parent.
void csandbox_begin(void);

/// Gives up what decoding doesn't need: memory beyond what there is and `byte_count`, more
/// processor time than `seconds`, files, sockets, programs, other processes.
///
/// With `is_large` for libraries that start threads and look for files: threads it may start, and what
/// else it asks for it is denied. Without, to ask ends the process. `folders` are those that it may
/// read from, up to NULL: where the kernel has no Landlock, none.
struct csandbox_greeting csandbox_give_up(uint64_t byte_count, uint64_t seconds, bool is_large,
                                          const char *_Nullable const *_Nonnull folders);

/// Whether helpers of this build have a limit of memory: those with a sanitizer can't.
bool csandbox_limits_memory(void);

/// Takes a request, and its body's descriptor or -1; false if there is nobody any more, or it is no
/// request.
bool csandbox_take_request(struct csandbox_request *_Nonnull request, int *_Nonnull body);

/// Where the page of what is cancelled lies in the helper.
const void *_Nullable csandbox_map_control(void);

/// Where bodies lie in the helper.
const void *_Nullable csandbox_map_bodies(void);

/// Maps a body of its own, and closes it.
const void *_Nullable csandbox_map_body(int body, size_t count);

/// Unmaps such a body.
void csandbox_free_body(const void *_Nonnull start, size_t count);

/// Whether the request of this number is cancelled.
bool csandbox_is_cancelled(const void *_Nonnull page, uint64_t number);

/// Writes bytes into the memory for answers; false if there is no room.
bool csandbox_write_answer(const void *_Nonnull bytes, size_t count, int64_t offset);

/// Ends the process at once.
_Noreturn void csandbox_exit(int status);

/// The address of an answer's text.
static inline char *_Nonnull csandbox_text(struct csandbox_answer *_Nonnull answer) {
    return answer->text;
}

/// The number of arguments that the process was started with, its own name included.
int csandbox_argument_count(void);

/// One of them, by its index from 0.
const char *_Nonnull csandbox_argument(int index);

#endif
