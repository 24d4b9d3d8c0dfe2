#ifndef CIC_HEIF_ITEMS_H
#define CIC_HEIF_ITEMS_H

#include "heif_boxes.h"

/// The boxes inside "meta" that describe items.
struct items {
    struct span meta, properties, associations;
    int id_size, index_size;
};

/// Finds these boxes; returns false if one is missing.
bool cic_heif_find_items(const uint8_t *bytes, size_t count, struct items *items);

/// Finds the number of the primary item: `place` is set to its bytes.
bool cic_heif_find_primary(const struct items *items, struct span *place);

/// Returns the number of the primary item, or 0 if it cannot be found.
uint32_t cic_heif_primary(const struct items *items);

/// Finds the description of an item ("infe", section 8.11.6 of ISO/IEC 14496-12): `flags_place` is
/// set to the last byte of its flags, whose lowest bit hides the item.
bool cic_heif_find_entry(
    const struct items *items, uint32_t id, const uint8_t **flags_place, char type[4]);

/// Finds the type of an item.
bool cic_heif_find_type(const struct items *items, uint32_t id, char type[4]);

/// Returns the number of the first item from which the item `id` is derived, or 0 if the file names
/// no such item.
uint32_t cic_heif_first_part(const struct items *items, uint32_t id);

/// Returns the number of the first auxiliary item of the item `id`, such as its alpha image, or 0 if
/// the file names no such item.
uint32_t cic_heif_first_auxiliary(const struct items *items, uint32_t id);

#endif
