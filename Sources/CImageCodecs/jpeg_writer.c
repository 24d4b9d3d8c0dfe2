#include "CImageCodecs.h"
#include "buffer.h"
#include "jpeg_errors.h"

#include <stdlib.h>
#include <string.h>

#include <jerror.h>

// Allocated on the heap, because code after a longjmp cannot rely on changed local variables.
typedef struct {
    // Must be the first field, so that libjpeg's pointer to it is a pointer to the whole struct.
    struct jpeg_compress_struct info;
    cic_jpeg_errors errors;
    struct jpeg_destination_mgr destination;
    cic_growing_buffer output;
    uint8_t chunk[16384];
} jpeg_writer;

// MARK: - Destination

static void append(j_compress_ptr info, size_t count) {
    jpeg_writer *writer = (jpeg_writer *)info;
    if (!cic_growing_buffer_append(&writer->output, writer->chunk, count)) {
        ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
    }
    writer->destination.next_output_byte = writer->chunk;
    writer->destination.free_in_buffer = sizeof writer->chunk;
}

static void init_destination(j_compress_ptr info) { append(info, 0); }

// libjpeg calls this when the chunk is full, regardless of free_in_buffer.
static boolean empty_output_buffer(j_compress_ptr info) {
    append(info, sizeof ((jpeg_writer *)info)->chunk);
    return TRUE;
}

static void term_destination(j_compress_ptr info) {
    jpeg_writer *writer = (jpeg_writer *)info;
    append(info, sizeof writer->chunk - writer->destination.free_in_buffer);
}

// MARK: - Encoding

static void configure(
    jpeg_writer *writer, cic_size size, int quality, bool has_full_color, cic_jpeg_coding coding) {
    struct jpeg_compress_struct *info = &writer->info;
    writer->destination.init_destination = init_destination;
    writer->destination.empty_output_buffer = empty_output_buffer;
    writer->destination.term_destination = term_destination;
    info->dest = &writer->destination;
    info->image_width = size.width;
    info->image_height = size.height;
    info->input_components = 4;
    info->in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(info);
    jpeg_set_quality(info, quality, TRUE);
    if (has_full_color) {
        info->comp_info[0].h_samp_factor = 1;
        info->comp_info[0].v_samp_factor = 1;
    }
    info->optimize_coding = coding == cic_jpeg_coding_optimized;
    if (coding == cic_jpeg_coding_progressive) jpeg_simple_progression(info);
}

static cic_status encode(
    jpeg_writer *writer, cic_image image, int quality, bool has_full_color, cic_jpeg_coding coding) {
    struct jpeg_compress_struct *info = &writer->info;
    info->err = cic_jpeg_errors_init(&writer->errors);
    if (setjmp(writer->errors.jump)) return writer->errors.status;
    jpeg_create_compress(info);
    configure(writer, image.size, quality, has_full_color, coding);
    jpeg_start_compress(info, TRUE);
    const size_t row_byte_count = (size_t)image.size.width * 4;
    while (info->next_scanline < image.size.height) {
        // libjpeg takes non-const rows but does not write to them.
        JSAMPROW row = (JSAMPROW)(image.pixels + info->next_scanline * row_byte_count);
        jpeg_write_scanlines(info, &row, 1);
    }
    jpeg_finish_compress(info);
    return cic_status_ok;
}

cic_status cic_jpeg_encode(
    cic_image image, int quality, bool has_full_color, cic_jpeg_coding coding, cic_buffer *output) {
    memset(output, 0, sizeof *output);
    jpeg_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) return cic_status_out_of_memory;
    const cic_status status = encode(writer, image, quality, has_full_color, coding);
    snprintf(output->message, sizeof output->message, "%s", writer->errors.message);
    if (status == cic_status_ok) cic_growing_buffer_move(&writer->output, output);
    jpeg_destroy_compress(&writer->info);
    free(writer->output.bytes);
    free(writer);
    return status;
}
