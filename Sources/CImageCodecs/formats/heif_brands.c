#include "heif_brands.h"

#include <stdlib.h>

#include "heif_boxes.h"

// ftyp: major brand (32) | version (32) | compatible brands (32 each); ISO/IEC 14496-12, section
// 4.3. The brands of sequences and still images are in ISO/IEC 23008-12, annex B, and in "AV1 Image
// File Format", section 9.

enum { brand_size = 4 };

static const char *const sequence_brands[] = {"avis", "hevc", "hevx", "msf1"};
/// The brand of a still image for each brand in `sequence_brands`.
static const char *const still_brands[] = {"avif", "heic", "heix", "mif1"};
static const char *const other_still_brands[] = {"heim", "heis"};

enum {
    brand_count = sizeof sequence_brands / sizeof *sequence_brands,
    other_brand_count = sizeof other_still_brands / sizeof *other_still_brands,
};

static bool find_brands(const uint8_t *bytes, size_t count, struct span *brands) {
    struct box box;
    struct span rest = {bytes, count};
    if (!take_box(&rest, &box) || !is_of_type(&box, "ftyp")) return false;
    *brands = box.content;
    return brands->count >= brand_size;
}

static bool is_brand(const uint8_t *place, const char *const *brands, int count) {
    for (int index = 0; index < count; index++)
        if (memcmp(place, brands[index], brand_size) == 0) return true;
    return false;
}

static bool name_only_sequences(struct span brands) {
    bool names_sequence = false;
    for (size_t offset = 0; offset + brand_size <= brands.count; offset += brand_size) {
        const uint8_t *brand = brands.bytes + offset;
        if (is_brand(brand, still_brands, brand_count)
            || is_brand(brand, other_still_brands, other_brand_count))
            return false;
        names_sequence = names_sequence || is_brand(brand, sequence_brands, brand_count);
    }
    return names_sequence;
}

bool cic_heif_name_still_image(const uint8_t *bytes, size_t count, uint8_t **copy) {
    struct span brands;
    if (!find_brands(bytes, count, &brands) || !name_only_sequences(brands)) return true;
    if (*copy == NULL) {
        *copy = malloc(count);
        if (*copy == NULL) return false;
        memcpy(*copy, bytes, count);
    }
    uint8_t *start = *copy + (brands.bytes - bytes);
    for (size_t offset = 0; offset + brand_size <= brands.count; offset += brand_size)
        for (int index = 0; index < brand_count; index++)
            if (memcmp(start + offset, sequence_brands[index], brand_size) == 0)
                memcpy(start + offset, still_brands[index], brand_size);
    return true;
}

const char *cic_heif_other_structure(const uint8_t *bytes, size_t count) {
    const struct span boxes = {bytes, count};
    struct box box;
    if (find_box(boxes, "meta", &box)) return NULL;
    return find_box(boxes, "moov", &box) ? "a sequence without a still image" : NULL;
}
