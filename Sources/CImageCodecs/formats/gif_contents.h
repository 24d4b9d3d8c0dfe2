#ifndef CIC_GIF_CONTENTS_H
#define CIC_GIF_CONTENTS_H

#include "picture.h"

/// The result of scanning the blocks of a GIF file without decoding any frame.
struct cic_gif_contents {
    uint32_t frame_count;
    uint32_t loop_count;
    /// The right and bottom edges of the smallest area, starting at the top left corner, that
    /// contains all frames.
    cic_size extent;
    bool has_transparency;
    /// Whether any frame is cleared, or replaced by the content before it, when its display time
    /// ends.
    bool has_disposal;
    /// The right and bottom edges of the first frame.
    cic_size first_end;
    bool starts_in_corner;
};

/// Scans the blocks of a file of at least 13 bytes; if the file ends early, returns the information
/// found before its end.
struct cic_gif_contents cic_gif_read_contents(const cic_picture *picture);

/// Enlarges `size` so that it includes `end`.
void cic_enlarge(cic_size *size, cic_size end);

#endif
