#ifdef CIC_HEIF

#include "heif_references.h"

#include <stdlib.h>

#include "heif_boxes.h"

// "iref" has a box for each kind of reference and item (section 8.11.12):
//
//     size | type | from | number (16) | to…
//
// Item numbers have 16 bits, or 32 in version 1.

/// The maximum depth of references, and the number of items for which depths are tracked. A grid or
/// an overlay of tiles with an alpha image has three levels.
enum { maximum_depth = 8, item_count = 1 << 16 };

/// Increases the depth of the items that `box` declares as parts of another item, and sets `is_new`
/// if a depth changed; returns false if an item would be too deep.
static bool deepen(const struct box *box, int id_size, uint8_t *depths, bool *is_new) {
    // For a derived item, the other items are its parts; for an alpha image, it is the reverse.
    const bool is_derived = is_of_type(box, "dimg");
    if ((!is_derived && !is_of_type(box, "auxl")) || box->content.count < (size_t)id_size + 2)
        return true;
    const uint8_t *bytes = box->content.bytes;
    const size_t from = number(bytes, id_size) % item_count;
    const size_t room = (box->content.count - (size_t)id_size - 2) / (size_t)id_size;
    size_t count = number(bytes + id_size, 2);
    if (count > room) count = room;
    for (size_t index = 0; index < count; index++) {
        const size_t to =
            number(bytes + id_size + 2 + index * (size_t)id_size, id_size) % item_count;
        const size_t whole = is_derived ? from : to, part = is_derived ? to : from;
        if (depths[part] > depths[whole]) continue;
        if (depths[whole] == maximum_depth) return false;
        depths[part] = (uint8_t)(depths[whole] + 1);
        *is_new = true;
    }
    return true;
}

static bool is_endless(struct span references) {
    if (references.count < 4) return false;
    const int id_size = references.bytes[0] == 0 ? 2 : 4;
    uint8_t *depths = calloc(1, item_count);
    if (depths == NULL) return true;
    bool is_new = true, is_too_deep = false;
    // Each round increases a depth, and depths are limited, so the loop ends.
    while (is_new && !is_too_deep) {
        is_new = false;
        struct span rest = {references.bytes + 4, references.count - 4};
        struct box box;
        while (!is_too_deep && take_box(&rest, &box))
            is_too_deep = !deepen(&box, id_size, depths, &is_new);
    }
    free(depths);
    return is_too_deep;
}

bool cic_heif_references_are_endless(const uint8_t *bytes, size_t count) {
    struct span file = {bytes, count};
    struct box meta, box;
    while (take_box(&file, &meta)) {
        if (!is_of_type(&meta, "meta") || meta.content.count < 4) continue;
        struct span rest = {meta.content.bytes + 4, meta.content.count - 4};
        while (take_box(&rest, &box))
            if (is_of_type(&box, "iref") && is_endless(box.content)) return true;
    }
    return false;
}

#endif
