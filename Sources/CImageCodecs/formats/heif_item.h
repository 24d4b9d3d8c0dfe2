#ifndef CIC_HEIF_ITEM_H
#define CIC_HEIF_ITEM_H

#include "picture.h"

/// The geometry of an image in a HEIF file (ISO/IEC 23008-12, section 6.5), and the kind of its
/// samples.
struct cic_heif_item {
    /// The size of the coded image.
    cic_size coded;
    /// The displayed part of the coded image: `left` and `top` are its position, `shown` is its
    /// size.
    uint32_t left, top;
    cic_size shown;
    /// The orientation of the displayed part, as an EXIF number.
    int orientation;
    /// Whether the samples are gray, from 16 for black to 235 for white.
    bool is_limited_gray;
    /// Whether the color codes of the alpha image specify the limited range: from 16 for
    /// transparent to 235 for opaque.
    bool has_limited_alpha;
    /// The maximum luminance in cd/m², or 0 if it is unknown.
    unsigned peak;
};

/// Reads the properties of the item `id`, or of the primary item if `id` is 0. Returns false if the
/// properties cannot be read here, or if the item is an identity or an overlay ("iden" or "iovl"),
/// which depends on the geometry of other items.
bool cic_heif_read_item(const uint8_t *bytes, size_t count, uint32_t id, struct cic_heif_item *item);

/// Whether an item is rotated, mirrored or cropped.
static inline bool cic_heif_is_transformed(const struct cic_heif_item *item) {
    return item->orientation != 1 || item->shown.width != item->coded.width
           || item->shown.height != item->coded.height;
}

/// The maximum number of pixels of a thumbnail; a larger thumbnail is not worth a second decode.
enum { cic_heif_thumbnail_pixel_count = 1 << 22 };

/// Whether a thumbnail can replace an image: it has at least the requested size, at most
/// `cic_heif_thumbnail_pixel_count` pixels, and the orientation and the aspect ratio of the image.
/// Its height may deviate from the aspect ratio by up to 1.5 pixels.
static inline bool cic_heif_stands_for(
    const struct cic_heif_item *thumbnail, const struct cic_heif_item *image, cic_size wanted) {
    const cic_size size = thumbnail->shown;
    const double expected = (double)image->shown.height / image->shown.width * size.width;
    return size.width >= wanted.width && size.height >= wanted.height
           && thumbnail->orientation == image->orientation && expected - 1.5 < size.height
           && size.height < expected + 1.5
           && (uint64_t)thumbnail->coded.width * thumbnail->coded.height
                  <= cic_heif_thumbnail_pixel_count;
}

/// Returns a copy of a file in which no item has transformations, or NULL if the file has none, if
/// its structure cannot be read, or if memory runs out.
uint8_t *cic_heif_copy_without_transformations(const uint8_t *bytes, size_t count);

#endif
