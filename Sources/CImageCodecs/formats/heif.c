// HEIC and AVIF decoding with libheif 1, from version 1.13 on.
#ifdef CIC_HEIF

#include <stdlib.h>

#include "heif.h"
#include "heif_brands.h"
#include "heif_likeness.h"
#include "heif_minimized.h"
#include "heif_references.h"
#include "heif_tiles.h"

struct cic_heif_functions cic_libheif;

/// Like CIC_FIND, for the functions of libheif.
#define FIND(name) && cic_find_function(library, #name, &cic_libheif.name)

static bool load(void) {
    void *library = cic_open_library("libheif.so.1");
    const bool is_found = library != NULL CIC_HEIF_FUNCTIONS(FIND);
    // Later versions load their decoders here.
    struct heif_error (*initialize)(struct heif_init_params *) = NULL;
    if (is_found && cic_find_function(library, "heif_init", &initialize)) initialize(NULL);
    return is_found;
}

static cic_picture *create(void) { return calloc(1, sizeof(struct heif)); }

static void destroy(cic_picture *picture) {
    struct heif *heif = (struct heif *)picture;
    cic_heif_release_pixels(heif);
    if (heif->chosen != NULL && heif->chosen != heif->main)
        cic_libheif.heif_image_handle_release(heif->chosen);
    if (heif->main != NULL) cic_libheif.heif_image_handle_release(heif->main);
    if (heif->context != NULL) cic_libheif.heif_context_free(heif->context);
    free(heif->copy);
    free(heif->expanded);
    free(heif->profile);
}

cic_status cic_heif_check(struct heif *heif, struct heif_error error) {
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
    const int width = cic_libheif.heif_image_handle_get_width(handle);
    const int height = cic_libheif.heif_image_handle_get_height(handle);
    return (cic_size){width < 0 ? 0 : (uint32_t)width, height < 0 ? 0 : (uint32_t)height};
}

static void read_colors(struct heif *heif, cic_picture_header *header) {
    const size_t count = cic_libheif.heif_image_handle_get_raw_color_profile_size(heif->main);
    if (count > 0 && count < heif->picture.count) {
        heif->profile = calloc(1, count);
        if (heif->profile == NULL) return;
        cic_libheif.heif_image_handle_get_raw_color_profile(heif->main, heif->profile);
        header->profile = heif->profile;
        header->profile_count = count;
        return;
    }
    struct heif_color_profile_nclx *codes = NULL;
    cic_libheif.heif_image_handle_get_nclx_color_profile(heif->main, &codes);
    if (codes == NULL) return;
    header->primaries = (uint8_t)codes->color_primaries;
    header->transfer = (uint8_t)codes->transfer_characteristics;
    header->peak = heif->item.peak;
    cic_libheif.heif_nclx_color_profile_free(codes);
}

/// Reads the header. The container specifies the orientation, so the orientation in the EXIF data
/// must be ignored.
static cic_status read_header(cic_picture *picture, cic_picture_header *header) {
    struct heif *heif = (struct heif *)picture;
    size_t expanded_count = 0;
    const cic_status expansion =
        cic_heif_expand_minimized(picture, &heif->expanded, &expanded_count);
    if (expansion != cic_status_ok) return expansion;
    if (heif->expanded != NULL) {
        picture->bytes = heif->expanded;
        picture->count = expanded_count;
    }
    if (cic_heif_references_are_endless(picture->bytes, picture->count))
        return cic_fail(picture, cic_status_corrupt, "its pictures consist of each other");
    heif->context = cic_libheif.heif_context_alloc();
    if (heif->context == NULL) return cic_status_out_of_memory;
    heif->is_known = cic_heif_read_item(picture->bytes, picture->count, 0, &heif->item);
    if (heif->is_known)
        heif->copy = cic_heif_copy_without_transformations(picture->bytes, picture->count);
    if (heif->is_known && heif->copy == NULL && cic_heif_is_transformed(&heif->item))
        return cic_status_out_of_memory;
    if (!cic_heif_name_still_image(picture->bytes, picture->count, &heif->copy))
        return cic_status_out_of_memory;
    const uint8_t *bytes = heif->copy == NULL ? picture->bytes : heif->copy;
    const cic_status status =
        cic_heif_check(heif, cic_libheif.heif_context_read_from_memory_without_copy(
                                 heif->context, bytes, picture->count, NULL));
    if (status != cic_status_ok) {
        const char *structure = cic_heif_other_structure(picture->bytes, picture->count);
        if (structure != NULL) return cic_fail(picture, cic_status_unsupported, structure);
    }
    // In a file that is still being received, the thumbnail may already be available.
    if (status != cic_status_ok && status != cic_status_truncated) return status;
    const cic_status found = cic_heif_check(
        heif, cic_libheif.heif_context_get_primary_image_handle(heif->context, &heif->main));
    if (found != cic_status_ok) return status == cic_status_ok ? found : status;
    heif->damage = status;
    if (!heif->is_known) {
        const cic_size size = size_of(heif->main);
        heif->item = (struct cic_heif_item){.coded = size, .shown = size, .orientation = 1};
    }
    header->size = heif->item.shown;
    header->orientation = heif->item.orientation;
    header->has_alpha = cic_libheif.heif_image_handle_has_alpha_channel(heif->main);
    read_colors(heif, header);
    return cic_status_ok;
}

