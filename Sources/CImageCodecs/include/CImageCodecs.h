// Functions for libjpeg, libpng and libdeflate that return a status and never jump.
//
// libjpeg and libpng report errors with longjmp. Every setjmp of the project is in this target, in
// the same function as the library calls it guards, so no Swift frame is ever jumped over. No
// function prints, opens a file or calls back: the caller pulls rows, and stops by destroying the
// handle. A handle may be used by only one thread at a time. Input bytes are borrowed and must
// outlive the handle.

#ifndef CIMAGECODECS_H
#define CIMAGECODECS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cic_colors.h"
#include "cic_formats.h"
#include "cic_metadata.h"
#include "cic_status.h"

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

// MARK: - JPEG, reading

typedef struct cic_jpeg_reader cic_jpeg_reader;

/// The colors in the rows of a decoded JPEG.
typedef enum __attribute__((enum_extensibility(closed))) {
    /// Rows contain R, G, B, 255 (also for gray images).
    cic_jpeg_color_rgbx = 0,
    /// Rows contain C, M, Y, K, where 0 means no ink.
    cic_jpeg_color_cmyk,
    /// Rows contain C, M, Y, K, where 255 means no ink, as Adobe stores them.
    cic_jpeg_color_adobe,
} cic_jpeg_color;

typedef struct {
    uint32_t width;
    uint32_t height;
    cic_jpeg_color color;
    bool is_progressive;
    /// Whether the coefficients of the whole image are held in memory: for progressive files, and
    /// for baseline files with a scan per component.
    bool has_many_scans;
    /// The number of bytes that libjpeg holds for these coefficients; otherwise 0.
    uint64_t coefficient_byte_count;
    /// The number of pixels in each direction that share one sample of the most coarsely sampled
    /// component.
    cic_size coarsest_sampling;
} cic_jpeg_header;

/// Creates a reader of `count` bytes; returns NULL if memory runs out.
cic_jpeg_reader *_Nullable cic_jpeg_reader_create(const uint8_t *bytes, size_t count);
void cic_jpeg_reader_destroy(cic_jpeg_reader *reader);
const char *cic_jpeg_reader_message(const cic_jpeg_reader *reader);

/// Call before reading the header: continues after damaged data, as libjpeg does by default. A file
/// that ends too early, at the end of the bytes or at an end marker, still fails.
void cic_jpeg_reader_accept_damage(cic_jpeg_reader *reader);

/// Reads the header, which ends at the first scan.
cic_status cic_jpeg_reader_read_header(cic_jpeg_reader *reader, cic_jpeg_header *header);

/// Prepares to decode at 1/`denominator` of the size (1, 2, 4 or 8) with at most `memory_limit`
/// bytes of coefficients; stores the size of the rows (rounded up) in `output`.
cic_status cic_jpeg_reader_start(
    cic_jpeg_reader *reader, int denominator, size_t memory_limit, cic_size *output);

/// The number of lowest bits of a component's coefficients that may be missing.
typedef struct {
    /// For the first coefficient, which is the mean of a block.
    int of_mean;
    /// For the other coefficients.
    int of_others;
} cic_jpeg_missing_bits;

/// Lets `cic_jpeg_reader_consume` finish early, with the scan that completes the first
/// `coefficient_count` coefficients in zigzag order, except for the bits that may be missing.
/// `bits` has `component_count` elements; if the file has a different number of components, all
/// scans are read.
void cic_jpeg_reader_finish_early(
    cic_jpeg_reader *reader, int coefficient_count, const cic_jpeg_missing_bits *bits,
    int component_count);

/// For files with several scans: reads up to `block_row_count` rows of blocks of a scan; returns
/// `end` after the last scan. Other files do not need this call.
cic_status cic_jpeg_reader_consume(cic_jpeg_reader *reader, int block_row_count);

/// Returns the number of scans that `consume` has begun.
int cic_jpeg_reader_scan_count(const cic_jpeg_reader *reader);

