#include "CImageCodecs.h"
#include "jpeg_errors.h"

#include <stdlib.h>
#include <string.h>

// The fields that libjpeg reads from a frame header before it detects that the header is the
// second.
typedef struct {
    int component_count;
    JDIMENSION width;
    JDIMENSION height;
    int precision;
    boolean is_progressive;
    boolean is_arithmetic;
} frame_fields;

struct cic_jpeg_reader {
    struct jpeg_decompress_struct info;
    frame_fields frame;
    cic_jpeg_errors errors;
    const uint8_t *bytes;
    size_t count;
    // 0 if all scans are required.
    int early_finish_count;
    cic_jpeg_missing_bits early_finish_bits[MAX_COMPS_IN_SCAN];
    bool is_output_started;
};

static cic_status fail(cic_jpeg_reader *reader, cic_status status, const char *message) {
    snprintf(reader->errors.message, sizeof reader->errors.message, "%s", message);
    return status;
}

cic_jpeg_reader *cic_jpeg_reader_create(const uint8_t *bytes, size_t count) {
    cic_jpeg_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) return NULL;
    reader->bytes = bytes;
    reader->count = count;
    reader->info.err = cic_jpeg_errors_init(&reader->errors);
    if (setjmp(reader->errors.jump)) {
        cic_jpeg_reader_destroy(reader);
        return NULL;
    }
    jpeg_create_decompress(&reader->info);
    return reader;
}

void cic_jpeg_reader_destroy(cic_jpeg_reader *reader) {
    jpeg_destroy_decompress(&reader->info);
    free(reader);
}

const char *cic_jpeg_reader_message(const cic_jpeg_reader *reader) {
    return reader->errors.message;
}

void cic_jpeg_reader_accept_damage(cic_jpeg_reader *reader) {
    reader->errors.accepts_damage = true;
}

// MARK: - Header

static void keep_frame(cic_jpeg_reader *reader) {
    const struct jpeg_decompress_struct *info = &reader->info;
    reader->frame = (frame_fields){
        info->num_components, info->image_width,      info->image_height,
        info->data_precision, info->progressive_mode, info->arith_code,
    };
}

static void restore_frame(cic_jpeg_reader *reader) {
    struct jpeg_decompress_struct *info = &reader->info;
    info->num_components = reader->frame.component_count;
    info->image_width = reader->frame.width;
    info->image_height = reader->frame.height;
    info->data_precision = reader->frame.precision;
    info->progressive_mode = reader->frame.is_progressive;
    info->arith_code = reader->frame.is_arithmetic;
}

static uint64_t coefficient_byte_count(const struct jpeg_decompress_struct *info) {
    uint64_t block_count = 0;
    for (int index = 0; index < info->num_components; index++) {
        const jpeg_component_info *component = &info->comp_info[index];
        block_count += (uint64_t)component->width_in_blocks * component->height_in_blocks;
    }
    return block_count * sizeof(JBLOCK);
}

static cic_size coarsest_sampling(const struct jpeg_decompress_struct *info) {
    cic_size sampling = {1, 1};
    for (int index = 0; index < info->num_components; index++) {
        const jpeg_component_info *component = &info->comp_info[index];
        const uint32_t width = (uint32_t)(info->max_h_samp_factor / component->h_samp_factor);
        const uint32_t height = (uint32_t)(info->max_v_samp_factor / component->v_samp_factor);
        if (width > sampling.width) sampling.width = width;
        if (height > sampling.height) sampling.height = height;
    }
    return sampling;
}

static cic_jpeg_color color_of(const struct jpeg_decompress_struct *info) {
    if (info->jpeg_color_space != JCS_CMYK && info->jpeg_color_space != JCS_YCCK) {
        return cic_jpeg_color_rgbx;
    }
    return info->saw_Adobe_marker ? cic_jpeg_color_adobe : cic_jpeg_color_cmyk;
}

cic_status cic_jpeg_reader_read_header(cic_jpeg_reader *reader, cic_jpeg_header *header) {
    struct jpeg_decompress_struct *info = &reader->info;
    if (setjmp(reader->errors.jump)) return reader->errors.status;
    jpeg_mem_src(info, reader->bytes, reader->count);
    jpeg_read_header(info, TRUE);
    if (info->jpeg_color_space == JCS_UNKNOWN) {
        return fail(reader, cic_status_unsupported, "JPEG with unusual components");
    }
    memset(header, 0, sizeof *header);
    header->width = info->image_width;
    header->height = info->image_height;
    header->color = color_of(info);
    header->is_progressive = info->progressive_mode;
    header->has_many_scans = jpeg_has_multiple_scans(info);
    if (header->has_many_scans) header->coefficient_byte_count = coefficient_byte_count(info);
    header->coarsest_sampling = coarsest_sampling(info);
    keep_frame(reader);
    return cic_status_ok;
}

// MARK: - Rows

// Files with several scans are read in buffered-image mode, because the normal mode reads all scans
// inside one call, which could not be cancelled.
cic_status cic_jpeg_reader_start(
    cic_jpeg_reader *reader, int denominator, size_t memory_limit, cic_size *output) {
    struct jpeg_decompress_struct *info = &reader->info;
    if (setjmp(reader->errors.jump)) return reader->errors.status;
    info->scale_num = 1;
    info->scale_denom = (unsigned)denominator;
    info->out_color_space = color_of(info) == cic_jpeg_color_rgbx ? JCS_EXT_RGBX : JCS_CMYK;
    info->buffered_image = jpeg_has_multiple_scans(info);
    info->mem->max_memory_to_use = memory_limit > INT64_MAX ? INT64_MAX : (long)memory_limit;
    // Smoothing chroma samples that cover several pixels leaks them into neighboring target pixels.
    // If the samples are repeated instead, their area average is exact (measured: up to 1 dB
    // better, and no slower).
    info->do_fancy_upsampling = denominator == 1;
    jpeg_start_decompress(info);
    reader->is_output_started = !info->buffered_image;
    output->width = info->output_width;
    output->height = info->output_height;
    return cic_status_ok;
}

