#include "CImageCodecs.h"

#include <stdlib.h>
#include <string.h>

#include <png.h>

struct cic_png_reader {
    png_structp png;
    png_infop info;
    const uint8_t *bytes;
    size_t count;
    size_t position;
    bool ignores_gamma;
    bool keeps_wide_samples;
    bool converts_gamma;
    cic_status status;
    char message[cic_message_size];
};

// MARK: - Callbacks of libpng

static _Noreturn void fail(png_structp png, png_const_charp message) {
    cic_png_reader *reader = png_get_error_ptr(png);
    if (reader->status == cic_status_ok) reader->status = cic_status_corrupt;
    strncpy(reader->message, message, sizeof reader->message - 1);
    longjmp(*png_set_longjmp_fn(png, longjmp, sizeof(jmp_buf)), 1);
}

static void ignore_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void read_bytes(png_structp png, png_bytep output, size_t count) {
    cic_png_reader *reader = png_get_io_ptr(png);
    if (count > reader->count - reader->position) {
        reader->status = cic_status_truncated;
        png_error(png, "the file ends early");
    }
    memcpy(output, reader->bytes + reader->position, count);
    reader->position += count;
}

static png_voidp allocate(png_structp png, png_alloc_size_t count) {
    cic_png_reader *reader = png_get_mem_ptr(png);
    void *memory = malloc(count);
    if (memory == NULL) reader->status = cic_status_out_of_memory;
    return memory;
}

static void release(png_structp png, png_voidp memory) {
    (void)png;
    free(memory);
}

// MARK: - Creation and destruction

// All chunks except PLTE, tRNS, gAMA, cHRM and sRGB are skipped without being read, including those
// that libpng supports. No caller uses them, so they take no memory, even if they are large,
// compressed or numerous. (The caller searches for eXIf and iCCP itself, with its own limits.)
static void ignore_ancillary_chunks(png_structp png) {
    static const png_byte names[] = "tEXt\0zTXt\0iTXt\0sPLT\0hIST\0pCAL\0sCAL\0tIME\0pHYs\0oFFs\0"
                                    "bKGD\0eXIf\0sBIT\0iCCP";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
    png_set_keep_unknown_chunks(
        png, PNG_HANDLE_CHUNK_NEVER, names, (int)((sizeof names) / 5));
}

static void set_limits(png_structp png) {
    // The caller has its own limits, and checks the header before any row is allocated.
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    // A limit here would reject files because of the size of chunks that are only skipped.
    png_set_chunk_malloc_max(png, 0);
    png_set_benign_errors(png, 1);
}

cic_png_reader *cic_png_reader_create(const uint8_t *bytes, size_t count) {
    cic_png_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return NULL;
    reader->bytes = bytes;
    reader->count = count;
    reader->png = png_create_read_struct_2(
        PNG_LIBPNG_VER_STRING, reader, fail, ignore_warning, reader, allocate, release);
    if (reader->png != NULL) reader->info = png_create_info_struct(reader->png);
    if (reader->info == NULL) {
        cic_png_reader_destroy(reader);
        return NULL;
    }
    return reader;
}

