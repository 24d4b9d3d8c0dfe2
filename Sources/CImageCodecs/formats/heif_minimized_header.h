#ifndef CIC_HEIF_MINIMIZED_HEADER_H
#define CIC_HEIF_MINIMIZED_HEADER_H

#include "cic_status.h"
#include "heif_boxes.h"

/// The parts of a minimized header that are kept.
struct minimized {
    char item_type[4], config_type[4];
    uint32_t width, height, orientation;
    bool is_full_range, has_alpha, is_premultiplied, has_peak;
    uint32_t primaries, transfer, matrix, peak, mean;
    struct span profile, config, alpha_config, image, alpha;
};

/// Reads the content of a "mini" box. `brand` is the brand of the coding, which implies the types.
cic_status cic_heif_read_minimized(
    struct span content, const uint8_t *brand, struct minimized *image);

#endif