// MARK: - Pixels

static struct heif_image_handle *thumbnail(struct heif *heif, cic_size wanted) {
    enum { capacity = 8 };
    heif_item_id numbers[capacity];
    const int count =
        cic_libheif.heif_image_handle_get_list_of_thumbnail_IDs(heif->main, numbers, capacity);
    for (int index = 0; index < count && index < capacity; index++) {
        struct heif_image_handle *handle = NULL;
        cic_libheif.heif_image_handle_get_thumbnail(heif->main, numbers[index], &handle);
        if (handle == NULL) continue;
        heif->chosen_item = (struct cic_heif_item){.coded = size_of(handle), .orientation = 1};
        heif->chosen_item.shown = heif->chosen_item.coded;
        const cic_picture *file = &heif->picture;
        if ((!heif->is_known
             || cic_heif_read_item(file->bytes, file->count, numbers[index], &heif->chosen_item))
            && cic_heif_stands_for(&heif->chosen_item, &heif->item, wanted))
            return handle;
        cic_libheif.heif_image_handle_release(handle);
    }
    return NULL;
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
    tile.context = tile.copy == NULL ? NULL : cic_libheif.heif_context_alloc();
    if (tile.context != NULL) {
        cic_libheif.heif_context_read_from_memory_without_copy(
            tile.context, tile.copy, file->count, NULL);
        cic_libheif.heif_context_get_primary_image_handle(tile.context, &tile.main);
    }
    tile.chosen = tile.main;
    const bool agrees = tile.main != NULL && cic_heif_decode(&tile) == cic_status_ok
                        && cic_heif_is_like(&tile.source, &heif->source, heif->item.coded);
    destroy(&tile.picture);
    return agrees;
}

/// Decodes an embedded thumbnail that can replace the image; returns false if no thumbnail is
/// suitable, or if it is broken or shows other content.
static bool decode_thumbnail(struct heif *heif, cic_size wanted) {
    heif->chosen = thumbnail(heif, wanted);
    if (heif->chosen == NULL) return false;
    if (cic_heif_decode(heif) == cic_status_ok && agrees_with_tile(heif)) return true;
    cic_libheif.heif_image_handle_release(heif->chosen);
    cic_heif_release_pixels(heif);
    heif->chosen = NULL;
    heif->picture.message[0] = 0;
    return false;
}

/// Whether the chosen image can be read with samples of more than 8 bits.
static bool has_wide_samples(const struct heif *heif) {
    return heif->chosen == heif->main && !heif->chosen_item.is_limited_gray
           && cic_libheif.heif_image_handle_get_luma_bits_per_pixel(heif->main) > 8
           && !cic_libheif.heif_image_handle_is_premultiplied_alpha(heif->main);
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
    rows->has_wide_samples = target.accepts_wide_samples && has_wide_samples(heif);
    heif->source.has_wide_samples = rows->has_wide_samples;
    rows->byte_count = (uint64_t)coded.width * coded.height * (rows->has_wide_samples ? 16 : 10)
                       + (heif->copy == NULL ? 0 : picture->count)
                       + (heif->expanded == NULL ? 0 : picture->count);
    return cic_status_ok;
}

static cic_status read_rows(cic_picture *picture, uint8_t *rows, int row_count, int *rows_read) {
    struct heif *heif = (struct heif *)picture;
    if (heif->source.pixels == NULL) {
        const cic_status status = cic_heif_decode(heif);
        if (status != cic_status_ok) return status;
    }
    const cic_status status = cic_copy_rows(&heif->source, rows, row_count, rows_read);
    const size_t pixel_count = (size_t)heif->source.size.width * (size_t)*rows_read;
    if (heif->source.has_wide_samples)
        cic_expand_samples((uint16_t *)(void *)rows, pixel_count * 4, heif->bits);
    if (heif->chosen_item.has_limited_alpha)
        cic_expand_limited_alpha(rows, pixel_count, heif->source.has_wide_samples);
    if (cic_libheif.heif_image_handle_is_premultiplied_alpha(heif->chosen))
        cic_unmultiply(rows, pixel_count);
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
