// WebP decoding with libwebp and libwebpdemux 1.
#ifdef CIC_WEBP

#include <stdlib.h>
#include <webp/decode.h>
#include <webp/demux.h>

#include "picture.h"

#define FUNCTIONS(NAME)                                                                    \
    NAME(WebPGetFeaturesInternal) NAME(WebPInitDecoderConfigInternal) NAME(WebPIDecode)    \
    NAME(WebPIUpdate) NAME(WebPIDecGetRGB) NAME(WebPIDelete) NAME(WebPDecode)              \
    NAME(WebPFreeDecBuffer)
#define CONTAINER_FUNCTIONS(NAME)                                                          \
    NAME(WebPDemuxInternal) NAME(WebPDemuxDelete) NAME(WebPDemuxGetI)                      \
    NAME(WebPDemuxGetFrame) NAME(WebPDemuxReleaseIterator) NAME(WebPDemuxGetChunk)         \
    NAME(WebPDemuxReleaseChunkIterator)

static struct { FUNCTIONS(CIC_DECLARE) CONTAINER_FUNCTIONS(CIC_DECLARE) } functions;

static bool find_pixel_functions(void) {
    void *library = cic_open_library("libwebp.so.7");
    return library != NULL FUNCTIONS(CIC_FIND);
}

static bool load(void) {
    void *library = cic_open_library("libwebpdemux.so.2");
    return find_pixel_functions() && library != NULL CONTAINER_FUNCTIONS(CIC_FIND);
}

/// The number of bytes that are decoded before the caller can cancel.
enum { step_byte_count = 1 << 16 };

struct webp {
    struct cic_picture picture;
    WebPDemuxer *container;
    WebPBitstreamFeatures features;
    WebPChunkIterator profile, exif;
    WebPDecoderConfig config;
    WebPIDecoder *decoder;
    size_t taken;
    uint32_t row;
    int frame_number;
    WebPIterator frame;
    /// The state of `decoder` after the last bytes that it received.
    VP8StatusCode state;
};

static cic_picture *create(void) { return calloc(1, sizeof(struct webp)); }

static void destroy(cic_picture *picture) {
    struct webp *webp = (struct webp *)picture;
    if (webp->decoder != NULL) functions.WebPIDelete(webp->decoder);
    functions.WebPFreeDecBuffer(&webp->config.output);
    functions.WebPDemuxReleaseIterator(&webp->frame);
    functions.WebPDemuxReleaseChunkIterator(&webp->profile);
    functions.WebPDemuxReleaseChunkIterator(&webp->exif);
    functions.WebPDemuxDelete(webp->container);
}

static cic_status fail(struct webp *webp, VP8StatusCode state) {
    switch (state) {
    case VP8_STATUS_OK: return cic_status_ok;
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA: return cic_status_truncated;
    case VP8_STATUS_OUT_OF_MEMORY: return cic_status_out_of_memory;
    case VP8_STATUS_UNSUPPORTED_FEATURE:
        return cic_fail(&webp->picture, cic_status_unsupported, "this kind of coding");
    case VP8_STATUS_BITSTREAM_ERROR:
    case VP8_STATUS_INVALID_PARAM:
    case VP8_STATUS_USER_ABORT: break;
    }
    return cic_fail(&webp->picture, cic_status_corrupt, "the coded data break off or make no sense");
}

