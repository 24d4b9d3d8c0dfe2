// HEIC and AVIF decoding with libheif 1, from version 1.13 on.
#ifdef CIC_HEIF

#include <libheif/heif.h>
#include <stdlib.h>

#include "heif_brands.h"
#include "heif_item.h"
#include "heif_likeness.h"
#include "heif_references.h"
#include "heif_tiles.h"
#include "picture.h"

#define FUNCTIONS(NAME)                                                                            \
    NAME(heif_context_alloc) NAME(heif_context_free)                                               \
    NAME(heif_context_read_from_memory_without_copy) NAME(heif_context_get_primary_image_handle)   \
    NAME(heif_image_handle_release) NAME(heif_image_handle_get_width)                              \
    NAME(heif_image_handle_get_height) NAME(heif_image_handle_has_alpha_channel)                   \
    NAME(heif_image_handle_is_premultiplied_alpha)                                                 \
    NAME(heif_image_handle_get_list_of_thumbnail_IDs) NAME(heif_image_handle_get_thumbnail)        \
    NAME(heif_image_handle_get_raw_color_profile_size)                                             \
    NAME(heif_image_handle_get_raw_color_profile)                                                  \
    NAME(heif_image_handle_get_nclx_color_profile) NAME(heif_nclx_color_profile_free)              \
    NAME(heif_decoding_options_alloc) NAME(heif_decoding_options_free) NAME(heif_decode_image)     \
    NAME(heif_image_get_plane_readonly) NAME(heif_image_release)                                   \
    NAME(heif_image_get_bits_per_pixel_range) NAME(heif_image_get_width) NAME(heif_image_get_height)

static struct { FUNCTIONS(CIC_DECLARE) } functions;

static bool load(void) {
    void *library = cic_open_library("libheif.so.1");
    const bool is_found = library != NULL FUNCTIONS(CIC_FIND);
    // Later versions load their decoders here.
    struct heif_error (*initialize)(struct heif_init_params *) = NULL;
    if (is_found && cic_find_function(library, "heif_init", &initialize)) initialize(NULL);
    return is_found;
}

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
    /// A copy of the file without its transformations, if it has any; otherwise NULL.
    uint8_t *copy;
    /// The geometry of `chosen`.
    struct cic_heif_item chosen_item;
    uint8_t *profile;
    /// The pixels, if they were converted here instead of by libheif; otherwise NULL.
    uint8_t *pixels;
    struct cic_row_source source;
    /// The error in the file, if `main` is nevertheless available.
    cic_status damage;
};

static cic_picture *create(void) { return calloc(1, sizeof(struct heif)); }

static void release_pixels(struct heif *heif) {
    if (heif->image != NULL) functions.heif_image_release(heif->image);
    free(heif->pixels);
    heif->image = NULL;
    heif->source.pixels = heif->pixels = NULL;
}

static void destroy(cic_picture *picture) {
    struct heif *heif = (struct heif *)picture;
    release_pixels(heif);
    if (heif->chosen != NULL && heif->chosen != heif->main)
        functions.heif_image_handle_release(heif->chosen);
    if (heif->main != NULL) functions.heif_image_handle_release(heif->main);
    if (heif->context != NULL) functions.heif_context_free(heif->context);
    free(heif->copy);
    free(heif->profile);
}

static cic_status check(struct heif *heif, struct heif_error error) {
    if (error.code == heif_error_Ok) return cic_status_ok;
    if (error.code == heif_error_Memory_allocation_error) return cic_status_out_of_memory;
    if (error.subcode == heif_suberror_End_of_data) return cic_status_truncated;
    const bool is_unsupported = error.code == heif_error_Unsupported_feature
                                || error.code == heif_error_Unsupported_filetype;
    // "Invalid input: No 'meta' box": the caller already reports the part before the colon.
    const char *message = error.message == NULL ? "unknown error" : error.message;
    const char *reason = strstr(message, ": ");
    return cic_fail(&heif->picture, is_unsupported ? cic_status_unsupported : cic_status_corrupt,
                    reason == NULL ? message : reason + 2);
}

// MARK: - Header

static cic_size size_of(const struct heif_image_handle *handle) {
    const int width = functions.heif_image_handle_get_width(handle);
    const int height = functions.heif_image_handle_get_height(handle);
    return (cic_size){width < 0 ? 0 : (uint32_t)width, height < 0 ? 0 : (uint32_t)height};
}

