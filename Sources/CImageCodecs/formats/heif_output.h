#ifndef CIC_HEIF_OUTPUT_H
#define CIC_HEIF_OUTPUT_H

#include "heif_boxes.h"

/// A buffer with enough room for everything that is written.
struct output {
    uint8_t *bytes;
    size_t count;
};

static inline void put(struct output *output, uint64_t value, int byte_count) {
    for (int shift = (byte_count - 1) * 8; shift >= 0; shift -= 8)
        output->bytes[output->count++] = (uint8_t)(value >> shift);
}

static inline void put_bytes(struct output *output, const void *bytes, size_t count) {
    if (count > 0) memcpy(output->bytes + output->count, bytes, count);
    output->count += count;
}

static inline size_t begin_box(struct output *output, const char *type) {
    const size_t start = output->count;
    put(output, 0, 4);
    put_bytes(output, type, 4);
    return start;
}

/// Begins a box with a version and flags.
static inline size_t begin_full_box(struct output *output, const char *type, uint32_t version) {
    const size_t start = begin_box(output, type);
    put(output, version << 24, 4);
    return start;
}

/// Writes a number over the bytes at `place`.
static inline void patch(struct output *output, size_t place, size_t value) {
    struct output earlier = {output->bytes, place};
    put(&earlier, value, 4);
}

static inline void end_box(struct output *output, size_t start) {
    patch(output, start, output->count - start);
}

#endif
