#ifdef CIC_HEIF

#include "heif_items.h"

/// Removes the version and the flags from the content of a box.
static bool take_version(struct span *content, uint64_t *version, uint64_t *flags) {
    return take_number(content, 1, version) && take_number(content, 3, flags);
}

bool cic_heif_find_items(const uint8_t *bytes, size_t count, struct items *items) {
    struct box box;
    uint64_t version, flags, item_count;
    if (!find_box((struct span){bytes, count}, "meta", &box)
        || !take_version(&box.content, &version, &flags))
        return false;
    items->meta = box.content;
    if (!find_box(items->meta, "iprp", &box)) return false;
    const struct span properties = box.content;
    if (!find_box(properties, "ipco", &box)) return false;
    items->properties = box.content;
    if (!find_box(properties, "ipma", &box) || !take_version(&box.content, &version, &flags)
        || !take_number(&box.content, 4, &item_count))
        return false;
    items->id_size = version == 0 ? 2 : 4;
    items->index_size = flags & 1 ? 2 : 1;
    items->associations = box.content;
    return true;
}

bool cic_heif_find_primary(const struct items *items, struct span *place) {
    struct box box;
    uint64_t version, flags;
    if (!find_box(items->meta, "pitm", &box) || !take_version(&box.content, &version, &flags))
        return false;
    *place = (struct span){box.content.bytes, version == 0 ? 2 : 4};
    return box.content.count >= place->count;
}

uint32_t cic_heif_primary(const struct items *items) {
    struct span place;
    if (!cic_heif_find_primary(items, &place)) return 0;
    return (uint32_t)number(place.bytes, (int)place.count);
}

bool cic_heif_find_entry(
    const struct items *items, uint32_t id, const uint8_t **flags_place, char type[4]) {
    struct box box, entry;
    uint64_t version, flags, number;
    if (!find_box(items->meta, "iinf", &box) || !take_version(&box.content, &version, &flags)
        || !take_number(&box.content, version == 0 ? 2 : 4, &number))
        return false;
    while (take_box(&box.content, &entry)) {
        *flags_place = entry.content.bytes + 3;
        if (!is_of_type(&entry, "infe") || !take_version(&entry.content, &version, &flags)
            || version < 2 || !take_number(&entry.content, version == 2 ? 2 : 4, &number)
            || number != id || entry.content.count < 6)
            continue;
        // The type follows the protection index.
        memcpy(type, entry.content.bytes + 2, 4);
        return true;
    }
    return false;
}

bool cic_heif_find_type(const struct items *items, uint32_t id, char type[4]) {
    const uint8_t *flags_place;
    return cic_heif_find_entry(items, id, &flags_place, type);
}

/// Returns the number of the item at the other end of the first reference of a type that starts at
/// the item `id`, or ends there if `is_end` is true; returns 0 if the file has no such reference.
/// Only the first item that a reference names is considered.
static uint32_t other_end(const struct items *items, const char *type, uint32_t id, bool is_end) {
    struct box box, entry;
    uint64_t version, flags, from, count, to;
    if (!find_box(items->meta, "iref", &box) || !take_version(&box.content, &version, &flags))
        return 0;
    const int id_size = version == 0 ? 2 : 4;
    while (take_box(&box.content, &entry))
        if (is_of_type(&entry, type) && take_number(&entry.content, id_size, &from)
            && take_number(&entry.content, 2, &count) && count > 0
            && take_number(&entry.content, id_size, &to) && (is_end ? to : from) == id)
            return (uint32_t)(is_end ? from : to);
    return 0;
}

uint32_t cic_heif_first_part(const struct items *items, uint32_t id) {
    return other_end(items, "dimg", id, false);
}

uint32_t cic_heif_first_auxiliary(const struct items *items, uint32_t id) {
    return other_end(items, "auxl", id, true);
}

#endif
