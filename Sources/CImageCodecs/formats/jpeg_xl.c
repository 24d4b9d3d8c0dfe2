// JPEG XL decoding with libjxl. Versions before 1.0 are incompatible with each other.
#ifdef CIC_JPEG_XL

#include <jxl/decode.h>
#include <jxl/encode.h>
#include <stdio.h>
#include <stdlib.h>

#include "picture.h"

#define FUNCTIONS(NAME)                                                                        \
    NAME(JxlDecoderCreate) NAME(JxlDecoderDestroy) NAME(JxlDecoderSubscribeEvents)             \
    NAME(JxlDecoderSetInput) NAME(JxlDecoderProcessInput)                                 \
    NAME(JxlDecoderGetBasicInfo) NAME(JxlDecoderSetUnpremultiplyAlpha)                         \
    NAME(JxlDecoderGetColorAsEncodedProfile) NAME(JxlDecoderSetPreferredColorProfile)          \
    NAME(JxlDecoderGetICCProfileSize) NAME(JxlDecoderGetColorAsICCProfile)                     \
    NAME(JxlDecoderSetProgressiveDetail) NAME(JxlDecoderImageOutBufferSize)                    \
    NAME(JxlDecoderSetImageOutBuffer) NAME(JxlDecoderFlushImage)                               \
    NAME(JxlDecoderGetFrameHeader) NAME(JxlColorEncodingSetToSRGB)

static struct { FUNCTIONS(CIC_DECLARE) } functions;

#define TEXT(number) #number
#define VERSION(major, minor) TEXT(major) "." TEXT(minor)

// The version of the headers, and then the versions whose functions have the same parameters; a
// program may be older or newer than the system that runs it.
static const char *const names[] = {
    "libjxl.so." VERSION(JPEGXL_MAJOR_VERSION, JPEGXL_MINOR_VERSION),
#if JPEGXL_MAJOR_VERSION == 0 && JPEGXL_MINOR_VERSION < 9
    "libjxl.so.0.8", "libjxl.so.0.7",
#else
    "libjxl.so.0.11", "libjxl.so.0.10", "libjxl.so.0.9",
#endif
    NULL,
};

static bool load(void) {
    void *library = cic_open_first(names);
    return library != NULL FUNCTIONS(CIC_FIND);
}

struct jpeg_xl {
    struct cic_picture picture;
    JxlDecoder *decoder;
    JxlBasicInfo info;
    JxlPixelFormat format;
    uint8_t *profile;
    uint8_t *pixels;
    struct cic_row_source source;
    /// Whether an eighth of the resolution is enough. Parts of the file that such an image does not
    /// need are not checked, because the library can only check them by decoding them.
    bool wants_little;
    /// The error in the file if `pixels` contains only the available part.
    cic_status damage;
};

static cic_picture *create(void) { return calloc(1, sizeof(struct jpeg_xl)); }

static void destroy(cic_picture *picture) {
    struct jpeg_xl *jpeg_xl = (struct jpeg_xl *)picture;
    if (jpeg_xl->decoder != NULL) functions.JxlDecoderDestroy(jpeg_xl->decoder);
    free(jpeg_xl->profile);
    free(jpeg_xl->pixels);
}

static cic_status fail(struct jpeg_xl *jpeg_xl, JxlDecoderStatus state) {
    if (state == JXL_DEC_NEED_MORE_INPUT) return cic_status_truncated;
    return cic_fail(&jpeg_xl->picture, cic_status_corrupt, "the coded data make no sense");
}

static JxlDecoder *open_decoder(const cic_picture *picture, int events) {
    JxlDecoder *decoder = functions.JxlDecoderCreate(NULL);
    if (decoder == NULL) return NULL;
    functions.JxlDecoderSubscribeEvents(decoder, events);
    functions.JxlDecoderSetUnpremultiplyAlpha(decoder, JXL_TRUE);
    // The input is not closed, because a truncated file would then look like a damaged one.
    functions.JxlDecoderSetInput(decoder, picture->bytes, picture->count);
    return decoder;
}

// MARK: - Header

#if JPEGXL_MAJOR_VERSION == 0 && JPEGXL_MINOR_VERSION < 9
#define FOR_DATA NULL, JXL_COLOR_PROFILE_TARGET_DATA
#else
#define FOR_DATA JXL_COLOR_PROFILE_TARGET_DATA
#endif