static cic_status read_header(cic_picture *picture, cic_picture_header *header) {
    struct webp *webp = (struct webp *)picture;
    const VP8StatusCode state = functions.WebPGetFeaturesInternal(
        picture->bytes, picture->count, &webp->features, WEBP_DECODER_ABI_VERSION);
    if (state != VP8_STATUS_OK) return fail(webp, state);
    header->size = (cic_size){(uint32_t)webp->features.width, (uint32_t)webp->features.height};
    header->has_alpha = webp->features.has_alpha;
    const WebPData data = {picture->bytes, picture->count};
    WebPDemuxState container = WEBP_DEMUX_PARSE_ERROR;
    webp->container = functions.WebPDemuxInternal(&data, 1, &container, WEBP_DEMUX_ABI_VERSION);
    if (webp->container == NULL) {
        if (!webp->features.has_animation) return cic_status_ok;
        return container == WEBP_DEMUX_PARSE_ERROR
                   ? cic_fail(picture, cic_status_corrupt, "its chunks make no sense")
                   : cic_status_truncated;
    }
    if (webp->features.has_animation) {
        header->has_frames = true;
        header->frame_count = functions.WebPDemuxGetI(webp->container, WEBP_FF_FRAME_COUNT);
        header->loop_count = functions.WebPDemuxGetI(webp->container, WEBP_FF_LOOP_COUNT);
        // Frames may leave parts of the image uncovered.
        header->has_alpha = true;
        if (header->frame_count == 0) return cic_status_truncated;
    }
    if (functions.WebPDemuxGetChunk(webp->container, "ICCP", 1, &webp->profile)) {
        header->profile = webp->profile.chunk.bytes;
        header->profile_count = webp->profile.chunk.size;
    }
    if (functions.WebPDemuxGetChunk(webp->container, "EXIF", 1, &webp->exif)) {
        header->exif = webp->exif.chunk.bytes;
        header->exif_count = webp->exif.chunk.size;
    }
    return cic_status_ok;
}

// MARK: - Still images

static bool is_lossy(const struct webp *webp) { return webp->features.format == 1; }

/// Scales to twice the requested size, because libwebp averages coded values, while the caller
/// averages light. Lossy images with alpha are not scaled, because libwebp averages their colors
/// without regard to alpha, so hidden colors would leave a halo around the visible ones.
static void scale(struct webp *webp, cic_size wanted) {
    if (is_lossy(webp) && webp->features.has_alpha) return;
    const uint32_t width = wanted.width * 2, height = wanted.height * 2;
    if (width >= (uint32_t)webp->features.width || height >= (uint32_t)webp->features.height) return;
    webp->config.options.use_scaling = 1;
    webp->config.options.scaled_width = (int)width;
    webp->config.options.scaled_height = (int)height;
}

static cic_status start(cic_picture *picture, cic_picture_target target, cic_picture_rows *rows) {
    struct webp *webp = (struct webp *)picture;
    if (!functions.WebPInitDecoderConfigInternal(&webp->config, WEBP_DECODER_ABI_VERSION))
        return cic_fail(picture, cic_status_unsupported, "this version of libwebp");
    webp->config.input = webp->features;
    webp->config.output.colorspace = MODE_RGBA;
    scale(webp, target.size);
    rows->size = (cic_size){(uint32_t)webp->features.width, (uint32_t)webp->features.height};
    const uint64_t pixel_count = (uint64_t)rows->size.width * rows->size.height;
    // Lossless images are held completely; of lossy images, a few rows and the coefficients of one
    // row are held.
    if (webp->config.options.use_scaling)
        rows->size = (cic_size){(uint32_t)webp->config.options.scaled_width,
                                (uint32_t)webp->config.options.scaled_height};
    rows->byte_count = (uint64_t)rows->size.width * rows->size.height * 4
                       + (is_lossy(webp) ? pixel_count / 2 : pixel_count * 4)
                       + (webp->features.has_alpha ? pixel_count : 0);
    return cic_status_ok;
}

