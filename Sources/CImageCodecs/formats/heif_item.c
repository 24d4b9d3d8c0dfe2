// libheif 1.15 cannot mirror images of more than 8 bits, drops alpha that is not rotated like its
// image, and miscalculates the size if a rotation is listed before the size. The transformations
// are therefore read here, and the library reads a copy of the file without them.
#ifdef CIC_HEIF

#include "heif_item.h"

#include <math.h>
#include <stdlib.h>

#include "heif_boxes.h"
#include "heif_items.h"

/// Removes the associations of the next item from `rest`; stores the item's number in `id`, unless
/// `id` is NULL, and the indices of its properties in `indices`. Returns false after the last item.
static bool take_indices(
    const struct items *items, struct span *rest, uint32_t *id, struct span *indices) {
    uint64_t item, index_count;
    if (!take_number(rest, items->id_size, &item) || !take_number(rest, 1, &index_count))
        return false;
    const size_t byte_count = (size_t)index_count * (size_t)items->index_size;
    if (byte_count > rest->count) return false;
    *indices = (struct span){rest->bytes, byte_count};
    *rest = (struct span){rest->bytes + byte_count, rest->count - byte_count};
    if (id != NULL) *id = (uint32_t)item;
    return true;
}

static bool find_indices(const struct items *items, uint32_t id, struct span *indices) {
    struct span rest = items->associations;
    uint32_t item;
    while (take_indices(items, &rest, &item, indices))
        if (item == id) return true;
    return false;
}

/// Removes the next property index from `indices` and returns it without its highest bit, which
/// marks essential properties; returns 0 at the end.
static unsigned take_index(const struct items *items, struct span *indices) {
    uint64_t index;
    if (!take_number(indices, items->index_size, &index)) return 0;
    return (unsigned)index & (items->index_size == 1 ? 0x7F : 0x7FFF);
}

/// Removes the next index from `indices` and finds its property; returns false after the last
/// property.
static bool take_property(const struct items *items, struct span *indices, struct box *property) {
    while (indices->count > 0) {
        const unsigned index = take_index(items, indices);
        struct span rest = items->properties;
        unsigned number = 0;
        while (number < index && take_box(&rest, property)) number++;
        if (index > 0 && number == index) return true;
    }
    return false;
}

// MARK: - Geometry

/// The steps in the coded image that correspond to one step to the right and one step down in the
/// displayed image.
struct steps {
    int right_x, right_y, down_x, down_y;
};

static int orientation_of(struct steps steps) {
    static const struct steps all[8] = {
        {1, 0, 0, 1}, {-1, 0, 0, 1}, {-1, 0, 0, -1}, {1, 0, 0, -1},
        {0, 1, 1, 0}, {0, -1, 1, 0}, {0, -1, -1, 0}, {0, 1, -1, 0},
    };
    int number = 0;
    while (memcmp(&all[number], &steps, sizeof steps) != 0) number++;
    return number + 1;
}

/// Returns the steps after a quarter turn counterclockwise.
static struct steps turned(struct steps old) {
    return (struct steps){old.down_x, old.down_y, -old.right_x, -old.right_y};
}

/// Returns the steps after exchanging top and bottom (axis 0), or left and right (axis 1).
static struct steps mirrored(struct steps old, unsigned axis) {
    return axis == 0
               ? (struct steps){old.right_x, old.right_y, -old.down_x, -old.down_y}
               : (struct steps){-old.right_x, -old.right_y, old.down_x, old.down_y};
}

/// Applies a clean aperture: width, height, and the offset of its center, each as a fraction of two
/// 32-bit numbers. Returns false if the aperture is invalid.
static bool crop(struct span content, struct cic_heif_item *item) {
    double values[4];
    for (int index = 0; index < 4; index++) {
        uint64_t top, bottom;
        if (!take_number(&content, 4, &top) || !take_number(&content, 4, &bottom) || bottom == 0)
            return false;
        values[index] = (double)(int32_t)(uint32_t)top / (double)bottom;
    }
    const double width = round(values[0]), height = round(values[1]);
    const double left = floor(values[2] + (item->shown.width - values[0]) / 2);
    const double top = floor(values[3] + (item->shown.height - values[1]) / 2);
    if (!(width >= 1 && height >= 1 && left >= 0 && top >= 0 && left + width <= item->shown.width
          && top + height <= item->shown.height))
        return false;
    item->left += (uint32_t)left;
    item->top += (uint32_t)top;
    item->shown = (cic_size){(uint32_t)width, (uint32_t)height};
    return true;
}

static bool read_size(const struct items *items, struct span indices, struct cic_heif_item *item) {
    struct box property;
    uint64_t flags, width, height;
    while (take_property(items, &indices, &property))
        if (is_of_type(&property, "ispe") && take_number(&property.content, 4, &flags)
            && take_number(&property.content, 4, &width)
            && take_number(&property.content, 4, &height)) {
            item->coded = item->shown = (cic_size){(uint32_t)width, (uint32_t)height};
            return true;
        }
    return false;
}

