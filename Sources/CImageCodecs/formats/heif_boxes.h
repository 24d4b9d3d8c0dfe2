#ifndef CIC_HEIF_BOXES_H
#define CIC_HEIF_BOXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Boxes (ISO/IEC 14496-12, section 4.2) are size (32) | type (32) | content. If the size is 1, the
// real size (64) follows the type. If it is 0, the box extends to the end. The content of "meta",
// "iref" and others begins with a version and flags (32).

struct span {
    const uint8_t *bytes;
    size_t count;
};

struct box {
    char type[4];
    struct span content;
};

static inline uint64_t number(const uint8_t *bytes, int byte_count) {
    uint64_t value = 0;
    for (int index = 0; index < byte_count; index++) value = value << 8 | bytes[index];
    return value;
}

/// Removes the first box from `rest`; returns false if `rest` does not begin with a valid box.
static inline bool take_box(struct span *rest, struct box *box) {
    if (rest->count < 8) return false;
    uint64_t size = number(rest->bytes, 4);
    size_t head = 8;
    if (size == 1 && rest->count >= 16) {
        size = number(rest->bytes + 8, 8);
        head = 16;
    }
    if (size == 0 || size > rest->count) size = rest->count;
    if (size < head) return false;
    memcpy(box->type, rest->bytes + 4, 4);
    box->content = (struct span){rest->bytes + head, (size_t)size - head};
    *rest = (struct span){rest->bytes + size, rest->count - (size_t)size};
    return true;
}

static inline bool is_of_type(const struct box *box, const char *type) {
    return memcmp(box->type, type, 4) == 0;
}

/// Finds the first box of a type; returns false if `boxes` contains no such box.
static inline bool find_box(struct span boxes, const char *type, struct box *box) {
    while (take_box(&boxes, box))
        if (is_of_type(box, type)) return true;
    return false;
}

/// Removes a big-endian number of `byte_count` bytes from `rest`; returns false if `rest` is too
/// short.
static inline bool take_number(struct span *rest, int byte_count, uint64_t *value) {
    if (rest->count < (size_t)byte_count) return false;
    *value = number(rest->bytes, byte_count);
    *rest = (struct span){rest->bytes + byte_count, rest->count - (size_t)byte_count};
    return true;
}

#endif
