#include "jpeg_errors.h"

#include <string.h>

#include <jerror.h>

static cic_jpeg_errors *errors_of(j_common_ptr info) { return (cic_jpeg_errors *)info->err; }

static _Noreturn void leave(j_common_ptr info, cic_status status) {
    cic_jpeg_errors *errors = errors_of(info);
    errors->status = status;
    longjmp(errors->jump, 1);
}

static _Noreturn void leave_unsupported(j_common_ptr info, const char *what) {
    cic_jpeg_errors *errors = errors_of(info);
    snprintf(errors->message, sizeof errors->message, "%s", what);
    leave(info, cic_status_unsupported);
}

// SOF3 is lossless; 5, 6, 7 and their arithmetic counterparts are hierarchical or lossless.
static const char *name_of_frame(int marker) {
    return marker == 0xC3 || marker == 0xC7 || marker == 0xCB || marker == 0xCF
               ? "lossless JPEG"
               : "hierarchical JPEG";
}

static void error_exit(j_common_ptr info) {
    cic_jpeg_errors *errors = errors_of(info);
    errors->manager.format_message(info, errors->message);
    switch (errors->manager.msg_code) {
    case JERR_SOF_UNSUPPORTED:
        leave_unsupported(info, name_of_frame(errors->manager.msg_parm.i[0]));
    case JERR_BAD_PRECISION:
        leave_unsupported(
            info, errors->manager.msg_parm.i[0] == 12 ? "12-bit JPEG" : "JPEG of unusual bit depth");
#if JPEG_LIB_VERSION < 70
    case JERR_ARITH_NOTIMPL:
        leave_unsupported(info, "arithmetic-coded JPEG");
#endif
    case JERR_CONVERSION_NOTIMPL:
    case JERR_BAD_J_COLORSPACE:
        leave_unsupported(info, "JPEG color space");
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
        leave_unsupported(info, "JPEG with fractional sampling");
    case JERR_IMAGE_TOO_BIG:
        leave_unsupported(info, "a side above 65500 pixels");
    case JERR_EMPTY_IMAGE:
        leave(info, cic_status_empty);
    case JERR_INPUT_EMPTY:
    case JERR_INPUT_EOF:
        leave(info, cic_status_truncated);
    case JERR_OUT_OF_MEMORY:
    case JERR_NO_BACKING_STORE:
        leave(info, cic_status_out_of_memory);
    default:
        leave(info, errors->is_past_end ? cic_status_truncated : cic_status_corrupt);
    }
}

static bool is_at_end_marker(j_common_ptr info) {
    return info->is_decompressor && ((j_decompress_ptr)info)->unread_marker == JPEG_EOI;
}

// Level -1 is a warning about damaged data, after which libjpeg would continue with gray blocks;
// higher levels are trace output. Running out of bytes is damage only if bits are then missing
// (HIT_MARKER), because the entropy decoder reads ahead, and a file may lack only its end marker.
static void emit_message(j_common_ptr info, int level) {
    cic_jpeg_errors *errors = errors_of(info);
    if (level >= 0) return;
    switch (errors->manager.msg_code) {
    case JWRN_JPEG_EOF:
        errors->is_past_end = true;
        return;
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
        errors->manager.format_message(info, errors->message);
        if (errors->is_past_end) leave(info, cic_status_truncated);
        if (!errors->accepts_damage) leave(info, cic_status_corrupt);
        // An end marker before the end of the data still counts as the end.
        if (errors->manager.msg_code == JWRN_HIT_MARKER && is_at_end_marker(info)) {
            leave(info, cic_status_truncated);
        }
        return;
    default:
        return;
    }
}

static void output_message(j_common_ptr info) { (void)info; }

struct jpeg_error_mgr *cic_jpeg_errors_init(cic_jpeg_errors *errors) {
    memset(errors, 0, sizeof *errors);
    struct jpeg_error_mgr *manager = jpeg_std_error(&errors->manager);
    manager->error_exit = error_exit;
    manager->emit_message = emit_message;
    manager->output_message = output_message;
    return manager;
}
