// The types shared by all headers: the status of calls, and sizes.

#ifndef CIC_STATUS_H
#define CIC_STATUS_H

#include <stdint.h>

/// The result of a call. The message of a failure is read from the handle.
typedef enum __attribute__((enum_extensibility(closed))) {
    /// Done; there may be more data.
    cic_status_ok = 0,
    /// Done, and no data remains.
    cic_status_end,
    /// The bytes end before the image is complete.
    cic_status_truncated,
    /// The bytes violate the rules of the format.
    cic_status_corrupt,
    /// A kind of file that is not supported; the message names it.
    cic_status_unsupported,
    /// The image has no pixels.
    cic_status_empty,
    /// The memory limit or the machine's memory is exhausted.
    cic_status_out_of_memory,
} cic_status;

enum {
    /// The size of the message buffers, including the terminating NUL.
    cic_message_size = 200
};

typedef struct {
    uint32_t width;
    uint32_t height;
} cic_size;

#endif