/// Decodes up to `step_byte_count` more bytes.
static cic_status advance(struct webp *webp) {
    if (webp->decoder == NULL) {
        webp->decoder = functions.WebPIDecode(NULL, 0, &webp->config);
        if (webp->decoder == NULL) return cic_status_out_of_memory;
        webp->state = VP8_STATUS_SUSPENDED;
    }
    if (webp->state == VP8_STATUS_OK) return cic_status_end;
    const size_t rest = webp->picture.count - webp->taken;
    if (rest == 0) return cic_status_truncated;
    webp->taken += rest < step_byte_count ? rest : step_byte_count;
    webp->state = functions.WebPIUpdate(webp->decoder, webp->picture.bytes, webp->taken);
    const bool needs_more =
        webp->state == VP8_STATUS_SUSPENDED || webp->state == VP8_STATUS_NOT_ENOUGH_DATA;
    return needs_more ? cic_status_ok : fail(webp, webp->state);
}

static cic_status read_rows(cic_picture *picture, uint8_t *rows, int row_count, int *rows_read) {
    struct webp *webp = (struct webp *)picture;
    for (;;) {
        int end = 0, width = 0, height = 0, stride = 0;
        const uint8_t *pixels =
            webp->decoder == NULL
                ? NULL
                : functions.WebPIDecGetRGB(webp->decoder, &end, &width, &height, &stride);
        if (pixels != NULL && (uint32_t)end > webp->row) {
            struct cic_row_source source = {
                pixels, (size_t)stride, {(uint32_t)width, (uint32_t)end}, webp->row};
            const cic_status status = cic_copy_rows(&source, rows, row_count, rows_read);
            webp->row = source.row;
            return status;
        }
        const cic_status status = advance(webp);
        if (status != cic_status_ok) return status;
    }
}

// MARK: - Frames

static cic_status next_frame(cic_picture *picture, cic_frame *frame) {
    struct webp *webp = (struct webp *)picture;
    if (!webp->features.has_animation) return cic_status_end;
    functions.WebPDemuxReleaseIterator(&webp->frame);
    if (!functions.WebPDemuxGetFrame(webp->container, ++webp->frame_number, &webp->frame)) {
        memset(&webp->frame, 0, sizeof webp->frame);
        return cic_status_end;
    }
    frame->x = webp->frame.x_offset;
    frame->y = webp->frame.y_offset;
    frame->size = (cic_size){(uint32_t)webp->frame.width, (uint32_t)webp->frame.height};
    frame->milliseconds = (uint32_t)webp->frame.duration;
    frame->disposal = webp->frame.dispose_method == WEBP_MUX_DISPOSE_BACKGROUND ? cic_disposal_clear
                                                                                : cic_disposal_keep;
    frame->is_blended = webp->frame.blend_method == WEBP_MUX_BLEND;
    return cic_status_ok;
}

static cic_status read_frame(cic_picture *picture, uint8_t *pixels) {
    struct webp *webp = (struct webp *)picture;
    const WebPIterator *frame = &webp->frame;
    WebPDecoderConfig config;
    if (frame->fragment.bytes == NULL
        || !functions.WebPInitDecoderConfigInternal(&config, WEBP_DECODER_ABI_VERSION))
        return cic_status_end;
    // The container and the frame can contradict each other.
    const VP8StatusCode state = functions.WebPGetFeaturesInternal(
        frame->fragment.bytes, frame->fragment.size, &config.input, WEBP_DECODER_ABI_VERSION);
    if (state != VP8_STATUS_OK) return fail(webp, state);
    if (config.input.width != frame->width || config.input.height != frame->height)
        return cic_fail(picture, cic_status_corrupt, "a frame of another size than it says");
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = pixels;
    config.output.u.RGBA.stride = frame->width * 4;
    config.output.u.RGBA.size = (size_t)frame->width * (size_t)frame->height * 4;
    return fail(webp, functions.WebPDecode(frame->fragment.bytes, frame->fragment.size, &config));
}

const struct cic_picture_functions cic_webp = {
    .package = "libwebpdemux2",
    .load = load,
    .create = create,
    .destroy = destroy,
    .read_header = read_header,
    .start = start,
    .read_rows = read_rows,
    .next_frame = next_frame,
    .read_frame = read_frame,
};

#endif
