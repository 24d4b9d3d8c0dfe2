// libjpeg, libpng and libdeflate behind functions that return a status and never jump.
//
// The first two report errors by longjmp. Every setjmp of the project is in this target, in
// the same function as the library calls it guards, so that no Swift frame is ever jumped over.
// Nothing here prints, opens a file or calls back: the caller pulls rows, and stops by destroying
// the handle. A handle belongs to one thread at a time. Input bytes are borrowed: they must
// outlive the handle.

#ifndef CIMAGECODECS_H
#define CIMAGECODECS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cic_colors.h"
#include "cic_formats.h"
#include "cic_status.h"

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

// MARK: - JPEG, reading

typedef struct cic_jpeg_reader cic_jpeg_reader;

/// How the four-component colours of a JPEG are stored.
typedef enum __attribute__((enum_extensibility(closed))) {
    /// Rows come out as R, G, B, 255 (grey included).
    cic_jpeg_color_rgbx = 0,
    /// Rows come out as C, M, Y, K, 0 being no ink.
    cic_jpeg_color_cmyk,
    /// Rows come out as C, M, Y, K, 255 being no ink: Adobe's way.
    cic_jpeg_color_adobe,
} cic_jpeg_color;

typedef struct {
    uint32_t width;
    uint32_t height;
    cic_jpeg_color color;
    bool is_progressive;
    /// Whether the coefficients of the whole picture are held: progressive files, and baseline
    /// files with a scan per component.
    bool has_many_scans;
    /// The bytes libjpeg holds for those coefficients; 0 without.
    uint64_t coefficient_byte_count;
    /// The pixels each way that share one sample of the most coarsely sampled component.
    cic_size coarsest_sampling;
} cic_jpeg_header;

/// A reader of `count` bytes; NULL when there is no memory for it.
cic_jpeg_reader *_Nullable cic_jpeg_reader_create(const uint8_t *bytes, size_t count);
void cic_jpeg_reader_destroy(cic_jpeg_reader *reader);
const char *cic_jpeg_reader_message(const cic_jpeg_reader *reader);

/// Before the header: goes on behind damaged data, as libjpeg does by itself. What ends too early,
/// by the end of the bytes or by an end marker, still does.
void cic_jpeg_reader_accept_damage(cic_jpeg_reader *reader);

/// Reads up to the first scan.
cic_status cic_jpeg_reader_read_header(cic_jpeg_reader *reader, cic_jpeg_header *header);

/// Makes ready to decode at 1/`denominator` of the size (1, 2, 4 or 8), holding at most
/// `memory_limit` bytes of coefficients; says at which size rows come out (rounded up).
cic_status cic_jpeg_reader_start(
    cic_jpeg_reader *reader, int denominator, size_t memory_limit, cic_size *output);

/// How many of the lowest bits of a component's coefficients need not have come.
typedef struct {
    /// Of the very first, the mean.
    int of_mean;
    /// Of the others.
    int of_others;
} cic_jpeg_missing_bits;

/// Has `consume` finish early: with the scan that brings the last of the first `coefficient_count`
/// coefficients, in zigzag order, but for those bits. `bits` has `component_count` entries; all scans
/// are read if the file has not as many components.
void cic_jpeg_reader_finish_early(
    cic_jpeg_reader *reader, int coefficient_count, const cic_jpeg_missing_bits *bits,
    int component_count);

/// For files of many scans: takes in up to `block_row_count` rows of blocks of a scan; `end` when
/// the last scan is in. Other files need no such call.
cic_status cic_jpeg_reader_consume(cic_jpeg_reader *reader, int block_row_count);

/// The scans that `consume` has begun.
int cic_jpeg_reader_scan_count(const cic_jpeg_reader *reader);

/// After `consume` said `truncated`: makes ready to hand out rows of the scans that are complete;
/// `truncated` if there is none.
cic_status cic_jpeg_reader_use_complete_scans(cic_jpeg_reader *reader);

/// Writes up to `row_count` rows of 4 bytes a pixel, one after the other; `*rows_read` says how
/// many, at least 1 unless the call fails; then it counts the rows before the failure. `end` after
/// the last row.
cic_status cic_jpeg_reader_read_rows(
    cic_jpeg_reader *reader, uint8_t *rows, int row_count, int *rows_read);

// MARK: - PNG, reading

typedef struct cic_png_reader cic_png_reader;

typedef struct {
    uint32_t width;
    uint32_t height;
    bool has_alpha;
    bool is_interlaced;
    /// 1, or 7 when interlaced: how often all rows have to be read.
    int pass_count;
    /// The bytes of a row as it is stored, inflated.
    uint64_t stored_row_byte_count;
    /// The bytes of a row as libpng holds it while transforming, of which it keeps two.
    uint64_t work_row_byte_count;
} cic_png_header;

cic_png_reader *_Nullable cic_png_reader_create(const uint8_t *bytes, size_t count);
void cic_png_reader_destroy(cic_png_reader *reader);
const char *cic_png_reader_message(const cic_png_reader *reader);

/// Reads up to the first IDAT and fixes what rows look like: 8-bit R, G, B, A, straight alpha.
/// Allocates nothing that grows with the picture.
cic_status cic_png_reader_read_header(cic_png_reader *reader, cic_png_header *header);

