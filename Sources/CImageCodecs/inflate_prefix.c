#include "CImageCodecs.h"

#include <limits.h>
#include <string.h>

#include <zlib.h>

cic_status cic_inflate_prefix(
    const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity, size_t *written) {
    z_stream stream;
    *written = 0;
    if (count > UINT_MAX || capacity > UINT_MAX) return cic_status_unsupported;
    memset(&stream, 0, sizeof stream);
    stream.next_in = (Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)count;
    stream.next_out = output;
    stream.avail_out = (uInt)capacity;
    if (inflateInit(&stream) != Z_OK) return cic_status_out_of_memory;
    const int result = inflate(&stream, Z_SYNC_FLUSH);
    *written = capacity - stream.avail_out;
    inflateEnd(&stream);
    if (result == Z_STREAM_END) return cic_status_end;
    if (stream.avail_out == 0) return cic_status_ok;
    return result == Z_OK || result == Z_BUF_ERROR ? cic_status_truncated : cic_status_corrupt;
}
