#ifndef CIC_PICTURE_H
#define CIC_PICTURE_H

#include <string.h>

#include "CImageCodecs.h"
#include "../libraries.h"

/// The implementation of a format: the functions of cic_formats.h. The functions for frames are
/// NULL if the format has no animation.
struct cic_picture_functions {
    const char *package;
    bool (*load)(void);
    cic_picture *(*create)(void);
    void (*destroy)(cic_picture *picture);
    cic_status (*read_header)(cic_picture *picture, cic_picture_header *header);
    cic_status (*start)(cic_picture *picture, cic_picture_target target, cic_picture_rows *rows);
    cic_status (*read_rows)(cic_picture *picture, uint8_t *rows, int row_count, int *rows_read);
    /// NULL if the format never delivers damaged rows.
    cic_status (*finish)(cic_picture *picture);
    cic_status (*next_frame)(cic_picture *picture, cic_frame *frame);
    cic_status (*read_frame)(cic_picture *picture, uint8_t *pixels);
};

/// The common first part of the image struct of every format.
struct cic_picture {
    const struct cic_picture_functions *functions;
    const uint8_t *bytes;
    size_t count;
    cic_page page;
    char message[cic_message_size];
};

extern const struct cic_picture_functions cic_gif, cic_webp, cic_heif, cic_jpeg_xl, cic_tiff, cic_svg;

/// Stores the reason for a failure, and returns `status`.
static inline cic_status cic_fail(cic_picture *picture, cic_status status, const char *message) {
    strncpy(picture->message, message, sizeof picture->message - 1);
    return status;
}

/// The pixels of a decoded image, or of a band of it, and the next row to copy.
struct cic_row_source {
    const uint8_t *pixels;
    size_t row_byte_count;
    cic_size size;
    uint32_t row;
    /// Whether a pixel has 8 bytes instead of 4.
    bool has_wide_samples;
};

/// Copies the next rows of `source`, like cic_picture_read_rows.
cic_status cic_copy_rows(struct cic_row_source *source, uint8_t *rows, int row_count, int *rows_read);

/// Expands samples of `bits` bits to 16 bits, so that white becomes 65,535.
void cic_expand_samples(uint16_t *samples, size_t sample_count, int bits);

/// Converts premultiplied colors to straight alpha.
void cic_unmultiply(uint8_t *pixels, size_t pixel_count);

/// Expands the alpha of pixels from the limited range: 16 becomes 0 and 235 becomes 255. Wide
/// samples have 16 bits.
void cic_expand_limited_alpha(uint8_t *pixels, size_t pixel_count, bool has_wide_samples);

/// Converts gray samples of up to 16 bits to R, G, B, 255. After reduction to 8 bits, 16 is black
/// and 235 is white. Samples of more than 8 bits have 2 bytes each.
void cic_expand_limited_gray(struct cic_row_source gray, int bits, uint8_t *pixels);

/// Replaces the alpha of pixels with samples of up to 16 bits, reduced to 8 bits.
void cic_set_alpha(struct cic_row_source alpha, int bits, uint8_t *pixels);

/// Declares a struct member for the pointer to the library function `name`.
#define CIC_DECLARE(name) __typeof__(&name) name;
/// Finds the library function `name`, and stores its address in `functions`. The expansion starts
/// with `&&`, so it must follow another condition.
#define CIC_FIND(name) && cic_find_function(library, #name, &functions.name)

#endif
