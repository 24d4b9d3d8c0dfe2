#include "CImageCodecs.h"

#include <libdeflate.h>

bool cic_inflate(const uint8_t *bytes, size_t count, uint8_t *output, size_t output_count) {
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    if (decompressor == NULL) return false;
    size_t used = 0;
    // Without a pointer for the output size, any size other than `output_count` is a failure.
    const enum libdeflate_result result = libdeflate_zlib_decompress_ex(
        decompressor, bytes, count, output, output_count, &used, NULL);
    libdeflate_free_decompressor(decompressor);
    return result == LIBDEFLATE_SUCCESS && used == count;
}

uint32_t cic_crc32(uint32_t sum, const uint8_t *bytes, size_t count) {
    return libdeflate_crc32(sum, bytes, count);
}