/// Call after `consume` has returned `truncated`: prepares to read rows from the complete scans;
/// returns `truncated` if no scan is complete.
cic_status cic_jpeg_reader_use_complete_scans(cic_jpeg_reader *reader);

/// Writes up to `row_count` consecutive rows of 4 bytes per pixel, and sets `*rows_read` to the
/// number of rows, which is at least 1 unless the call fails. After a failure, `*rows_read` is the
/// number of rows before the failure. Returns `end` after the last row.
cic_status cic_jpeg_reader_read_rows(
    cic_jpeg_reader *reader, uint8_t *rows, int row_count, int *rows_read);

// MARK: - PNG, reading

typedef struct cic_png_reader cic_png_reader;

typedef struct {
    uint32_t width;
    uint32_t height;
    bool has_alpha;
    bool is_interlaced;
    /// The number of times that all rows must be read: 7 for an interlaced image, otherwise 1.
    int pass_count;
    /// The number of bytes in a stored row after inflating.
    uint64_t stored_row_byte_count;
    /// The number of bytes in a row while libpng transforms it; libpng holds two such rows.
    uint64_t work_row_byte_count;
} cic_png_header;

cic_png_reader *_Nullable cic_png_reader_create(const uint8_t *bytes, size_t count);
void cic_png_reader_destroy(cic_png_reader *reader);
const char *cic_png_reader_message(const cic_png_reader *reader);

/// Reads up to the first IDAT chunk and sets the format of rows: 8-bit R, G, B, A with straight
/// alpha. Allocates nothing that grows with the image.
cic_status cic_png_reader_read_header(cic_png_reader *reader, cic_png_header *header);

/// The storage format of a pixel, with PNG's own numbers.
typedef enum __attribute__((enum_extensibility(closed))) {
    cic_png_color_gray = 0,
    cic_png_color_rgb = 2,
    cic_png_color_palette = 3,
    cic_png_color_gray_alpha = 4,
    cic_png_color_rgba = 6,
} cic_png_color;

/// The information needed to read the pixels without libpng.
typedef struct {
    /// The number of bits per sample.
    int bit_depth;
    cic_png_color color;
    /// Whether libpng would convert samples by their gamma.
    bool converts_gamma;
    /// Whether pixels of one color are transparent, in gray and RGB images; a gray value is stored
    /// in all three fields.
    bool has_transparent_color;
    uint16_t transparent_red;
    uint16_t transparent_green;
    uint16_t transparent_blue;
    /// The offset of the first IDAT chunk, which starts with its length.
    size_t data_offset;
} cic_png_layout;

/// Call after reading the header and before the first row: returns the storage format of the
/// pixels. `palette` has room for 256 entries of R, G, B, A.
void cic_png_reader_get_layout(
    const cic_png_reader *reader, cic_png_layout *layout, uint8_t *palette);

/// Call before reading the header: leaves samples unchanged, regardless of gAMA.
void cic_png_reader_ignore_gamma(cic_png_reader *reader);

/// Call before reading the header: delivers 16-bit samples of an image without interlacing as
/// `uint16_t` instead of reducing them to 8 bits.
void cic_png_reader_keep_wide_samples(cic_png_reader *reader);

/// Call before reading the header: delivers rows up to a few bytes before the end of a truncated
/// file. Without this call, libpng reads a chunk in pieces of up to 8 KiB, and uses nothing of an
/// incomplete piece.
void cic_png_reader_expect_truncation(cic_png_reader *reader);

/// Call before reading the header: accepts chunks and data with wrong checksums.
void cic_png_reader_accept_damage(cic_png_reader *reader);

/// The pixels that a pass of an interlaced image writes.
typedef enum __attribute__((enum_extensibility(closed))) {
    /// Only the pixels of the pass, so that the others keep the values from earlier passes.
    cic_png_fill_pixels = 0,
    /// The whole block that each pixel represents until later passes follow, so that the image is
    /// complete, though coarse, after any pass.
    cic_png_fill_blocks,
} cic_png_fill;

