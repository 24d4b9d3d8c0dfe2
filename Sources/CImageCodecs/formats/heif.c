// HEIC and AVIF decoding with libheif 1, from version 1.13 on.
#ifdef CIC_HEIF

#include <libheif/heif.h>
#include <stdlib.h>

#include "heif_references.h"
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
    NAME(heif_image_get_primary_width) NAME(heif_image_get_primary_height)

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
    uint8_t *profile;
    struct cic_row_source source;
    /// The error in the file, if `main` is nevertheless available.
    cic_status damage;
};

static cic_picture *create(void) { return calloc(1, sizeof(struct heif)); }

static void destroy(cic_picture *picture) {
    struct heif *heif = (struct heif *)picture;
    if (heif->image != NULL) functions.heif_image_release(heif->image);
    if (heif->chosen != NULL && heif->chosen != heif->main)
        functions.heif_image_handle_release(heif->chosen);
    if (heif->main != NULL) functions.heif_image_handle_release(heif->main);
    if (heif->context != NULL) functions.heif_context_free(heif->context);
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
    functions.heif_nclx_color_profile_free(codes);
}

/// Reads the header. The library rotates and crops the image, so the orientation in the EXIF data
/// must be ignored.
static cic_status read_header(cic_picture *picture, cic_picture_header *header) {
    struct heif *heif = (struct heif *)picture;
    if (cic_heif_references_are_endless(picture->bytes, picture->count))
        return cic_fail(picture, cic_status_corrupt, "its pictures consist of each other");
    heif->context = functions.heif_context_alloc();
    if (heif->context == NULL) return cic_status_out_of_memory;
    const cic_status status = check(heif, functions.heif_context_read_from_memory_without_copy(
                                              heif->context, picture->bytes, picture->count, NULL));
    // In a file that is still being received, the thumbnail may already be available.
    if (status != cic_status_ok && status != cic_status_truncated) return status;
    const cic_status found = check(
        heif, functions.heif_context_get_primary_image_handle(heif->context, &heif->main));
    if (found != cic_status_ok) return status == cic_status_ok ? found : status;
    heif->damage = status;
    header->size = size_of(heif->main);
    header->has_alpha = functions.heif_image_handle_has_alpha_channel(heif->main);
    read_colors(heif, header);
    return cic_status_ok;
}

// MARK: - Pixels

/// Whether a thumbnail has the requested pixels and shows the whole image, with a tolerance of
/// about one pixel per side.
static bool stands_for(cic_size thumbnail, cic_size picture, cic_size wanted) {
    if (thumbnail.width < wanted.width || thumbnail.height < wanted.height) return false;
    const double expected = (double)picture.height / picture.width * thumbnail.width;
    return expected - 1.5 < thumbnail.height && thumbnail.height < expected + 1.5;
}

static struct heif_image_handle *thumbnail(const struct heif *heif, cic_size wanted) {
    enum { capacity = 8 };
    heif_item_id numbers[capacity];
    const int count =
        functions.heif_image_handle_get_list_of_thumbnail_IDs(heif->main, numbers, capacity);
    const cic_size picture = size_of(heif->main);
    for (int index = 0; index < count && index < capacity; index++) {
        struct heif_image_handle *handle = NULL;
        functions.heif_image_handle_get_thumbnail(heif->main, numbers[index], &handle);
        if (handle == NULL) continue;
        if (stands_for(size_of(handle), picture, wanted)) return handle;
        functions.heif_image_handle_release(handle);
    }
    return NULL;
}

static cic_status start(cic_picture *picture, cic_picture_target target, cic_picture_rows *rows) {
    struct heif *heif = (struct heif *)picture;
    heif->chosen = target.accepts_thumbnail ? thumbnail(heif, target.size) : NULL;
    rows->is_thumbnail = heif->chosen != NULL;
    if (heif->chosen == NULL) heif->chosen = heif->main;
    rows->size = size_of(heif->chosen);
    // The decoder's planes of up to 16 bits, and red, green, blue and alpha.
    rows->byte_count = (uint64_t)rows->size.width * rows->size.height * 10;
    return cic_status_ok;
}

static cic_status decode(struct heif *heif) {
    struct heif_decoding_options *options = functions.heif_decoding_options_alloc();
    if (options == NULL) return cic_status_out_of_memory;
    options->convert_hdr_to_8bit = 1;
    const cic_status status =
        check(heif, functions.heif_decode_image(heif->chosen, &heif->image, heif_colorspace_RGB,
                                                heif_chroma_interleaved_RGBA, options));
    functions.heif_decoding_options_free(options);
    if (status != cic_status_ok) return status;
    int stride = 0;
    heif->source.pixels =
        functions.heif_image_get_plane_readonly(heif->image, heif_channel_interleaved, &stride);
    heif->source.row_byte_count = (size_t)stride;
    // The coded image can differ from the description in its container.
    const cic_size size = size_of(heif->chosen);
    heif->source.size = size;
    if (heif->source.pixels == NULL
        || functions.heif_image_get_primary_width(heif->image) != (int)size.width
        || functions.heif_image_get_primary_height(heif->image) != (int)size.height)
        return cic_fail(&heif->picture, cic_status_corrupt, "a picture of another size than it says");
    return cic_status_ok;
}

static cic_status read_rows(cic_picture *picture, uint8_t *rows, int row_count, int *rows_read) {
    struct heif *heif = (struct heif *)picture;
    if (heif->image == NULL) {
        const cic_status status = decode(heif);
        if (status != cic_status_ok) return status;
    }
    const cic_status status = cic_copy_rows(&heif->source, rows, row_count, rows_read);
    if (functions.heif_image_handle_is_premultiplied_alpha(heif->chosen))
        cic_unmultiply(rows, (size_t)heif->source.size.width * (size_t)*rows_read);
    return status;
}

/// A thumbnail that could be read is complete, even if data after it is missing.
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
