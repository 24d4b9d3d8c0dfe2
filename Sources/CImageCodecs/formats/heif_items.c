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

/// A reference from an item to the first of other items.
struct reference {
    uint32_t from, to;
};

/// Removes the next reference of a type from `references`; returns false after the last one.
static bool take_reference(
    struct span *references, int id_size, const char *type, struct reference *reference) {
    struct box entry;
    uint64_t from, count, to;
    while (take_box(references, &entry))
        if (is_of_type(&entry, type) && take_number(&entry.content, id_size, &from)
            && take_number(&entry.content, 2, &count) && count > 0
            && take_number(&entry.content, id_size, &to)) {
            *reference = (struct reference){(uint32_t)from, (uint32_t)to};
            return true;
        }
    return false;
}

static bool find_references(const struct items *items, struct span *references, int *id_size) {
    struct box box;
    uint64_t version, flags;
    if (!find_box(items->meta, "iref", &box) || !take_version(&box.content, &version, &flags))
        return false;
    *id_size = version == 0 ? 2 : 4;
    *references = box.content;
    return true;
}

uint32_t cic_heif_first_part(const struct items *items, uint32_t id) {
    struct span references;
    struct reference reference;
    int id_size;
    if (!find_references(items, &references, &id_size)) return 0;
    while (take_reference(&references, id_size, "dimg", &reference))
        if (reference.from == id) return reference.to;
    return 0;
}

uint32_t cic_heif_first_auxiliary(const struct items *items, uint32_t id) {
    struct span references;
    struct reference reference;
    int id_size;
    if (!find_references(items, &references, &id_size)) return 0;
    while (take_reference(&references, id_size, "auxl", &reference))
        if (reference.to == id) return reference.from;
    return 0;
}

#endif
