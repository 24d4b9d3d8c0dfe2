#ifndef CIC_HEIF_LIKENESS_H
#define CIC_HEIF_LIKENESS_H

#include "picture.h"

/// Whether the pixels of `tile` are similar to a part of `thumbnail`: the top left part of the size
/// `width` by `height`, in pixels of the thumbnail. Both have red, green, blue and alpha.
///
/// The mean colors of 8 by 8 cells are compared. The limits are those of `DCBand`.
bool cic_heif_is_like(
    const struct cic_row_source *tile, const struct cic_row_source *thumbnail, double width,
    double height);

#endif