/// How the samples of a pixel are stored; PNG's own numbers.
typedef enum __attribute__((enum_extensibility(closed))) {
    cic_png_color_grey = 0,
    cic_png_color_rgb = 2,
    cic_png_color_palette = 3,
    cic_png_color_grey_alpha = 4,
    cic_png_color_rgba = 6,
} cic_png_color;

/// What it takes to read the pixels without libpng.
typedef struct {
    /// Bits a sample.
    int bit_depth;
    cic_png_color color;
    /// Whether libpng would change samples by their gamma.
    bool converts_gamma;
    /// Whether pixels of one colour are transparent, in grey and RGB pictures; a grey in all three.
    bool has_transparent_color;
    uint16_t transparent_red;
    uint16_t transparent_green;
    uint16_t transparent_blue;
    /// Where the first IDAT chunk starts, with its length.
    size_t data_offset;
} cic_png_layout;

/// After the header and before the first row: how the pixels are stored. `palette` takes 256 times
/// R, G, B, A.
void cic_png_reader_get_layout(
    const cic_png_reader *reader, cic_png_layout *layout, uint8_t *palette);

/// Before the header: leaves samples as they are, whatever gAMA says.
void cic_png_reader_ignore_gamma(cic_png_reader *reader);

/// Before the header: makes rows come out up to a few bytes before the end of a file that is cut
/// short. Else libpng takes in 8 KiB at a time, or nothing.
void cic_png_reader_expect_truncation(cic_png_reader *reader);

/// Before the header: takes chunks and data with wrong checksums as they are.
void cic_png_reader_accept_damage(cic_png_reader *reader);

/// Which pixels a pass of an interlaced picture writes.
typedef enum __attribute__((enum_extensibility(closed))) {
    /// Only its own, so that the others keep what earlier passes wrote.
    cic_png_fill_pixels = 0,
    /// The whole block that each of its own stands for until later passes come, so that the picture
    /// is whole, if coarse, after any pass.
    cic_png_fill_blocks,
} cic_png_fill;

/// Reads `row_count` rows of 4 bytes a pixel, one after the other. Hand in the same rows in every
/// pass of an interlaced picture.
cic_status cic_png_reader_read_rows(
    cic_png_reader *reader, uint8_t *rows, uint32_t row_count, cic_png_fill fill);

/// Instead of the former, for interlaced pictures: reads the next row of the passes that are not
/// empty, its pixels side by side. `row` has room for a row of the whole picture.
cic_status cic_png_reader_read_pass_row(cic_png_reader *reader, uint8_t *row);

// MARK: - Inflating

/// Inflates the zlib stream of exactly `count` bytes to exactly `output_count` bytes; false if it is
/// not one, or there is no memory. `output` may then have been written to.
bool cic_inflate(const uint8_t *bytes, size_t count, uint8_t *output, size_t output_count);

typedef struct cic_inflater cic_inflater;

/// Where a piece of a zlib stream stands, and where what it holds goes.
typedef struct {
    const uint8_t *input;
    size_t input_count;
    uint8_t *output;
    size_t output_count;
} cic_inflation;

/// Inflates a zlib stream piece by piece; NULL when there is no memory for it.
cic_inflater *_Nullable cic_inflater_create(void);
void cic_inflater_destroy(cic_inflater *inflater);

/// Inflates until the input is used up or the output full; `inflation` then says what is left of
/// both. `end` when the stream is complete and its checksum right, `corrupt` when it is no stream.
cic_status cic_inflater_continue(cic_inflater *inflater, cic_inflation *inflation);

/// CRC-32 (ISO 3309) of bytes that follow those whose sum is `sum`; 0 to start with.
uint32_t cic_crc32(uint32_t sum, const uint8_t *bytes, size_t count);

// MARK: - Writing

/// Pixels to write: rows of R, G, B, A bytes from top to bottom without padding.
typedef struct {
    const uint8_t *pixels;
    cic_size size;
} cic_image;

/// Bytes made by an encoder; `cic_buffer_free` frees them.
typedef struct {
    uint8_t *_Nullable bytes;
    size_t count;
    char message[cic_message_size];
} cic_buffer;

void cic_buffer_free(cic_buffer *buffer);

/// How the coefficients of a JPEG are coded.
typedef enum __attribute__((enum_extensibility(closed))) {
    /// In one scan, with the codes that the standard gives as an example.
    cic_jpeg_coding_baseline = 0,
    /// In one scan, with codes made for this picture: smaller, and a second pass.
    cic_jpeg_coding_optimized,
    /// In many scans, with codes made for this picture.
    cic_jpeg_coding_progressive,
} cic_jpeg_coding;

/// Writes a JPEG without the alpha, 4:4:4 or 4:2:0.
cic_status cic_jpeg_encode(
    cic_image image, int quality, bool has_full_color, cic_jpeg_coding coding, cic_buffer *output);

/// Writes an 8-bit PNG, with or without the alpha.
cic_status cic_png_encode(
    cic_image image, bool has_alpha, bool is_interlaced, cic_buffer *output);

/// Writes a lossy WebP of quality 0 to 100; unsupported where libwebp is not installed, or was left out
/// of this build.
cic_status cic_webp_encode(cic_image image, int quality, cic_buffer *output);

/// Deflates to a zlib stream, at a level of 1 (fast) to 12 (small).
cic_status cic_deflate(const uint8_t *bytes, size_t count, int level, cic_buffer *output);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
