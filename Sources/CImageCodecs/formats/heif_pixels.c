// The pixels of HEIC and AVIF images.
#ifdef CIC_HEIF

#include <stdlib.h>

#include "heif.h"

void cic_heif_release_pixels(struct heif *heif) {
    if (heif->image != NULL) cic_libheif.heif_image_release(heif->image);
    free(heif->pixels);
    heif->image = NULL;
    heif->source.pixels = heif->pixels = NULL;
}

/// Finds the samples of a channel of the decoded image and their depth; returns false if the
/// channel has no samples, or if its size differs from the size in the container.
static bool find_plane(
    const struct heif *heif, enum heif_channel channel, struct cic_row_source *plane, int *bits) {
    const cic_size size = heif->chosen_item.coded;
    int stride = 0;
    const uint8_t *pixels =
        cic_libheif.heif_image_get_plane_readonly(heif->image, channel, &stride);
    *plane = (struct cic_row_source){pixels, (size_t)stride, size, 0, false};
    *bits = cic_libheif.heif_image_get_bits_per_pixel_range(heif->image, channel);
    return pixels != NULL
           && cic_libheif.heif_image_get_width(heif->image, channel) == (int)size.width
           && cic_libheif.heif_image_get_height(heif->image, channel) == (int)size.height;
}

/// Decodes gray samples of the limited range and expands them, because libheif would treat them as
/// samples of the full range.
static cic_status decode_gray(struct heif *heif, struct heif_decoding_options *options) {
    const cic_status status =
        cic_heif_check(heif, cic_libheif.heif_decode_image(heif->chosen, &heif->image,
                                                           heif_colorspace_monochrome,
                                                           heif_chroma_monochrome, options));
    if (status != cic_status_ok) return status;
    struct cic_row_source plane;
    int bits = 0;
    if (!find_plane(heif, heif_channel_Y, &plane, &bits))
        return cic_fail(&heif->picture, cic_status_corrupt, "no gray samples");
    heif->source.row_byte_count = (size_t)plane.size.width * 4;
    heif->pixels = malloc(heif->source.row_byte_count * plane.size.height);
    if (heif->pixels == NULL) return cic_status_out_of_memory;
    cic_expand_limited_gray(plane, bits, heif->pixels);
    if (find_plane(heif, heif_channel_Alpha, &plane, &bits))
        cic_set_alpha(plane, bits, heif->pixels);
    heif->source.pixels = heif->pixels;
    return cic_status_ok;
}

static cic_status decode_colors(struct heif *heif, struct heif_decoding_options *options) {
    const enum heif_chroma wide_samples = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
                                              ? heif_chroma_interleaved_RRGGBBAA_LE
                                              : heif_chroma_interleaved_RRGGBBAA_BE;
    const bool is_wide = heif->source.has_wide_samples;
    const enum heif_chroma samples = is_wide ? wide_samples : heif_chroma_interleaved_RGBA;
    const cic_status status =
        cic_heif_check(heif, cic_libheif.heif_decode_image(heif->chosen, &heif->image,
                                                           heif_colorspace_RGB, samples, options));
    if (status != cic_status_ok) return status;
    if (!find_plane(heif, heif_channel_interleaved, &heif->source, &heif->bits)
        || heif->source.row_byte_count < (size_t)heif->source.size.width * (is_wide ? 8 : 4))
        return cic_fail(&heif->picture, cic_status_corrupt, "a picture of another size than it says");
    heif->source.has_wide_samples = is_wide;
    return cic_status_ok;
}

cic_status cic_heif_decode(struct heif *heif) {
    struct heif_decoding_options *options = cic_libheif.heif_decoding_options_alloc();
    if (options == NULL) return cic_status_out_of_memory;
    options->convert_hdr_to_8bit = !heif->source.has_wide_samples;
    const struct cic_heif_item *item = &heif->chosen_item;
    const cic_status status =
        item->is_limited_gray ? decode_gray(heif, options) : decode_colors(heif, options);
    cic_libheif.heif_decoding_options_free(options);
    if (status != cic_status_ok) return status;
    heif->source.pixels += heif->source.row_byte_count * item->top
                           + (size_t)item->left * (heif->source.has_wide_samples ? 8 : 4);
    heif->source.size = item->shown;
    return cic_status_ok;
}

#endif
