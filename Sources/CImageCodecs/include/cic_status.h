// How calls end, and sizes: what all of the headers share.

#ifndef CIC_STATUS_H
#define CIC_STATUS_H

#include <stdint.h>

/// How a call ended. The text that belongs to a failure is read from the handle.
typedef enum __attribute__((enum_extensibility(closed))) {
    /// Done; there may be more to do.
    cic_status_ok = 0,
    /// Done, and nothing is left.
    cic_status_end,
    /// The bytes end before the picture does.
    cic_status_truncated,
    /// The bytes break the rules of the format.
    cic_status_corrupt,
    /// A kind of file that is not decoded; the message names it.
    cic_status_unsupported,
    /// The picture has no pixels.
    cic_status_empty,
    /// The memory limit or the machine's memory is used up.
    cic_status_out_of_memory,
} cic_status;

enum {
    /// The size of the message buffers, the closing 0 included.
    cic_message_size = 200
};

typedef struct {
    uint32_t width;
    uint32_t height;
} cic_size;

#endif
