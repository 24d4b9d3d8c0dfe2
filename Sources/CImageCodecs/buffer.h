// The growing output of the encoders.

#ifndef CIC_BUFFER_H
#define CIC_BUFFER_H

#include "CImageCodecs.h"

typedef struct {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
} cic_growing_buffer;

/// Appends, or returns false when there is no memory.
bool cic_growing_buffer_append(cic_growing_buffer *buffer, const uint8_t *bytes, size_t count);

/// Hands the bytes over to `output`.
void cic_growing_buffer_move(cic_growing_buffer *buffer, cic_buffer *output);

#endif
