// The growing output buffer of the encoders.

#ifndef CIC_BUFFER_H
#define CIC_BUFFER_H

#include "CImageCodecs.h"

typedef struct {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
} cic_growing_buffer;

/// Appends bytes; returns false if memory runs out.
bool cic_growing_buffer_append(cic_growing_buffer *buffer, const uint8_t *bytes, size_t count);

/// Moves the bytes to `output`.
void cic_growing_buffer_move(cic_growing_buffer *buffer, cic_buffer *output);

#endif
