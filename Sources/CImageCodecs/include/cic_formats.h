// Formats whose libraries are loaded when the first file comes that needs one, behind one set of
// functions. What CImageCodecs.h says of handles and of errors holds here too.
//
// A picture hands out rows, or, if it is animated, frames, which the caller puts together.

#ifndef CIC_FORMATS_H
#define CIC_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cic_status.h"

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

typedef enum __attribute__((enum_extensibility(closed))) {
    cic_format_gif = 0,
    cic_format_webp,
    /// HEIC and AVIF.
    cic_format_heif,
    cic_format_jpeg_xl,
    cic_format_tiff,
    cic_format_svg,
} cic_format;

/// Loads a format's library; false if it is not installed, or was left out of this build. Opens files
/// the first time.
bool cic_format_load(cic_format format);

/// Debian's package with the library that this build takes.
const char *cic_format_package(cic_format format);

typedef struct cic_picture cic_picture;

/// A picture of `count` bytes, whose library is there; NULL when there is no memory for it.
cic_picture *_Nullable cic_picture_create(cic_format format, const uint8_t *bytes, size_t count);
void cic_picture_destroy(cic_picture *picture);
const char *cic_picture_message(const cic_picture *picture);

typedef struct {
    cic_size size;
    bool has_alpha;
    /// Whether it is handed out as frames.
    bool has_frames;
    /// More than 1 if the file is animated.
    uint32_t frame_count;
    /// How often the frames are shown; 0 stands for without end.
    uint32_t loop_count;
    /// What is still to be done to the rows: EXIF's numbers.
    int orientation;
    /// The numbers of the colours in ITU-T H.273; 0 if the file does not say.
    uint8_t primaries;
    uint8_t transfer;
    /// A colour profile, and how long it is; its memory is the picture's.
    const uint8_t *_Nullable profile;
    size_t profile_count;
    /// EXIF, from the header of its TIFF on; its memory is the picture's.
    const uint8_t *_Nullable exif;
    size_t exif_count;
} cic_picture_header;

/// The first call to make.
cic_status cic_picture_read_header(cic_picture *picture, cic_picture_header *header);

/// What rows are wanted for.
typedef struct {
    /// The size that is made of them, before orientation.
    cic_size size;
    /// Whether a thumbnail in the file may stand for the picture.
    bool accepts_thumbnail;
} cic_picture_target;

/// What rows will be like.
typedef struct {
    /// At least as large as what was wanted, unless the picture is smaller.
    cic_size size;
    /// What the library holds meanwhile, about.
    uint64_t byte_count;
    bool is_thumbnail;
} cic_picture_rows;

/// Without frames: makes ready to hand out rows.
cic_status cic_picture_start(cic_picture *picture, cic_picture_target target, cic_picture_rows *rows);

/// Writes up to `row_count` rows of R, G, B, A, one after the other; `*rows_read` says how many, at
/// least 1 unless the call fails; then it counts the rows before the failure. `end` after the last row.
cic_status cic_picture_read_rows(
    cic_picture *picture, uint8_t *rows, int row_count, int *rows_read);

/// After the last row: what is wrong with the rows, if they were handed out all the same.
cic_status cic_picture_finish(cic_picture *picture);

/// What becomes of a frame's area before the next frame is drawn.
typedef enum __attribute__((enum_extensibility(closed))) {
    cic_disposal_keep = 0,
    /// Transparent.
    cic_disposal_clear,
    /// What it was before the frame.
    cic_disposal_restore,
} cic_disposal;

/// A frame: which part of the picture it changes, and how.
typedef struct {
    int32_t x;
    int32_t y;
    cic_size size;
    uint32_t milliseconds;
    cic_disposal disposal;
    /// Whether it is laid over what is there, not put in its place.
    bool is_blended;
} cic_frame;

/// With frames: goes to the next frame; `end` after the last one.
cic_status cic_picture_next_frame(cic_picture *picture, cic_frame *frame);

/// Writes the pixels of the frame, R, G, B, A, into memory that is zero; on failure those that there
/// are. The next frame can be gone to all the same.
cic_status cic_picture_read_frame(cic_picture *picture, uint8_t *pixels);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