void cic_png_reader_destroy(cic_png_reader *reader) {
    if (reader->png != NULL) png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

void cic_png_reader_ignore_gamma(cic_png_reader *reader) { reader->ignores_gamma = true; }

void cic_png_reader_keep_wide_samples(cic_png_reader *reader) { reader->keeps_wide_samples = true; }

void cic_png_reader_expect_truncation(cic_png_reader *reader) {
    if (setjmp(png_jmpbuf(reader->png))) return;
    png_set_compression_buffer_size(reader->png, 128);
}

void cic_png_reader_accept_damage(cic_png_reader *reader) {
    if (setjmp(png_jmpbuf(reader->png))) return;
    png_set_crc_action(reader->png, PNG_CRC_WARN_USE, PNG_CRC_WARN_DISCARD);
#ifdef PNG_IGNORE_ADLER32
    png_set_option(reader->png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
#else
    // By default, libpng 1.6.41 and later are built without this option. zlib checks the checksum,
    // which follows the data in four bytes. If these bytes are available in the call that returns
    // the last row, a wrong checksum makes libpng discard the row.
    png_set_compression_buffer_size(reader->png, 4);
#endif
}

const char *cic_png_reader_message(const cic_png_reader *reader) { return reader->message; }

// MARK: - Header

// Converts a file to sRGB if it declares the exponent of its samples but does not declare that they
// are sRGB. libpng leaves exponents within 5 % of sRGB's exponent unchanged. Exponents outside the
// range from 0.1 to 3 are considered damaged. Returns whether samples may change.
static bool convert_gamma(png_structp png, png_infop info) {
    png_fixed_point gamma = 0;
    if (png_get_valid(png, info, PNG_INFO_sRGB)) return false;
    if (!png_get_gAMA_fixed(png, info, &gamma)) return false;
    if (gamma < 10000 || gamma > 300000) return false;
    png_set_gamma_fixed(png, PNG_DEFAULT_sRGB, gamma);
    // Well within libpng's 5 %, so that its rounding does not matter.
    return gamma < 44000 || gamma > 47000;
}

static void ask_for_rgba(png_structp png, bool has_alpha, bool keeps_wide_samples) {
    png_set_expand(png);
    if (!keeps_wide_samples)
        png_set_scale_16(png);
    else if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        png_set_swap(png);
    png_set_gray_to_rgb(png);
    if (!has_alpha) png_set_add_alpha(png, keeps_wide_samples ? 0xFFFF : 0xFF, PNG_FILLER_AFTER);
}

// If PLTE follows tRNS, libpng discards the tRNS but still reports it as valid. Only its count
// shows that it was discarded.
static png_color_16p transparent_color(png_structp png, png_infop info) {
    png_color_16p color = NULL;
    int count = 0;
    return png_get_tRNS(png, info, NULL, &count, &color) != 0 && count > 0 ? color : NULL;
}

cic_status cic_png_reader_read_header(cic_png_reader *reader, cic_png_header *header) {
    png_structp png = reader->png;
    png_infop info = reader->info;
    if (setjmp(png_jmpbuf(png))) return reader->status;
    png_set_read_fn(png, reader, read_bytes);
    set_limits(png);
    ignore_ancillary_chunks(png);
    png_read_info(png, info);
    const bool is_wide = png_get_bit_depth(png, info) == 16;
    memset(header, 0, sizeof *header);
    header->width = png_get_image_width(png, info);
    header->height = png_get_image_height(png, info);
    header->has_alpha = (png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA) != 0
                        || transparent_color(png, info) != NULL;
    header->is_interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
    header->stored_row_byte_count = png_get_rowbytes(png, info);
    header->work_row_byte_count = (uint64_t)header->width * (is_wide ? 8 : 4);
    reader->converts_gamma = !reader->ignores_gamma && convert_gamma(png, info);
    reader->keeps_wide_samples &= is_wide;
    ask_for_rgba(png, header->has_alpha, reader->keeps_wide_samples);
    header->pass_count = header->is_interlaced ? PNG_INTERLACE_ADAM7_PASSES : 1;
    return cic_status_ok;
}

// MARK: - For reading the pixels without libpng

static void copy_palette(png_structp png, png_infop info, uint8_t *rgba) {
    png_colorp colors = NULL;
    png_bytep alphas = NULL;
    int count = 0, alpha_count = 0;
    // Entries that are missing from the file are opaque black, as in libpng.
    for (int index = 0; index < 256; index++) memcpy(rgba + index * 4, "\0\0\0\xFF", 4);
    if (!png_get_PLTE(png, info, &colors, &count)) return;
    for (int index = 0; index < count && index < 256; index++) {
        memcpy(rgba + index * 4, &colors[index], 3);
    }
    // If the palette is only a suggestion, tRNS contains one color and no alpha values.
    if (!png_get_tRNS(png, info, &alphas, &alpha_count, NULL) || alphas == NULL) return;
    for (int index = 0; index < alpha_count && index < 256; index++) {
        rgba[index * 4 + 3] = alphas[index];
    }
}

static void copy_transparent_color(png_structp png, png_infop info, cic_png_layout *layout) {
    const png_color_16p color = transparent_color(png, info);
    if (color == NULL) return;
    const bool is_gray = layout->color == cic_png_color_gray;
    layout->has_transparent_color = is_gray || layout->color == cic_png_color_rgb;
    layout->transparent_red = is_gray ? color->gray : color->red;
    layout->transparent_green = is_gray ? color->gray : color->green;
    layout->transparent_blue = is_gray ? color->gray : color->blue;
}

void cic_png_reader_get_layout(
    const cic_png_reader *reader, cic_png_layout *layout, uint8_t *palette) {
    memset(layout, 0, sizeof *layout);
    layout->bit_depth = png_get_bit_depth(reader->png, reader->info);
    layout->color = (cic_png_color)png_get_color_type(reader->png, reader->info);
    layout->converts_gamma = reader->converts_gamma;
    // libpng has read the length and the type of the first IDAT, and nothing after them.
    layout->data_offset = reader->position - 8;
    copy_palette(reader->png, reader->info, palette);
    copy_transparent_color(reader->png, reader->info, layout);
}

// MARK: - Rows

cic_status cic_png_reader_read_rows(
    cic_png_reader *reader, uint8_t *rows, uint32_t row_count, cic_png_fill fill) {
    png_structp png = reader->png;
    if (setjmp(png_jmpbuf(png))) return reader->status;
    png_set_interlace_handling(png);
    const size_t row_byte_count =
        (size_t)png_get_image_width(png, reader->info) * (reader->keeps_wide_samples ? 8 : 4);
    for (uint32_t row = 0; row < row_count; row++) {
        uint8_t *start = rows + row * row_byte_count;
        const bool fills_blocks = fill == cic_png_fill_blocks;
        png_read_row(png, fills_blocks ? NULL : start, fills_blocks ? start : NULL);
    }
    return cic_status_ok;
}

cic_status cic_png_reader_read_pass_row(cic_png_reader *reader, uint8_t *row) {
    if (setjmp(png_jmpbuf(reader->png))) return reader->status;
    // Without its own handling of passes, libpng returns their rows as they are stored.
    png_read_row(reader->png, row, NULL);
    return cic_status_ok;
}