static void read_colors(struct jpeg_xl *jpeg_xl, cic_picture_header *header) {
    JxlDecoder *decoder = jpeg_xl->decoder;
    JxlColorEncoding encoding;
    functions.JxlColorEncodingSetToSRGB(&encoding, jpeg_xl->info.num_color_channels < 3);
    // This affects images that are coded in the format's own color space; other images keep their
    // colors.
    functions.JxlDecoderSetPreferredColorProfile(decoder, &encoding);
    const bool is_known =
        functions.JxlDecoderGetColorAsEncodedProfile(decoder, FOR_DATA, &encoding) == JXL_DEC_SUCCESS
        && encoding.white_point == JXL_WHITE_POINT_D65
        && encoding.primaries != JXL_PRIMARIES_CUSTOM
        && encoding.transfer_function != JXL_TRANSFER_FUNCTION_GAMMA
        && encoding.transfer_function != JXL_TRANSFER_FUNCTION_UNKNOWN;
    if (is_known) {
        const bool is_p3 = encoding.primaries == JXL_PRIMARIES_P3;
        header->primaries = is_p3 ? 12 : (uint8_t)encoding.primaries;
        header->transfer = (uint8_t)encoding.transfer_function;
        return;
    }
    size_t count = 0;
    if (functions.JxlDecoderGetICCProfileSize(decoder, FOR_DATA, &count) != JXL_DEC_SUCCESS
        || count > 4 << 20)
        return;
    jpeg_xl->profile = malloc(count);
    if (jpeg_xl->profile == NULL
        || functions.JxlDecoderGetColorAsICCProfile(decoder, FOR_DATA, jpeg_xl->profile, count)
               != JXL_DEC_SUCCESS)
        return;
    header->profile = jpeg_xl->profile;
    header->profile_count = count;
}

/// Counts the frames, because the header does not contain their number. Frames that are cut off by
/// the end of the file are not counted.
static uint32_t frame_count(const cic_picture *picture) {
    JxlDecoder *decoder = open_decoder(picture, JXL_DEC_FRAME);
    if (decoder == NULL) return 1;
    uint32_t count = 0;
    while (functions.JxlDecoderProcessInput(decoder) == JXL_DEC_FRAME && count < UINT16_MAX) count++;
    functions.JxlDecoderDestroy(decoder);
    return count == 0 ? 1 : count;
}

static cic_status read_header(cic_picture *picture, cic_picture_header *header) {
    struct jpeg_xl *jpeg_xl = (struct jpeg_xl *)picture;
    jpeg_xl->decoder = open_decoder(picture, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FRAME
                                                 | JXL_DEC_FULL_IMAGE | JXL_DEC_FRAME_PROGRESSION);
    if (jpeg_xl->decoder == NULL) return cic_status_out_of_memory;
    JxlDecoderStatus state = functions.JxlDecoderProcessInput(jpeg_xl->decoder);
    if (state != JXL_DEC_BASIC_INFO) return fail(jpeg_xl, state);
    if (functions.JxlDecoderGetBasicInfo(jpeg_xl->decoder, &jpeg_xl->info) != JXL_DEC_SUCCESS)
        return fail(jpeg_xl, JXL_DEC_ERROR);
    // The image is upright, because the library rotates it.
    header->size = (cic_size){jpeg_xl->info.xsize, jpeg_xl->info.ysize};
    header->has_alpha = jpeg_xl->info.alpha_bits > 0;
    jpeg_xl->format = (JxlPixelFormat){.num_channels = 4,
                                       .data_type = JXL_TYPE_UINT8,
                                       .endianness = JXL_NATIVE_ENDIAN};
    jpeg_xl->source.size = header->size;
    jpeg_xl->source.row_byte_count = (size_t)header->size.width * 4;
    state = functions.JxlDecoderProcessInput(jpeg_xl->decoder);
    if (state != JXL_DEC_COLOR_ENCODING) return fail(jpeg_xl, state);
    read_colors(jpeg_xl, header);
    if (jpeg_xl->info.have_animation) {
        header->frame_count = frame_count(picture);
        header->has_frames = true;
        header->loop_count = jpeg_xl->info.animation.num_loops;
    }
    return cic_status_ok;
}

// MARK: - Pixels

static cic_status start(cic_picture *picture, cic_picture_target target, cic_picture_rows *rows) {
    struct jpeg_xl *jpeg_xl = (struct jpeg_xl *)picture;
    rows->size = jpeg_xl->source.size;
    const uint64_t pixel_count = (uint64_t)rows->size.width * rows->size.height;
    // Three channels of 4-byte numbers, twice, and the result.
    rows->byte_count = pixel_count * 28;
    if (target.accepts_wide_samples && jpeg_xl->info.bits_per_sample > 8) {
        rows->byte_count += pixel_count * 4;
        rows->has_wide_samples = jpeg_xl->source.has_wide_samples = true;
        jpeg_xl->source.row_byte_count *= 2;
        jpeg_xl->format.data_type = JXL_TYPE_UINT16;
    }
    jpeg_xl->wants_little = (uint64_t)target.size.width * 8 <= rows->size.width
                            && (uint64_t)target.size.height * 8 <= rows->size.height;
    if (jpeg_xl->wants_little)
        functions.JxlDecoderSetProgressiveDetail(jpeg_xl->decoder, kDC);
    return cic_status_ok;
}

