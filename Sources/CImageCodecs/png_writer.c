#include "CImageCodecs.h"
#include "buffer.h"

#include <stdlib.h>
#include <string.h>

#include <png.h>

// Allocated on the heap, because code after a longjmp cannot rely on changed local variables.
typedef struct {
    png_structp png;
    png_infop info;
    cic_growing_buffer output;
    char message[cic_message_size];
} png_writer;

static _Noreturn void fail(png_structp png, png_const_charp message) {
    png_writer *writer = png_get_error_ptr(png);
    strncpy(writer->message, message, sizeof writer->message - 1);
    longjmp(*png_set_longjmp_fn(png, longjmp, sizeof(jmp_buf)), 1);
}

static void ignore_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
    png_writer *writer = png_get_io_ptr(png);
    if (!cic_growing_buffer_append(&writer->output, bytes, count)) {
        png_error(png, "out of memory");
    }
}

static void flush(png_structp png) { (void)png; }

static cic_status encode(
    png_writer *writer, cic_image image, bool has_alpha, bool is_interlaced) {
    const cic_size size = image.size;
    if (setjmp(png_jmpbuf(writer->png))) return cic_status_corrupt;
    png_set_write_fn(writer->png, writer, write_bytes, flush);
    png_set_user_limits(writer->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(
        writer->png, writer->info, size.width, size.height, 8,
        has_alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
        is_interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
        PNG_FILTER_TYPE_DEFAULT);
    png_write_info(writer->png, writer->info);
    if (!has_alpha) png_set_filler(writer->png, 0, PNG_FILLER_AFTER);
    const int pass_count = png_set_interlace_handling(writer->png);
    for (int pass = 0; pass < pass_count; pass++) {
        for (size_t row = 0; row < size.height; row++) {
            png_write_row(writer->png, image.pixels + row * size.width * 4);
        }
    }
    png_write_end(writer->png, writer->info);
    return cic_status_ok;
}

cic_status cic_png_encode(
    cic_image image, bool has_alpha, bool is_interlaced, cic_buffer *output) {
    cic_status status = cic_status_out_of_memory;
    memset(output, 0, sizeof *output);
    png_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) return status;
    writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, fail, ignore_warning);
    if (writer->png != NULL) writer->info = png_create_info_struct(writer->png);
    if (writer->info != NULL) {
        status = encode(writer, image, has_alpha, is_interlaced);
    }
    if (status == cic_status_ok) cic_growing_buffer_move(&writer->output, output);
    memcpy(output->message, writer->message, sizeof output->message);
    png_destroy_write_struct(&writer->png, &writer->info);
    free(writer->output.bytes);
    free(writer);
    return status;
}
