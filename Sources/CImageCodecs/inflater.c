#include "CImageCodecs.h"

#include <limits.h>
#include <stdlib.h>

#include <libdeflate.h>
#include <zlib.h>

struct cic_inflater {
    z_stream stream;
    /// Adler-32 of the output.
    uint32_t sum;
    /// The last four bytes of the input; at the end of the stream, they are the expected checksum.
    uint32_t tail;
};

cic_inflater *cic_inflater_create(void) {
    cic_inflater *inflater = calloc(1, sizeof *inflater);
    if (inflater == NULL) return NULL;
    if (inflateInit(&inflater->stream) != Z_OK) {
        free(inflater);
        return NULL;
    }
    // zlib spends a tenth of the time on the checksum; libdeflate computes it faster.
    inflateValidate(&inflater->stream, 0);
    inflater->sum = 1;
    return inflater;
}

void cic_inflater_destroy(cic_inflater *inflater) {
    inflateEnd(&inflater->stream);
    free(inflater);
}

// zlib counts in 32 bits.
static uInt limited(size_t count) { return count < UINT_MAX ? (uInt)count : UINT_MAX; }

// Updates the checksum and the tail after a step.
static void note(cic_inflater *inflater, const cic_inflation *before, const z_stream *after) {
    const uint8_t *end = after->next_in;
    const uint8_t *byte = end - before->input < 4 ? before->input : end - 4;
    for (; byte < end; byte++) inflater->tail = inflater->tail << 8 | *byte;
    const size_t made = (size_t)(after->next_out - before->output);
    inflater->sum = libdeflate_adler32(inflater->sum, before->output, made);
}

// Inflates the remaining input into the remaining space, and updates both.
static int step(z_stream *stream, cic_inflation *inflation) {
    const uInt input_count = limited(inflation->input_count);
    const uInt output_count = limited(inflation->output_count);
    stream->next_in = (Bytef *)(uintptr_t)inflation->input;
    stream->avail_in = input_count;
    stream->next_out = inflation->output;
    stream->avail_out = output_count;
    const int result = inflate(stream, Z_NO_FLUSH);
    inflation->input = stream->next_in;
    inflation->input_count -= input_count - stream->avail_in;
    inflation->output = stream->next_out;
    inflation->output_count -= output_count - stream->avail_out;
    return result;
}

cic_status cic_inflater_continue(cic_inflater *inflater, cic_inflation *inflation) {
    const cic_inflation before = *inflation;
    const int result = step(&inflater->stream, inflation);
    note(inflater, &before, &inflater->stream);
    if (result == Z_STREAM_END) {
        return inflater->tail == inflater->sum ? cic_status_end : cic_status_corrupt;
    }
    // A lack of progress is not an error: the output is full, or there is no input.
    return result == Z_OK || result == Z_BUF_ERROR ? cic_status_ok : cic_status_corrupt;
}

struct cic_gzip_inflater {
    z_stream stream;
};

cic_gzip_inflater *cic_gzip_inflater_create(void) {
    cic_gzip_inflater *inflater = calloc(1, sizeof *inflater);
    // The largest window, and 16 for gzip.
    if (inflater != NULL && inflateInit2(&inflater->stream, 15 + 16) == Z_OK) return inflater;
    free(inflater);
    return NULL;
}

void cic_gzip_inflater_destroy(cic_gzip_inflater *inflater) {
    inflateEnd(&inflater->stream);
    free(inflater);
}

cic_status cic_gzip_inflater_continue(cic_gzip_inflater *inflater, cic_inflation *inflation) {
    const int result = step(&inflater->stream, inflation);
    if (result == Z_STREAM_END) return cic_status_end;
    return result == Z_OK || result == Z_BUF_ERROR ? cic_status_ok : cic_status_corrupt;
}
