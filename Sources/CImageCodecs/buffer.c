#include "buffer.h"

#include <stdlib.h>
#include <string.h>

bool cic_growing_buffer_append(cic_growing_buffer *buffer, const uint8_t *bytes, size_t count) {
    // memcpy does not allow a null pointer, not even for 0 bytes.
    if (count == 0) return true;
    if (count > buffer->capacity - buffer->count) {
        const size_t capacity = (buffer->count + count) * 2;
        uint8_t *grown = realloc(buffer->bytes, capacity);
        if (grown == NULL) return false;
        buffer->bytes = grown;
        buffer->capacity = capacity;
    }
    memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
    return true;
}

void cic_growing_buffer_move(cic_growing_buffer *buffer, cic_buffer *output) {
    output->bytes = buffer->bytes;
    output->count = buffer->count;
    memset(buffer, 0, sizeof *buffer);
}

void cic_buffer_free(cic_buffer *buffer) {
    free(buffer->bytes);
    buffer->bytes = NULL;
    buffer->count = 0;
}
