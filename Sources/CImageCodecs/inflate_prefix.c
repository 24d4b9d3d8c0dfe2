#include "CImageCodecs.h"

#include <limits.h>
#include <string.h>

#include <zlib.h>

// By zlib, because libdeflate has no part of a stream.
size_t cic_inflate_prefix(
    const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity) {
    z_stream stream;
    if (count > UINT_MAX || capacity > UINT_MAX) return 0;
    memset(&stream, 0, sizeof stream);
    stream.next_in = (Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)count;
    stream.next_out = output;
    stream.avail_out = (uInt)capacity;
    if (inflateInit(&stream) != Z_OK) return 0;
    (void)inflate(&stream, Z_SYNC_FLUSH);
    inflateEnd(&stream);
    return capacity - stream.avail_out;
}