// Whether all bits of all coefficients have been read. This is known only for progressive files;
// for a file with a baseline scan per component, libjpeg keeps no such record.
static bool is_complete(const struct jpeg_decompress_struct *info) {
    if (info->coef_bits == NULL) return false;
    for (int component = 0; component < info->num_components; component++) {
        for (int index = 0; index < DCTSIZE2; index++) {
            if (info->coef_bits[component][index] != 0) return false;
        }
    }
    return true;
}

void cic_jpeg_reader_finish_early(
    cic_jpeg_reader *reader, int coefficient_count, const cic_jpeg_missing_bits *bits,
    int component_count) {
    if (component_count != reader->info.num_components || component_count > MAX_COMPS_IN_SCAN) {
        return;
    }
    reader->early_finish_count = coefficient_count;
    memcpy(reader->early_finish_bits, bits, sizeof(*bits) * (size_t)component_count);
}

// Must be called only between scans, because libjpeg records the state of a coefficient when a scan
// begins.
static bool can_finish_early(const cic_jpeg_reader *reader) {
    const struct jpeg_decompress_struct *info = &reader->info;
    const int count = reader->early_finish_count;
    if (info->coef_bits == NULL || count <= 0) return false;
    for (int component = 0; component < info->num_components; component++) {
        const int *bits = info->coef_bits[component];
        const cic_jpeg_missing_bits missing = reader->early_finish_bits[component];
        if (bits[0] < 0 || bits[0] > missing.of_mean) return false;
        for (int index = 1; index < count && index < DCTSIZE2; index++) {
            if (bits[index] < 0 || bits[index] > missing.of_others) return false;
        }
    }
    return true;
}

int cic_jpeg_reader_scan_count(const cic_jpeg_reader *reader) {
    return reader->info.input_scan_number;
}

cic_status cic_jpeg_reader_consume(cic_jpeg_reader *reader, int block_row_count) {
    struct jpeg_decompress_struct *info = &reader->info;
    if (!info->buffered_image) return cic_status_end;
    if (setjmp(reader->errors.jump)) return reader->errors.status;
    for (int row = 0; row < block_row_count; row++) {
        const int progress = jpeg_consume_input(info);
        if (progress == JPEG_SCAN_COMPLETED && can_finish_early(reader)) {
            // Smoothing would estimate low frequencies that are already known. In measurements, it
            // is 0.5 dB worse and takes as much time as everything else together.
            info->do_block_smoothing = FALSE;
            return cic_status_end;
        }
        if (progress != JPEG_REACHED_EOI) continue;
        if (reader->errors.is_past_end && (info->arith_code || !is_complete(info))) {
            return fail(reader, cic_status_truncated, "scans are missing");
        }
        return cic_status_end;
    }
    return cic_status_ok;
}

// libjpeg considers the interrupted scan to be in progress. Displaying an earlier scan makes it
// return the coefficients without requesting more input. They include the refinements of the
// interrupted scan. A truncated second frame header has changed the number of components, for which
// no memory is allocated, so the frame is restored first.
cic_status cic_jpeg_reader_use_complete_scans(cic_jpeg_reader *reader) {
    struct jpeg_decompress_struct *info = &reader->info;
    if (setjmp(reader->errors.jump)) return reader->errors.status;
    restore_frame(reader);
    int scan = info->input_scan_number - (jpeg_input_complete(info) ? 0 : 1);
    if (scan == 0 && info->input_iMCU_row >= info->total_iMCU_rows) {
        // The first scan is complete, but the head of the second is not; smoothing would request
        // it.
        scan = 1;
        info->do_block_smoothing = FALSE;
    }
    if (scan < 1) return fail(reader, cic_status_truncated, "no scan is complete");
    jpeg_start_output(info, scan);
    reader->is_output_started = true;
    return cic_status_ok;
}

cic_status cic_jpeg_reader_read_rows(
    cic_jpeg_reader *reader, uint8_t *rows, int row_count, int *rows_read) {
    struct jpeg_decompress_struct *info = &reader->info;
    *rows_read = 0;
    if (setjmp(reader->errors.jump)) return reader->errors.status;
    if (!reader->is_output_started) {
        jpeg_start_output(info, info->input_scan_number);
        reader->is_output_started = true;
    }
    const size_t row_byte_count = (size_t)info->output_width * 4;
    while (*rows_read < row_count && info->output_scanline < info->output_height) {
        JSAMPROW row = rows + (size_t)*rows_read * row_byte_count;
        if (jpeg_read_scanlines(info, &row, 1) == 0) {
            return fail(reader, cic_status_corrupt, "no more rows");
        }
        *rows_read += 1;
    }
    // After the end of the data, the arithmetic decoder silently invents the missing pixels.
    if (info->arith_code && reader->errors.is_past_end) {
        return fail(reader, cic_status_truncated, "data are missing");
    }
    return info->output_scanline < info->output_height ? cic_status_ok : cic_status_end;
}
