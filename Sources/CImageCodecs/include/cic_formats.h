// One set of functions for all formats whose libraries are loaded on first use. The rules of
// CImageCodecs.h for handles and errors also apply here.
//
// An image is read in rows or, if it is animated, in frames, which the caller combines.

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

/// Loads the library of a format; returns false if it is not installed or not included in this
/// build. The first call opens files.
bool cic_format_load(cic_format format);

/// Returns the name of the Debian package with the library that this build uses.
const char *cic_format_package(cic_format format);

/// Returns the name of the file that could not be loaded, after cic_format_load has returned false;
/// empty if the library was loaded but is too old.
const char *cic_format_missing_file(cic_format format);

typedef struct cic_picture cic_picture;

/// Creates an image from a file of `count` bytes; the library of its format must be loaded. Returns
/// NULL if memory runs out.
cic_picture *_Nullable cic_picture_create(cic_format format, const uint8_t *bytes, size_t count);
void cic_picture_destroy(cic_picture *picture);
const char *cic_picture_message(const cic_picture *picture);

/// A page of a TIFF file.
typedef struct {
    /// The offset of the page's directory; 0 for the first page.
    uint64_t offset;
    /// The orientation to use if the directory has none, as an EXIF number.
    int orientation;
} cic_page;

/// Selects the page of a TIFF file to read instead of the first; call before reading the header.
/// Other formats ignore the page.
void cic_picture_select_page(cic_picture *picture, cic_page page);

typedef struct {
    cic_size size;
    bool has_alpha;
    /// Whether the image is read in frames.
    bool has_frames;
    /// More than 1 if the file is animated.
    uint32_t frame_count;
    /// The number of times that the frames are shown; 0 means endlessly.
    uint32_t loop_count;
    /// The orientation that the caller must still apply to the rows, as an EXIF number.
    int orientation;
    /// The color codes from ITU-T H.273; 0 if the file does not specify them.
    uint8_t primaries;
    uint8_t transfer;
    /// The luminance of the brightest color in cd/m², or 0 if it is unknown.
    unsigned peak;
    /// A color profile and its length, in memory that the image owns.
    const uint8_t *_Nullable profile;
    size_t profile_count;
    /// EXIF data, starting with its TIFF header, in memory that the image owns.
    const uint8_t *_Nullable exif;
    size_t exif_count;
} cic_picture_header;

/// Reads the header; call before the following functions.
cic_status cic_picture_read_header(cic_picture *picture, cic_picture_header *header);

/// The intended use of the rows.
typedef struct {
    /// The size of the final image, before orientation.
    cic_size size;
    /// Whether a thumbnail in the file may replace the image.
    bool accepts_thumbnail;
    /// Whether the caller can use samples of 16 bits.
    bool accepts_wide_samples;
} cic_picture_target;

/// The properties of the rows.
typedef struct {
    /// The size, at least as large as requested unless the image is smaller.
    cic_size size;
    /// The approximate memory in bytes that the library uses while the rows are read.
    uint64_t byte_count;
    bool is_thumbnail;
    /// Whether each sample is a `uint16_t` instead of a byte, with 65,535 for white.
    bool has_wide_samples;
} cic_picture_rows;

/// Prepares to read the rows of an image without frames.
cic_status cic_picture_start(cic_picture *picture, cic_picture_target target, cic_picture_rows *rows);

/// Writes up to `row_count` consecutive rows of R, G, B, A, and sets `*rows_read` to the number of
/// rows, which is at least 1 unless the call fails. After a failure, `*rows_read` is the number of
/// rows before the failure. Returns `end` after the last row.
cic_status cic_picture_read_rows(
    cic_picture *picture, uint8_t *rows, int row_count, int *rows_read);

/// Call after the last row: returns the error if rows were delivered although the file is damaged;
/// otherwise `ok`.
cic_status cic_picture_finish(cic_picture *picture);

/// The treatment of a frame's area before the next frame is drawn.
typedef enum __attribute__((enum_extensibility(closed))) {
    cic_disposal_keep = 0,
    /// Make it transparent.
    cic_disposal_clear,
    /// Restore its content from before the frame.
    cic_disposal_restore,
} cic_disposal;

/// A frame: the part of the image that it changes, and how it changes that part.
typedef struct {
    int32_t x;
    int32_t y;
    cic_size size;
    uint32_t milliseconds;
    cic_disposal disposal;
    /// Whether the frame is blended over the existing content instead of replacing it.
    bool is_blended;
} cic_frame;

/// For images with frames: moves to the next frame; returns `end` after the last one.
cic_status cic_picture_next_frame(cic_picture *picture, cic_frame *frame);

/// Writes the pixels of the frame as R, G, B, A into zeroed memory; after a failure, only the
/// available pixels are written. The next frame can be read even after a failure.
cic_status cic_picture_read_frame(cic_picture *picture, uint8_t *pixels);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