/// Decodes into `pixels`, which has room for `byte_count` bytes, up to the end of the frame or, if
/// an eighth of the resolution is enough, up to the version with that resolution. After a failure,
/// `pixels` contains the available part, and `*has_pixels` is set if that part is not empty.
static cic_status decode(
    struct jpeg_xl *jpeg_xl, uint8_t *pixels, size_t byte_count, bool *has_pixels) {
    *has_pixels = false;
    for (;;) {
        const JxlDecoderStatus state = functions.JxlDecoderProcessInput(jpeg_xl->decoder);
        size_t needed = 0;
        switch (state) {
        case JXL_DEC_FRAME: break;
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
            if (functions.JxlDecoderImageOutBufferSize(jpeg_xl->decoder, &jpeg_xl->format, &needed)
                    != JXL_DEC_SUCCESS
                || needed > byte_count
                || functions.JxlDecoderSetImageOutBuffer(
                       jpeg_xl->decoder, &jpeg_xl->format, pixels, byte_count)
                       != JXL_DEC_SUCCESS)
                return fail(jpeg_xl, JXL_DEC_ERROR);
            break;
        case JXL_DEC_FRAME_PROGRESSION:
            if (jpeg_xl->wants_little
                && functions.JxlDecoderFlushImage(jpeg_xl->decoder) == JXL_DEC_SUCCESS) {
                *has_pixels = true;
                return cic_status_ok;
            }
            break;
        case JXL_DEC_FULL_IMAGE: *has_pixels = true; return cic_status_ok;
        case JXL_DEC_SUCCESS: return cic_status_end;
        default:
            // Use the available part, if any of it can be displayed.
            *has_pixels = functions.JxlDecoderFlushImage(jpeg_xl->decoder) == JXL_DEC_SUCCESS;
            return fail(jpeg_xl, state);
        }
    }
}

static cic_status read_rows(cic_picture *picture, uint8_t *rows, int row_count, int *rows_read) {
    struct jpeg_xl *jpeg_xl = (struct jpeg_xl *)picture;
    if (jpeg_xl->pixels == NULL) {
        const size_t byte_count = jpeg_xl->source.row_byte_count * jpeg_xl->source.size.height;
        jpeg_xl->pixels = calloc(1, byte_count);
        if (jpeg_xl->pixels == NULL) return cic_status_out_of_memory;
        bool has_pixels = false;
        const cic_status status = decode(jpeg_xl, jpeg_xl->pixels, byte_count, &has_pixels);
        jpeg_xl->damage = status == cic_status_end ? cic_status_truncated : status;
        if (has_pixels) jpeg_xl->source.pixels = jpeg_xl->pixels;
    }
    return jpeg_xl->source.pixels == NULL
               ? jpeg_xl->damage
               : cic_copy_rows(&jpeg_xl->source, rows, row_count, rows_read);
}

static cic_status finish(cic_picture *picture) { return ((struct jpeg_xl *)picture)->damage; }

// MARK: - Frames

static cic_status next_frame(cic_picture *picture, cic_frame *frame) {
    struct jpeg_xl *jpeg_xl = (struct jpeg_xl *)picture;
    JxlDecoderStatus state;
    // Skip to the next frame, regardless of how much of the last one was read.
    do state = functions.JxlDecoderProcessInput(jpeg_xl->decoder);
    while (state == JXL_DEC_FULL_IMAGE || state == JXL_DEC_FRAME_PROGRESSION);
    if (state == JXL_DEC_SUCCESS) return cic_status_end;
    JxlFrameHeader header;
    if (state != JXL_DEC_FRAME) return fail(jpeg_xl, state);
    if (functions.JxlDecoderGetFrameHeader(jpeg_xl->decoder, &header) != JXL_DEC_SUCCESS)
        return fail(jpeg_xl, JXL_DEC_ERROR);
    frame->size = jpeg_xl->source.size;
    const JxlAnimationHeader *animation = &jpeg_xl->info.animation;
    if (animation->tps_numerator > 0) {
        const uint64_t duration = (uint64_t)header.duration * 1000 * animation->tps_denominator
                                  / animation->tps_numerator;
        frame->milliseconds = duration > UINT32_MAX ? UINT32_MAX : (uint32_t)duration;
    }
    return cic_status_ok;
}

static cic_status read_frame(cic_picture *picture, uint8_t *pixels) {
    struct jpeg_xl *jpeg_xl = (struct jpeg_xl *)picture;
    bool has_pixels = false;
    return decode(jpeg_xl, pixels, jpeg_xl->source.row_byte_count * jpeg_xl->source.size.height,
                  &has_pixels);
}

const struct cic_picture_functions cic_jpeg_xl = {
    .package = "libjxl" VERSION(JPEGXL_MAJOR_VERSION, JPEGXL_MINOR_VERSION),
    .load = load,
    .create = create,
    .destroy = destroy,
    .read_header = read_header,
    .start = start,
    .read_rows = read_rows,
    .finish = finish,
    .next_frame = next_frame,
    .read_frame = read_frame,
};

#endif