static void read_colors(struct heif *heif, cic_picture_header *header) {
    const size_t count = functions.heif_image_handle_get_raw_color_profile_size(heif->main);
    if (count > 0 && count < heif->picture.count) {
        heif->profile = calloc(1, count);
        if (heif->profile == NULL) return;
        functions.heif_image_handle_get_raw_color_profile(heif->main, heif->profile);
        header->profile = heif->profile;
        header->profile_count = count;
        return;
    }
    struct heif_color_profile_nclx *codes = NULL;
    functions.heif_image_handle_get_nclx_color_profile(heif->main, &codes);
    if (codes == NULL) return;
    header->primaries = (uint8_t)codes->color_primaries;
    header->transfer = (uint8_t)codes->transfer_characteristics;
    header->peak = heif->item.peak;
    functions.heif_nclx_color_profile_free(codes);
}

/// Reads the header. The container specifies the orientation, so the orientation in the EXIF data
/// must be ignored.
static cic_status read_header(cic_picture *picture, cic_picture_header *header) {
    struct heif *heif = (struct heif *)picture;
    if (cic_heif_references_are_endless(picture->bytes, picture->count))
        return cic_fail(picture, cic_status_corrupt, "its pictures consist of each other");
    heif->context = functions.heif_context_alloc();
    if (heif->context == NULL) return cic_status_out_of_memory;
    heif->is_known = cic_heif_read_item(picture->bytes, picture->count, 0, &heif->item);
    if (heif->is_known)
        heif->copy = cic_heif_copy_without_transformations(picture->bytes, picture->count);
    if (heif->is_known && heif->copy == NULL && cic_heif_is_transformed(&heif->item))
        return cic_status_out_of_memory;
    if (!cic_heif_name_still_image(picture->bytes, picture->count, &heif->copy))
        return cic_status_out_of_memory;
    const uint8_t *bytes = heif->copy == NULL ? picture->bytes : heif->copy;
    const cic_status status = check(heif, functions.heif_context_read_from_memory_without_copy(
                                              heif->context, bytes, picture->count, NULL));
    if (status != cic_status_ok) {
        const char *structure = cic_heif_other_structure(picture->bytes, picture->count);
        if (structure != NULL) return cic_fail(picture, cic_status_unsupported, structure);
    }
    // In a file that is still being received, the thumbnail may already be available.
    if (status != cic_status_ok && status != cic_status_truncated) return status;
    const cic_status found = check(
        heif, functions.heif_context_get_primary_image_handle(heif->context, &heif->main));
    if (found != cic_status_ok) return status == cic_status_ok ? found : status;
    heif->damage = status;
    if (!heif->is_known) {
        const cic_size size = size_of(heif->main);
        heif->item = (struct cic_heif_item){.coded = size, .shown = size, .orientation = 1};
    }
    header->size = heif->item.shown;
    header->orientation = heif->item.orientation;
    header->has_alpha = functions.heif_image_handle_has_alpha_channel(heif->main);
    read_colors(heif, header);
    return cic_status_ok;
}

// MARK: - Pixels

static struct heif_image_handle *thumbnail(struct heif *heif, cic_size wanted) {
    enum { capacity = 8 };
    heif_item_id numbers[capacity];
    const int count =
        functions.heif_image_handle_get_list_of_thumbnail_IDs(heif->main, numbers, capacity);
    for (int index = 0; index < count && index < capacity; index++) {
        struct heif_image_handle *handle = NULL;
        functions.heif_image_handle_get_thumbnail(heif->main, numbers[index], &handle);
        if (handle == NULL) continue;
        heif->chosen_item = (struct cic_heif_item){.coded = size_of(handle), .orientation = 1};
        heif->chosen_item.shown = heif->chosen_item.coded;
        const cic_picture *file = &heif->picture;
        if ((!heif->is_known
             || cic_heif_read_item(file->bytes, file->count, numbers[index], &heif->chosen_item))
            && cic_heif_stands_for(&heif->chosen_item, &heif->item, wanted))
            return handle;
        functions.heif_image_handle_release(handle);
    }
    return NULL;
}

/// Finds the samples of a channel of the decoded image and their depth; returns false if the
/// channel has no samples, or if its size differs from the size in the container.
static bool find_plane(
    const struct heif *heif, enum heif_channel channel, struct cic_row_source *plane, int *bits) {
    const cic_size size = heif->chosen_item.coded;
    int stride = 0;
    const uint8_t *pixels =
        functions.heif_image_get_plane_readonly(heif->image, channel, &stride);
    *plane = (struct cic_row_source){pixels, (size_t)stride, size, 0};
    *bits = functions.heif_image_get_bits_per_pixel_range(heif->image, channel);
    return pixels != NULL
           && functions.heif_image_get_width(heif->image, channel) == (int)size.width
           && functions.heif_image_get_height(heif->image, channel) == (int)size.height;
}

