// Expands a minimized header to the usual boxes.
#ifdef CIC_HEIF

#include "heif_minimized.h"

#include <stdlib.h>

#include "heif_minimized_header.h"
#include "heif_output.h"

/// The numbers of the items.
enum { image_id = 1, alpha_id = 2 };

/// The associations of properties with an item: each is an index of a property, with the highest
/// bit for essential properties.
struct associations {
    uint8_t indices[8];
    uint8_t count;
};

static void associate(struct associations *associations, int index, bool is_essential) {
    associations->indices[associations->count++] = (uint8_t)(index | (is_essential ? 0x80 : 0));
}

static void put_config(struct output *output, const char type[4], struct span config) {
    const size_t box = begin_box(output, type);
    put_bytes(output, config.bytes, config.count);
    end_box(output, box);
}

/// Writes the rotation and mirroring for an EXIF orientation; returns the number of boxes.
static int put_orientation(struct output *output, uint32_t orientation) {
    static const uint8_t turns[] = {0, 0, 0, 2, 0, 1, 3, 3, 1};
    int count = 0;
    if (turns[orientation] > 0) {
        const size_t box = begin_box(output, "irot");
        put(output, turns[orientation], 1);
        end_box(output, box);
        count++;
    }
    if (orientation == 2 || orientation == 4 || orientation == 5 || orientation == 7) {
        const size_t box = begin_box(output, "imir");
        put(output, orientation == 2, 1);
        end_box(output, box);
        count++;
    }
    return count;
}

static void put_properties(struct output *output, const struct minimized *image) {
    struct associations main = {.count = 0}, alpha = {.count = 0};
    int index = 0;
    const size_t properties = begin_box(output, "iprp"), list = begin_box(output, "ipco");
    put_config(output, image->config_type, image->config);
    associate(&main, ++index, true);
    size_t box = begin_full_box(output, "ispe", 0);
    put(output, image->width, 4);
    put(output, image->height, 4);
    end_box(output, box);
    associate(&main, ++index, false);
    associate(&alpha, index, false);
    box = begin_box(output, "colr");
    put_bytes(output, "nclx", 4);
    put(output, image->primaries, 2);
    put(output, image->transfer, 2);
    put(output, image->matrix, 2);
    put(output, image->is_full_range ? 0x80 : 0, 1);
    end_box(output, box);
    associate(&main, ++index, false);
    if (image->profile.count > 0) {
        box = begin_box(output, "colr");
        put_bytes(output, "prof", 4);
        put_bytes(output, image->profile.bytes, image->profile.count);
        end_box(output, box);
        associate(&main, ++index, false);
    }
    if (image->has_peak) {
        box = begin_box(output, "clli");
        put(output, image->peak, 2);
        put(output, image->mean, 2);
        end_box(output, box);
        associate(&main, ++index, false);
    }
    if (image->has_alpha) {
        put_config(output, image->config_type, image->alpha_config);
        associate(&alpha, ++index, true);
        static const char name[] = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha";
        box = begin_full_box(output, "auxC", 0);
        put_bytes(output, name, sizeof name);
        end_box(output, box);
        associate(&alpha, ++index, true);
    }
    for (int count = put_orientation(output, image->orientation); count > 0; count--) {
        associate(&main, ++index, true);
        associate(&alpha, index, true);
    }
    end_box(output, list);
    box = begin_full_box(output, "ipma", 0);
    put(output, image->has_alpha ? 2 : 1, 4);
    put(output, image_id, 2);
    put(output, main.count, 1);
    put_bytes(output, main.indices, main.count);
    if (image->has_alpha) {
        put(output, alpha_id, 2);
        put(output, alpha.count, 1);
        put_bytes(output, alpha.indices, alpha.count);
    }
    end_box(output, box);
    end_box(output, properties);
}

static void put_item(struct output *output, int id, const char type[4]) {
    const size_t box = begin_full_box(output, "infe", 2);
    put(output, (uint64_t)id, 2);
    put(output, 0, 2);
    put_bytes(output, type, 4);
    put(output, 0, 1);
    end_box(output, box);
}

