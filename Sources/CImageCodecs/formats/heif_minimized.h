#ifndef CIC_HEIF_MINIMIZED_H
#define CIC_HEIF_MINIMIZED_H

#include "picture.h"

/// Expands a file with a minimized header ("mini") to an equivalent file with a "meta" box, because
/// libheif 1.15 reads only those. Gain maps, EXIF data and XMP are left out; the orientation is
/// kept.
///
/// Sets `*copy` to the file, which the caller frees, or to NULL if the header is not minimized.
cic_status cic_heif_expand_minimized(
    cic_picture *picture, uint8_t **copy, size_t *copy_byte_count);

#endif