static bool read_geometry(
    const struct items *items, struct span indices, struct cic_heif_item *item) {
    struct steps steps = {1, 0, 0, 1};
    struct box property;
    while (take_property(items, &indices, &property)) {
        const struct span content = property.content;
        if (is_of_type(&property, "clap")) {
            // The standard requires the clean aperture to precede the other transformations.
            if (orientation_of(steps) != 1 || !crop(content, item)) return false;
        } else if (is_of_type(&property, "irot") && content.count > 0) {
            for (int turn = 0; turn < (content.bytes[0] & 3); turn++) steps = turned(steps);
        } else if (is_of_type(&property, "imir") && content.count > 0) {
            steps = mirrored(steps, content.bytes[0] & 1);
        }
    }
    item->orientation = orientation_of(steps);
    return true;
}

// MARK: - Removal

/// The number of properties that an association can refer to.
enum { property_count = 1 << 15 };

static bool is_transformation(const struct box *property) {
    return is_of_type(property, "irot") || is_of_type(property, "imir")
           || is_of_type(property, "clap");
}

/// Records which properties are transformations, by their numbers, which start with 1; returns
/// whether any property is.
static bool find_transformations(const struct items *items, bool *are_transformations) {
    struct span rest = items->properties;
    struct box property;
    bool is_any = false;
    for (int number = 1; number < property_count && take_box(&rest, &property); number++) {
        are_transformations[number] = is_transformation(&property);
        is_any |= are_transformations[number];
    }
    return is_any;
}

uint8_t *cic_heif_copy_without_transformations(const uint8_t *bytes, size_t count) {
    struct items items = {.id_size = 0};
    if (!cic_heif_find_items(bytes, count, &items)) return NULL;
    bool *are_transformations = calloc(property_count, sizeof(bool));
    uint8_t *copy = NULL;
    if (are_transformations != NULL && find_transformations(&items, are_transformations))
        copy = malloc(count);
    if (copy != NULL) {
        memcpy(copy, bytes, count);
        struct span rest = items.associations, indices;
        while (take_indices(&items, &rest, NULL, &indices)) {
            uint8_t *kept = copy + (indices.bytes - bytes), *end = kept + indices.count;
            while (indices.count > 0) {
                const uint8_t *index = indices.bytes;
                if (are_transformations[take_index(&items, &indices)]) continue;
                memcpy(kept, index, (size_t)items.index_size);
                kept += items.index_size;
            }
            // Index 0 refers to no property. In HEIC, libheif 1.15 does not find the decoder's
            // configuration behind such an index, so all of them are at the end.
            memset(kept, 0, (size_t)(end - kept));
        }
    }
    free(are_transformations);
    return copy;
}

/// Whether an item is coded without colors, according to its decoder configuration ("av1C" or
/// "hvcC").
static bool is_gray(const struct items *items, uint32_t id) {
    struct span indices;
    struct box property;
    if (!find_indices(items, id, &indices)) return false;
    while (take_property(items, &indices, &property)) {
        const struct span content = property.content;
        if (is_of_type(&property, "av1C") && content.count > 2) return content.bytes[2] & 0x10;
        if (is_of_type(&property, "hvcC") && content.count > 16)
            return (content.bytes[16] & 3) == 0;
    }
    return false;
}

/// Whether the color codes of an item ("colr" of the kind "nclx") specify the limited range.
static bool is_limited(const struct items *items, struct span indices) {
    struct box property;
    while (take_property(items, &indices, &property)) {
        const struct span content = property.content;
        if (is_of_type(&property, "colr") && content.count >= 11
            && memcmp(content.bytes, "nclx", 4) == 0)
            return (content.bytes[10] & 0x80) == 0;
    }
    return false;
}

/// Returns the maximum luminance of an item in cd/m² ("clli"), or 0 if it is unknown.
static unsigned peak_of(const struct items *items, struct span indices) {
    struct box property;
    uint64_t peak = 0;
    while (take_property(items, &indices, &property))
        if (is_of_type(&property, "clli") && take_number(&property.content, 2, &peak)) break;
    return (unsigned)peak;
}

bool cic_heif_read_item(const uint8_t *bytes, size_t count, uint32_t id, struct cic_heif_item *item) {
    struct items items = {.id_size = 0};
    struct span indices;
    char type[4];
    *item = (struct cic_heif_item){.orientation = 1};
    if (!cic_heif_find_items(bytes, count, &items)) return false;
    if (id == 0) id = cic_heif_primary(&items);
    if (id == 0 || !cic_heif_find_type(&items, id, type) || memcmp(type, "iden", 4) == 0
        || memcmp(type, "iovl", 4) == 0 || !find_indices(&items, id, &indices)
        || !read_size(&items, indices, item) || !read_geometry(&items, indices, item))
        return false;
    const uint32_t part = memcmp(type, "grid", 4) == 0 ? cic_heif_first_part(&items, id) : id;
    item->peak = peak_of(&items, indices);
    item->is_limited_gray = is_limited(&items, indices) && is_gray(&items, part);
    const uint32_t alpha = cic_heif_first_auxiliary(&items, id);
    item->has_limited_alpha =
        alpha != 0 && find_indices(&items, alpha, &indices) && is_limited(&items, indices);
    return true;
}

#endif
