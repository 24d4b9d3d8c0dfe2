#ifndef CIC_HEIF_LIKENESS_H
#define CIC_HEIF_LIKENESS_H

#include "picture.h"

/// Whether the pixels of `tile`, the top left part of an image of the size `coded`, are similar to
/// the same part of `thumbnail`. Both have red, green, blue and alpha.
///
/// The mean colors of 8 by 8 cells are compared. The limits are those of `DCBand`.
bool cic_heif_is_like(
    const struct cic_row_source *tile, const struct cic_row_source *thumbnail, cic_size coded);

#endif
