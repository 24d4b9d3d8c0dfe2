#ifndef CIC_GIF_CONTENTS_H
#define CIC_GIF_CONTENTS_H

#include "picture.h"

/// The result of scanning the blocks of a file without decoding any.
struct cic_gif_contents {
    uint32_t frame_count;
    uint32_t loop_count;
    /// The rightmost and lowest ends of the frames.
    cic_size extent;
    bool has_transparency;
    /// Whether a frame is cleared, or replaced by the image before it, when its time ends.
    bool has_disposal;
    /// The right and lower ends of the first frame.
    cic_size first_end;
    bool starts_in_corner;
};

/// Scans the blocks of a file of at least 13 bytes; if it ends early, returns the contents before
/// the end.
struct cic_gif_contents cic_gif_read_contents(const cic_picture *picture);

/// Enlarges `size` so that it includes `end`.
void cic_enlarge(cic_size *size, cic_size end);

#endif
