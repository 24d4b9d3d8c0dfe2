#ifndef CIC_HEIF_H
#define CIC_HEIF_H

#include <libheif/heif.h>

#include "heif_item.h"

#define CIC_HEIF_FUNCTIONS(NAME)                                                                   \
    NAME(heif_context_alloc) NAME(heif_context_free)                                               \
    NAME(heif_context_read_from_memory_without_copy) NAME(heif_context_get_primary_image_handle)   \
    NAME(heif_image_handle_release) NAME(heif_image_handle_get_width)                              \
    NAME(heif_image_handle_get_height) NAME(heif_image_handle_has_alpha_channel)                   \
    NAME(heif_image_handle_get_luma_bits_per_pixel)                                                \
    NAME(heif_image_handle_is_premultiplied_alpha)                                                 \
    NAME(heif_image_handle_get_list_of_thumbnail_IDs) NAME(heif_image_handle_get_thumbnail)        \
    NAME(heif_image_handle_get_raw_color_profile_size)                                             \
    NAME(heif_image_handle_get_raw_color_profile)                                                  \
    NAME(heif_image_handle_get_nclx_color_profile) NAME(heif_nclx_color_profile_free)              \
    NAME(heif_decoding_options_alloc) NAME(heif_decoding_options_free) NAME(heif_decode_image)     \
    NAME(heif_image_get_plane_readonly) NAME(heif_image_release)                                   \
    NAME(heif_image_get_bits_per_pixel_range) NAME(heif_image_get_width) NAME(heif_image_get_height)

struct cic_heif_functions {
    CIC_HEIF_FUNCTIONS(CIC_DECLARE)
};

/// The functions of libheif after it was loaded.
extern struct cic_heif_functions cic_libheif;

/// An image that is read with libheif.
struct heif {
    struct cic_picture picture;
    struct heif_context *context;
    struct heif_image_handle *main;
    /// The image to decode: `main`, or a thumbnail.
    struct heif_image_handle *chosen;
    struct heif_image *image;
    /// Whether the transformations of `main` were read here and are left to the caller. `item` is
    /// the geometry of `main`.
    bool is_known;
    struct cic_heif_item item;
    /// The whole file, if its header is minimized; otherwise NULL.
    uint8_t *expanded;
    /// A copy of the file without its transformations, if it has any; otherwise NULL.
    uint8_t *copy;
    /// The geometry of `chosen`.
    struct cic_heif_item chosen_item;
    uint8_t *profile;
    /// The pixels, if they were converted here instead of by libheif; otherwise NULL.
    uint8_t *pixels;
    struct cic_row_source source;
    /// The number of bits of the samples in `source`.
    int bits;
    /// The error in the file, if `main` is nevertheless available.
    cic_status damage;
};

/// Converts an error of libheif; the message describes it.
cic_status cic_heif_check(struct heif *heif, struct heif_error error);

/// Decodes the chosen image; its pixels are in `source`.
cic_status cic_heif_decode(struct heif *heif);

/// Releases the pixels of the decoded image, if there is one.
void cic_heif_release_pixels(struct heif *heif);

#endif
