#ifdef CIC_HEIF

#include "heif_tiles.h"

#include <stdlib.h>

#include "heif_items.h"

uint32_t cic_heif_first_tile(const uint8_t *bytes, size_t count, struct cic_heif_item *tile) {
    struct items items = {.id_size = 0};
    struct cic_heif_item image;
    char type[4];
    if (!cic_heif_find_items(bytes, count, &items)) return 0;
    const uint32_t grid = cic_heif_primary(&items);
    if (grid == 0 || !cic_heif_find_type(&items, grid, type) || memcmp(type, "grid", 4) != 0)
        return 0;
    const uint32_t id = cic_heif_first_part(&items, grid);
    if (id == 0 || !cic_heif_read_item(bytes, count, grid, &image)
        || !cic_heif_read_item(bytes, count, id, tile) || tile->coded.width == 0
        || tile->coded.height == 0)
        return 0;
    const cic_size coded = image.coded, size = tile->coded;
    // The tile's place in a cropped image depends on the crop.
    if (coded.width != image.shown.width || coded.height != image.shown.height
        || size.width > coded.width || size.height > coded.height)
        return 0;
    // Tiles and thumbnails are decoded before the caller checks the memory limit.
    if ((uint64_t)size.width * size.height > cic_heif_thumbnail_pixel_count) return 0;
    // The color codes of the image specify the range of the samples; tiles need not repeat them.
    *tile = (struct cic_heif_item){
        .coded = size,
        .shown = size,
        .orientation = 1,
        .is_limited_gray = image.is_limited_gray,
    };
    return id;
}

uint8_t *cic_heif_copy_with_primary(const uint8_t *bytes, size_t count, uint32_t id) {
    struct items items = {.id_size = 0};
    struct span place;
    const uint8_t *flags;
    char type[4];
    if (!cic_heif_find_items(bytes, count, &items) || !cic_heif_find_primary(&items, &place)
        || !cic_heif_find_entry(&items, id, &flags, type) || (place.count == 2 && id > UINT16_MAX))
        return NULL;
    uint8_t *copy = malloc(count);
    if (copy == NULL) return NULL;
    memcpy(copy, bytes, count);
    uint8_t *target = copy + (place.bytes - bytes);
    for (size_t index = 0; index < place.count; index++)
        target[index] = (uint8_t)(id >> 8 * (place.count - 1 - index));
    // The tiles of a grid are hidden, and libheif refuses a hidden primary item.
    copy[flags - bytes] &= 0xFE;
    return copy;
}

#endif