/// Reads `row_count` consecutive rows of 4 bytes per pixel, or 8 if samples are wide. For an interlaced image, pass the same
/// rows in every pass.
cic_status cic_png_reader_read_rows(
    cic_png_reader *reader, uint8_t *rows, uint32_t row_count, cic_png_fill fill);

/// Reads the next row of the nonempty passes of an interlaced image, with the pixels of that row
/// side by side. Replaces `cic_png_reader_read_rows`. `row` has room for a row of the whole image.
cic_status cic_png_reader_read_pass_row(cic_png_reader *reader, uint8_t *row);

// MARK: - Inflating

/// Inflates a zlib stream of exactly `count` bytes to exactly `output_count` bytes; returns false
/// if the stream is invalid or memory runs out. In this case, `output` may contain partial data.
bool cic_inflate(const uint8_t *bytes, size_t count, uint8_t *output, size_t output_count);

typedef struct cic_inflater cic_inflater;

/// The remaining input of a zlib stream, and the remaining space for its output.
typedef struct {
    const uint8_t *input;
    size_t input_count;
    uint8_t *output;
    size_t output_count;
} cic_inflation;

/// Creates an inflater that processes a zlib stream piece by piece; returns NULL if memory runs
/// out.
cic_inflater *_Nullable cic_inflater_create(void);
void cic_inflater_destroy(cic_inflater *inflater);

/// Inflates until the input is used up or the output is full, and updates `inflation` accordingly.
/// Returns `end` if the stream is complete with a correct checksum, and `corrupt` if the stream is
/// invalid.
cic_status cic_inflater_continue(cic_inflater *inflater, cic_inflation *inflation);

typedef struct cic_gzip_inflater cic_gzip_inflater;

/// Does the same as `cic_inflater_create` for a gzip file (RFC 1952).
cic_gzip_inflater *_Nullable cic_gzip_inflater_create(void);
void cic_gzip_inflater_destroy(cic_gzip_inflater *inflater);
cic_status cic_gzip_inflater_continue(cic_gzip_inflater *inflater, cic_inflation *inflation);

/// Returns the CRC-32 (ISO 3309) of bytes that follow bytes with the checksum `sum`; start with 0.
uint32_t cic_crc32(uint32_t sum, const uint8_t *bytes, size_t count);

// MARK: - Writing

/// The pixels to encode: rows of R, G, B, A bytes from top to bottom without padding.
typedef struct {
    const uint8_t *pixels;
    cic_size size;
} cic_image;

/// The output of an encoder; free it with `cic_buffer_free`.
typedef struct {
    uint8_t *_Nullable bytes;
    size_t count;
    char message[cic_message_size];
} cic_buffer;

void cic_buffer_free(cic_buffer *buffer);

/// The coding of a JPEG's coefficients.
typedef enum __attribute__((enum_extensibility(closed))) {
    /// One scan, with the example codes from the standard.
    cic_jpeg_coding_baseline = 0,
    /// One scan, with codes optimized for the image: smaller, but with a second pass.
    cic_jpeg_coding_optimized,
    /// Several scans, with codes optimized for the image.
    cic_jpeg_coding_progressive,
} cic_jpeg_coding;

/// Encodes a JPEG without alpha, as 4:4:4 or 4:2:0.
cic_status cic_jpeg_encode(
    cic_image image, int quality, bool has_full_color, cic_jpeg_coding coding, cic_buffer *output);

/// Encodes an 8-bit PNG, with or without alpha.
cic_status cic_png_encode(
    cic_image image, bool has_alpha, bool is_interlaced, cic_buffer *output);

/// Encodes a lossy WebP with a quality of 0 to 100; returns `unsupported` if libwebp is not
/// installed or not included in this build.
cic_status cic_webp_encode(cic_image image, int quality, cic_buffer *output);

/// Compresses bytes to a zlib stream, at a level from 1 (fast) to 12 (small).
cic_status cic_deflate(const uint8_t *bytes, size_t count, int level, cic_buffer *output);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
