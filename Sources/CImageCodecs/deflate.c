#include "CImageCodecs.h"

#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

static cic_status deflate_into(
    struct libdeflate_compressor *compressor, const uint8_t *bytes, size_t count,
    cic_buffer *output) {
    const size_t bound = libdeflate_zlib_compress_bound(compressor, count);
    output->bytes = malloc(bound);
    if (output->bytes == NULL) return cic_status_out_of_memory;
    output->count =
        libdeflate_zlib_compress(compressor, bytes, count, output->bytes, bound);
    return output->count > 0 ? cic_status_ok : cic_status_corrupt;
}

cic_status cic_deflate(const uint8_t *bytes, size_t count, int level, cic_buffer *output) {
    memset(output, 0, sizeof *output);
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
    if (compressor == NULL) return cic_status_out_of_memory;
    const cic_status status = deflate_into(compressor, bytes, count, output);
    libdeflate_free_compressor(compressor);
    return status;
}