static void put_reference(struct output *output, const char *type, int from, int to) {
    const size_t box = begin_box(output, type);
    put(output, (uint64_t)from, 2);
    put(output, 1, 2);
    put(output, (uint64_t)to, 2);
    end_box(output, box);
}

/// Writes the location of an item and returns the place of its offset.
static size_t put_location(struct output *output, int id, size_t byte_count) {
    put(output, (uint64_t)id, 2);
    put(output, 0, 2);
    put(output, 1, 2);
    const size_t place = output->count;
    put(output, 0, 4);
    put(output, byte_count, 4);
    return place;
}

static void put_file(
    struct output *output, const struct minimized *image, const uint8_t *brand) {
    const uint64_t item_count = image->has_alpha ? 2 : 1;
    size_t box = begin_box(output, "ftyp");
    put_bytes(output, brand, 4);
    put(output, 0, 4);
    put_bytes(output, brand, 4);
    put_bytes(output, "mif1", 4);
    end_box(output, box);
    const size_t meta = begin_full_box(output, "meta", 0);
    box = begin_full_box(output, "hdlr", 0);
    put(output, 0, 4);
    put_bytes(output, "pict", 4);
    put(output, 0, 4);
    put(output, 0, 8);
    put(output, 0, 1);
    end_box(output, box);
    box = begin_full_box(output, "pitm", 0);
    put(output, image_id, 2);
    end_box(output, box);
    box = begin_full_box(output, "iloc", 0);
    // Offsets and lengths have 4 bytes, and there is no base.
    put(output, 0x4400, 2);
    put(output, item_count, 2);
    const size_t image_place = put_location(output, image_id, image->image.count);
    const size_t alpha_place =
        image->has_alpha ? put_location(output, alpha_id, image->alpha.count) : 0;
    end_box(output, box);
    box = begin_full_box(output, "iinf", 0);
    put(output, item_count, 2);
    put_item(output, image_id, image->item_type);
    if (image->has_alpha) put_item(output, alpha_id, image->item_type);
    end_box(output, box);
    if (image->has_alpha) {
        box = begin_full_box(output, "iref", 0);
        put_reference(output, "auxl", alpha_id, image_id);
        if (image->is_premultiplied) put_reference(output, "prem", image_id, alpha_id);
        end_box(output, box);
    }
    put_properties(output, image);
    end_box(output, meta);
    box = begin_box(output, "mdat");
    patch(output, image_place, output->count);
    put_bytes(output, image->image.bytes, image->image.count);
    if (image->has_alpha) {
        patch(output, alpha_place, output->count);
        put_bytes(output, image->alpha.bytes, image->alpha.count);
    }
    end_box(output, box);
}

cic_status cic_heif_expand_minimized(
    cic_picture *picture, uint8_t **copy, size_t *copy_byte_count) {
    struct span file = {picture->bytes, picture->count};
    struct box type, box;
    *copy = NULL;
    if (find_box(file, "meta", &box) || !find_box(file, "mini", &box)) return cic_status_ok;
    // The version of the file type names the coding.
    if (!find_box(file, "ftyp", &type) || type.content.count < 8) return cic_status_truncated;
    const uint8_t *brand = type.content.bytes + 4;
    struct minimized image = {.width = 0};
    const cic_status status = cic_heif_read_minimized(box.content, brand, &image);
    if (status == cic_status_unsupported)
        return cic_fail(picture, status, "another version of the minimized header (\"mini\")");
    if (status != cic_status_ok) return status;
    /// More than all boxes need beside the parts that are copied.
    enum { head_byte_count = 1024 };
    const size_t capacity = head_byte_count + image.profile.count + image.config.count
                            + image.alpha_config.count + image.image.count + image.alpha.count;
    struct output output = {malloc(capacity), 0};
    if (output.bytes == NULL) return cic_status_out_of_memory;
    put_file(&output, &image, brand);
    *copy = output.bytes;
    *copy_byte_count = output.count;
    return cic_status_ok;
}

#endif
