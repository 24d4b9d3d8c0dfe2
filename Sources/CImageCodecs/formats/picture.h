#ifndef CIC_PICTURE_H
#define CIC_PICTURE_H

#include <string.h>

#include "CImageCodecs.h"
#include "../libraries.h"

/// What a format's file knows to do: the functions of cic_formats.h, of which those for frames are
/// NULL where no picture is animated.
struct cic_picture_functions {
    const char *package;
    bool (*load)(void);
    cic_picture *(*create)(void);
    void (*destroy)(cic_picture *picture);
    cic_status (*read_header)(cic_picture *picture, cic_picture_header *header);
    cic_status (*start)(cic_picture *picture, cic_picture_target target, cic_picture_rows *rows);
    cic_status (*read_rows)(cic_picture *picture, uint8_t *rows, int row_count, int *rows_read);
    /// NULL where rows are in order if they could be read.
    cic_status (*finish)(cic_picture *picture);
    cic_status (*next_frame)(cic_picture *picture, cic_frame *frame);
    cic_status (*read_frame)(cic_picture *picture, uint8_t *pixels);
};

/// What every format's picture begins with.
struct cic_picture {
    const struct cic_picture_functions *functions;
    const uint8_t *bytes;
    size_t count;
    char message[cic_message_size];
};

extern const struct cic_picture_functions cic_gif, cic_webp, cic_heif, cic_jpeg_xl, cic_tiff, cic_svg;

/// Notes why a call fails, and returns `status`.
static inline cic_status cic_fail(cic_picture *picture, cic_status status, const char *message) {
    strncpy(picture->message, message, sizeof picture->message - 1);
    return status;
}

/// Rows that are copied out of a picture as a library holds it.
struct cic_row_source {
    const uint8_t *pixels;
    size_t row_byte_count;
    cic_size size;
    uint32_t row;
};

/// The next rows of `source`, as cic_picture_read_rows.
cic_status cic_copy_rows(struct cic_row_source *source, uint8_t *rows, int row_count, int *rows_read);

/// Makes straight alpha of colours that are multiplied with it.
void cic_unmultiply(uint8_t *pixels, size_t pixel_count);

/// Declares the functions of a library, which are named in a list, in a structure.
#define CIC_DECLARE(name) __typeof__(&name) name;
/// Whether a function of the list is found; to be put behind `true`.
#define CIC_FIND(name) && cic_find_function(library, #name, &functions.name)

#endif
