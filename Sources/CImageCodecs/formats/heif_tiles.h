#ifndef CIC_HEIF_TILES_H
#define CIC_HEIF_TILES_H

#include "heif_item.h"

// Phones store an image as a grid, an item that consists of tiles.

/// Returns the number of the first tile, which is at the top left of the coded image, and stores
/// its size and the kind of its samples in `tile`. Returns 0 if the primary item is not a grid, if
/// it is cropped, or if the tile has more than `cic_heif_thumbnail_pixel_count` pixels.
uint32_t cic_heif_first_tile(const uint8_t *bytes, size_t count, struct cic_heif_item *tile);

/// Returns a copy of a file with the item `id` as its primary item, or NULL if its structure cannot
/// be read, or if memory runs out.
uint8_t *cic_heif_copy_with_primary(const uint8_t *bytes, size_t count, uint32_t id);

#endif
