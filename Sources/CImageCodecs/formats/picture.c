#include "picture.h"

#include <pthread.h>
#include <stdlib.h>

enum { format_count = cic_format_svg + 1 };

static const struct cic_picture_functions *const all[format_count] = {
#ifdef CIC_GIF
    [cic_format_gif] = &cic_gif,
#endif
#ifdef CIC_WEBP
    [cic_format_webp] = &cic_webp,
#endif
#ifdef CIC_HEIF
    [cic_format_heif] = &cic_heif,
#endif
#ifdef CIC_JPEG_XL
    [cic_format_jpeg_xl] = &cic_jpeg_xl,
#endif
#ifdef CIC_TIFF
    [cic_format_tiff] = &cic_tiff,
#endif
#ifdef CIC_SVG
    [cic_format_svg] = &cic_svg,
#endif
};

static char missing_files[format_count][cic_file_name_size];

static bool load(cic_format format) {
    char earlier[cic_file_name_size];
    cic_take_missing_file(earlier);
    if (all[format]->load()) return true;
    cic_take_missing_file(missing_files[format]);
    return false;
}

bool cic_format_load(cic_format format) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static bool is_tried[format_count], is_loaded[format_count];
    if (all[format] == NULL) return false;
    pthread_mutex_lock(&mutex);
    if (!is_tried[format]) is_loaded[format] = load(format);
    is_tried[format] = true;
    const bool result = is_loaded[format];
    pthread_mutex_unlock(&mutex);
    return result;
}

const char *cic_format_package(cic_format format) {
    return all[format] == NULL ? "its library" : all[format]->package;
}

const char *cic_format_missing_file(cic_format format) { return missing_files[format]; }

cic_picture *cic_picture_create(cic_format format, const uint8_t *bytes, size_t count) {
    const struct cic_picture_functions *functions = all[format];
    cic_picture *picture = functions == NULL ? NULL : functions->create();
    if (picture == NULL) return NULL;
    picture->functions = functions;
    picture->bytes = bytes;
    picture->count = count;
    return picture;
}

void cic_picture_destroy(cic_picture *picture) {
    picture->functions->destroy(picture);
    free(picture);
}

void cic_picture_select_page(cic_picture *picture, cic_page page) { picture->page = page; }

const char *cic_picture_message(const cic_picture *picture) { return picture->message; }

cic_status cic_picture_read_header(cic_picture *picture, cic_picture_header *header) {
    *header = (cic_picture_header){.frame_count = 1, .orientation = 1};
    const cic_status status = picture->functions->read_header(picture, header);
    const bool is_empty = header->size.width == 0 || header->size.height == 0;
    return status == cic_status_ok && is_empty ? cic_status_empty : status;
}

cic_status cic_picture_start(cic_picture *picture, cic_picture_target target, cic_picture_rows *rows) {
    *rows = (cic_picture_rows){.byte_count = 0};
    return picture->functions->start(picture, target, rows);
}

cic_status cic_picture_read_rows(
    cic_picture *picture, uint8_t *rows, int row_count, int *rows_read) {
    *rows_read = 0;
    return picture->functions->read_rows(picture, rows, row_count, rows_read);
}

cic_status cic_picture_finish(cic_picture *picture) {
    return picture->functions->finish == NULL ? cic_status_ok : picture->functions->finish(picture);
}

cic_status cic_picture_next_frame(cic_picture *picture, cic_frame *frame) {
    if (picture->functions->next_frame == NULL) return cic_status_end;
    *frame = (cic_frame){.x = 0};
    return picture->functions->next_frame(picture, frame);
}

cic_status cic_picture_read_frame(cic_picture *picture, uint8_t *pixels) {
    if (picture->functions->read_frame == NULL) return cic_status_end;
    return picture->functions->read_frame(picture, pixels);
}

cic_status cic_copy_rows(struct cic_row_source *source, uint8_t *rows, int row_count, int *rows_read) {
    const size_t byte_count = (size_t)source->size.width * (source->has_wide_samples ? 8 : 4);
    while (*rows_read < row_count && source->row < source->size.height) {
        memcpy(rows + byte_count * (size_t)*rows_read,
               source->pixels + source->row_byte_count * source->row, byte_count);
        source->row++;
        ++*rows_read;
    }
    return *rows_read == 0 ? cic_status_end : cic_status_ok;
}

void cic_expand_samples(uint16_t *samples, size_t sample_count, int bits) {
    if (bits < 8 || bits > 15) return;
    for (size_t index = 0; index < sample_count; index++) {
        const unsigned sample = samples[index];
        samples[index] = (uint16_t)(sample << (16 - bits) | sample >> (2 * bits - 16));
    }
}

void cic_unmultiply(uint8_t *pixels, size_t pixel_count) {
    for (size_t index = 0; index < pixel_count; index++, pixels += 4) {
        const unsigned alpha = pixels[3];
        if (alpha == 255) continue;
        for (int channel = 0; channel < 3; channel++) {
            const unsigned value = alpha == 0 ? 0 : (pixels[channel] * 255 + alpha / 2) / alpha;
            pixels[channel] = (uint8_t)(value > 255 ? 255 : value);
        }
    }
}

/// Returns the sample in a column of a row, reduced to 8 bits; samples of more than 8 bits are
/// stored in 2 bytes.
static int sample(const uint8_t *row, size_t column, int bits) {
    uint16_t value;
    if (bits <= 8) return row[column];
    memcpy(&value, row + column * 2, sizeof value);
    return value >> (bits - 8);
}

/// Expands a sample of the limited range, in which `unit` is the distance of two levels.
static int expanded(int sample, int unit) {
    const int maximum = 256 * unit - 1, level = sample - 16 * unit;
    const int range = 219 * unit;
    if (level <= 0) return 0;
    return level >= range ? maximum : (int)(((int64_t)level * maximum + range / 2) / range);
}

void cic_expand_limited_alpha(uint8_t *pixels, size_t pixel_count, bool has_wide_samples) {
    uint16_t *samples = (uint16_t *)(void *)pixels;
    for (size_t index = 3; index < pixel_count * 4; index += 4)
        if (has_wide_samples) samples[index] = (uint16_t)expanded(samples[index], 256);
        else pixels[index] = (uint8_t)expanded(pixels[index], 1);
}

void cic_expand_limited_gray(struct cic_row_source gray, int bits, uint8_t *pixels) {
    for (uint32_t row = 0; row < gray.size.height; row++, gray.pixels += gray.row_byte_count)
        for (uint32_t column = 0; column < gray.size.width; column++, pixels += 4) {
            const int level = expanded(sample(gray.pixels, column, bits), 1);
            pixels[0] = pixels[1] = pixels[2] = (uint8_t)level;
            pixels[3] = 255;
        }
}

void cic_set_alpha(struct cic_row_source alpha, int bits, uint8_t *pixels) {
    for (uint32_t row = 0; row < alpha.size.height; row++, alpha.pixels += alpha.row_byte_count)
        for (uint32_t column = 0; column < alpha.size.width; column++, pixels += 4)
            pixels[3] = (uint8_t)sample(alpha.pixels, column, bits);
}
