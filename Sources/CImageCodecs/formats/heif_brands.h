#ifndef CIC_HEIF_BRANDS_H
#define CIC_HEIF_BRANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Makes libheif accept the still image of a file that has no known brands except those of image
/// sequences ("avis", "hevc", "msf1"): replaces them in `copy`, which is created if it is NULL.
/// Returns false if memory runs out.
///
/// libheif up to 1.17 refuses such a file, although its "meta" box may contain a still image.
bool cic_heif_name_still_image(const uint8_t *bytes, size_t count, uint8_t **copy);

/// Returns the name of the structure that a file has instead of a "meta" box with a still image: a
/// minimized header or a sequence. Returns NULL if the file has a "meta" box, or none of the three.
const char *cic_heif_other_structure(const uint8_t *bytes, size_t count);

#endif