/// Decodes gray samples of the limited range and expands them, because libheif would treat them as
/// samples of the full range.
static cic_status decode_gray(struct heif *heif, struct heif_decoding_options *options) {
    const cic_status status =
        check(heif, functions.heif_decode_image(heif->chosen, &heif->image,
                                                heif_colorspace_monochrome, heif_chroma_monochrome,
                                                options));
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
    const cic_status status =
        check(heif, functions.heif_decode_image(heif->chosen, &heif->image, heif_colorspace_RGB,
                                                heif_chroma_interleaved_RGBA, options));
    if (status != cic_status_ok) return status;
    int bits = 0;
    if (!find_plane(heif, heif_channel_interleaved, &heif->source, &bits))
        return cic_fail(&heif->picture, cic_status_corrupt, "a picture of another size than it says");
    return cic_status_ok;
}

static cic_status decode(struct heif *heif) {
    struct heif_decoding_options *options = functions.heif_decoding_options_alloc();
    if (options == NULL) return cic_status_out_of_memory;
    options->convert_hdr_to_8bit = 1;
    const struct cic_heif_item *item = &heif->chosen_item;
    const cic_status status =
        item->is_limited_gray ? decode_gray(heif, options) : decode_colors(heif, options);
    functions.heif_decoding_options_free(options);
    if (status != cic_status_ok) return status;
    heif->source.pixels += heif->source.row_byte_count * item->top + (size_t)item->left * 4;
    heif->source.size = item->shown;
    return cic_status_ok;
}

/// Whether the decoded thumbnail agrees with the first tile of the image. Decoding a tile takes a
/// small part of the time of a decode. Returns false for an image without tiles, because only
/// decoding it would show whether a thumbnail of the same shape has the same content.
static bool agrees_with_tile(struct heif *heif) {
    const cic_picture *file = &heif->picture;
    struct heif tile = {.copy = NULL};
    const uint32_t id = cic_heif_first_tile(file->bytes, file->count, &tile.chosen_item);
    if (id == 0) return false;
    const uint8_t *bytes = heif->copy == NULL ? file->bytes : heif->copy;
    tile.copy = cic_heif_copy_with_primary(bytes, file->count, id);
    tile.context = tile.copy == NULL ? NULL : functions.heif_context_alloc();
    if (tile.context != NULL) {
        functions.heif_context_read_from_memory_without_copy(
            tile.context, tile.copy, file->count, NULL);
        functions.heif_context_get_primary_image_handle(tile.context, &tile.main);
    }
    tile.chosen = tile.main;
    const bool agrees = tile.main != NULL && decode(&tile) == cic_status_ok
                        && cic_heif_is_like(&tile.source, &heif->source, heif->item.coded);
    destroy(&tile.picture);
    return agrees;
}

/// Decodes an embedded thumbnail that can replace the image; returns false if no thumbnail is
/// suitable, or if it is broken or shows other content.
static bool decode_thumbnail(struct heif *heif, cic_size wanted) {
    heif->chosen = thumbnail(heif, wanted);
    if (heif->chosen == NULL) return false;
    if (decode(heif) == cic_status_ok && agrees_with_tile(heif)) return true;
    functions.heif_image_handle_release(heif->chosen);
    release_pixels(heif);
    heif->chosen = NULL;
    heif->picture.message[0] = 0;
    return false;
}

static cic_status start(cic_picture *picture, cic_picture_target target, cic_picture_rows *rows) {
    struct heif *heif = (struct heif *)picture;
    rows->is_thumbnail = target.accepts_thumbnail && decode_thumbnail(heif, target.size);
    if (!rows->is_thumbnail) {
        heif->chosen = heif->main;
        heif->chosen_item = heif->item;
    }
    rows->size = heif->chosen_item.shown;
    // The decoder's planes of up to 16 bits, and red, green, blue and alpha.
    const cic_size coded = heif->chosen_item.coded;
    rows->byte_count = (uint64_t)coded.width * coded.height * 10
                       + (heif->copy == NULL ? 0 : picture->count);
    return cic_status_ok;
}

static cic_status read_rows(cic_picture *picture, uint8_t *rows, int row_count, int *rows_read) {
    struct heif *heif = (struct heif *)picture;
    if (heif->source.pixels == NULL) {
        const cic_status status = decode(heif);
        if (status != cic_status_ok) return status;
    }
    const cic_status status = cic_copy_rows(&heif->source, rows, row_count, rows_read);
    if (functions.heif_image_handle_is_premultiplied_alpha(heif->chosen))
        cic_unmultiply(rows, (size_t)heif->source.size.width * (size_t)*rows_read);
    return status;
}

/// Returns the error in the file if the main image was decoded. A thumbnail that could be decoded
/// is complete, even if data after it is missing.
static cic_status finish(cic_picture *picture) {
    const struct heif *heif = (const struct heif *)picture;
    return heif->chosen == heif->main ? heif->damage : cic_status_ok;
}

const struct cic_picture_functions cic_heif = {
    .package = "libheif1",
    .load = load,
    .create = create,
    .destroy = destroy,
    .read_header = read_header,
    .start = start,
    .read_rows = read_rows,
    .finish = finish,
};

#endif
