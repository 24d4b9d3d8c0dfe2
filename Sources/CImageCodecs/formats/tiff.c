// TIFF decoding with libtiff, from version 4.5 on.
#ifdef CIC_TIFF

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tiff.h"

#define functions cic_tiff_functions

/// The maximum number of images in a file that are searched for a smaller version of the first one.
enum { maximum_directory_count = 32 };

static cic_picture *create(void) { return calloc(1, sizeof(struct tiff)); }

static void destroy(cic_picture *picture) {
    struct tiff *tiff = (struct tiff *)picture;
    if (tiff->is_open) functions.TIFFRGBAImageEnd(&tiff->image);
    if (tiff->file != NULL) functions.TIFFClose(tiff->file);
    free(tiff->band);
    free(tiff->samples.bytes);
}

// MARK: - Header

static cic_size size_of(TIFF *file) {
    cic_size size = {0, 0};
    functions.TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &size.width);
    functions.TIFFGetField(file, TIFFTAG_IMAGELENGTH, &size.height);
    return size;
}

static void read_profile(TIFF *file, cic_picture_header *header) {
    uint16_t photometric = PHOTOMETRIC_MINISBLACK;
    functions.TIFFGetField(file, TIFFTAG_PHOTOMETRIC, &photometric);
    uint32_t count = 0;
    void *profile = NULL;
    // A profile of inks or other colors does not apply to the RGB pixels that libtiff creates.
    if (photometric > PHOTOMETRIC_PALETTE
        || !functions.TIFFGetField(file, TIFFTAG_ICCPROFILE, &count, &profile))
        return;
    header->profile = profile;
    header->profile_count = count;
}

/// Returns `unsupported`, and stores libtiff's reason without its apology, for example
/// "PhotometricInterpretation=99".
static cic_status refuse(struct tiff *tiff, const char *message) {
    static const char *const openings[] = {
        "Sorry, can not handle images with ", "Sorry, can not handle image with ", "Sorry, "};
    if (strcmp(message, "Sorry, can not handle image") == 0) message = "this kind of samples";
    for (size_t index = 0; index < sizeof openings / sizeof *openings; index++) {
        const size_t length = strlen(openings[index]);
        if (strncmp(message, openings[index], length) == 0) message += length;
    }
    return cic_fail(&tiff->picture, cic_status_unsupported, message);
}

/// Checks whether the data can be decompressed, and whether its samples can be converted to pixels.
static cic_status check_conversion(struct tiff *tiff) {
    uint16_t compression = COMPRESSION_NONE;
    functions.TIFFGetFieldDefaulted(tiff->file, TIFFTAG_COMPRESSION, &compression);
    if (!functions.TIFFIsCODECConfigured(compression)) {
        snprintf(tiff->picture.message, sizeof tiff->picture.message, "compression %u",
                 (unsigned)compression);
        return cic_status_unsupported;
    }
    tiff->has_samples = cic_tiff_has_samples(tiff);
    if (tiff->has_samples) return cic_tiff_read_layout(tiff);
    char message[1024] = "";
    if (!functions.TIFFRGBAImageOK(tiff->file, message))
        return refuse(tiff, message);
    return cic_status_ok;
}

static cic_status read_header(cic_picture *picture, cic_picture_header *header) {
    struct tiff *tiff = (struct tiff *)picture;
    tiff->file = cic_tiff_open(tiff);
    if (tiff->file == NULL) return cic_tiff_fail(tiff);
    if (picture->page.offset != 0
        && !functions.TIFFSetSubDirectory(tiff->file, picture->page.offset))
        return cic_tiff_fail(tiff);
    header->size = size_of(tiff->file);
    uint16_t orientation = (uint16_t)picture->page.orientation, sample_count = 0, *kinds = NULL;
    functions.TIFFGetField(tiff->file, TIFFTAG_ORIENTATION, &orientation);
    header->orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
    functions.TIFFGetFieldDefaulted(tiff->file, TIFFTAG_EXTRASAMPLES, &sample_count, &kinds);
    header->has_alpha = sample_count > 0;
    read_profile(tiff->file, header);
    return check_conversion(tiff);
}

// MARK: - Pixels

/// Selects the smallest reduced version of the first image that has at least the requested size, or
/// the first image itself if all reduced versions are smaller.
static void choose_directory(struct tiff *tiff, cic_size wanted) {
    if (tiff->has_samples || tiff->picture.page.offset != 0) return;
    const cic_size whole = size_of(tiff->file);
    cic_size best = whole;
    tdir_t chosen = 0;
    for (tdir_t index = 1; index < maximum_directory_count; index++) {
        if (!functions.TIFFReadDirectory(tiff->file)) break;
        uint32_t kind = 0;
        functions.TIFFGetField(tiff->file, TIFFTAG_SUBFILETYPE, &kind);
        const cic_size size = size_of(tiff->file);
        const double expected = (double)whole.height / whole.width * size.width;
        char message[1024];
        if ((kind & FILETYPE_REDUCEDIMAGE) != 0 && size.width >= wanted.width
            && size.height >= wanted.height && size.width < best.width
            && expected - 1.5 < size.height && size.height < expected + 1.5
            && functions.TIFFRGBAImageOK(tiff->file, message)) {
            best = size;
            chosen = index;
        }
    }
    functions.TIFFSetDirectory(tiff->file, chosen);
}

static cic_status begin_conversion(struct tiff *tiff) {
    char message[1024] = "";
    if (!functions.TIFFRGBAImageBegin(&tiff->image, tiff->file, 1, message))
        return refuse(tiff, message);
    tiff->is_open = true;
    // Rows are delivered as they are stored, because the caller rotates them.
    tiff->image.orientation = tiff->image.req_orientation = ORIENTATION_TOPLEFT;
    return cic_status_ok;
}

static cic_status start(cic_picture *picture, cic_picture_target target, cic_picture_rows *rows) {
    struct tiff *tiff = (struct tiff *)picture;
    choose_directory(tiff, target.size);
    // Errors in other images of the file do not affect this one.
    picture->message[0] = 0;
    tiff->reads_past_end = false;
    tiff->damage = cic_status_ok;
    const cic_status status = tiff->has_samples ? cic_status_ok : begin_conversion(tiff);
    if (status != cic_status_ok) return status;
    rows->size = tiff->size = size_of(tiff->file);
    uint32_t count = 0;
    functions.TIFFGetFieldDefaulted(
        tiff->file, functions.TIFFIsTiled(tiff->file) ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP,
        &count);
    if (count == 0 || count > rows->size.height) count = rows->size.height;
    // Strips often have a single row, and each has a fixed cost.
    const uint32_t least = 16;
    tiff->band_row_count = count < least ? (least + count - 1) / count * count : count;
    tiff->source.row_byte_count = (size_t)rows->size.width * 4;
    // The memory for a band, as stored and as output.
    rows->byte_count = tiff->source.row_byte_count * tiff->band_row_count * 3
                       + tiff->samples.part_byte_count;
    return cic_status_ok;
}

/// Converts pixels from numbers in the machine's byte order, with red in the lowest byte, to R, G,
/// B, A.
static void put_in_order(uint32_t *pixels, size_t count) {
    uint8_t *bytes = (uint8_t *)pixels;
    for (size_t index = 0; index < count; index++, bytes += 4) {
        const uint32_t pixel = pixels[index];
        bytes[0] = (uint8_t)TIFFGetR(pixel);
        bytes[1] = (uint8_t)TIFFGetG(pixel);
        bytes[2] = (uint8_t)TIFFGetB(pixel);
        bytes[3] = (uint8_t)TIFFGetA(pixel);
    }
}

/// Reads a band into zeroed memory. If its data is damaged, the band contains everything that could
/// be decoded; if the data is missing, it contains nothing.
static cic_status fill_band(struct tiff *tiff, uint32_t row_count) {
    const uint32_t width = tiff->size.width;
    tiff->reads_past_end = false;
    tiff->image.row_offset = (int)tiff->row;
    if (functions.TIFFRGBAImageGet(&tiff->image, tiff->band, width, row_count)) {
        tiff->has_pixels = true;
        return cic_status_ok;
    }
    const cic_status status = cic_tiff_fail(tiff);
    if (tiff->damage == cic_status_ok) tiff->damage = status;
    if (status == cic_status_corrupt) {
        tiff->image.stoponerr = 0;
        tiff->has_pixels |=
            functions.TIFFRGBAImageGet(&tiff->image, tiff->band, width, row_count) != 0;
        tiff->image.stoponerr = 1;
    }
    return tiff->has_pixels ? cic_status_ok : status;
}

/// Does the same as `fill_band` for samples that libtiff cannot convert.
static cic_status convert_band(struct tiff *tiff, uint32_t row_count) {
    tiff->reads_past_end = false;
    const cic_status status = cic_tiff_convert(tiff, (uint8_t *)tiff->band, row_count);
    tiff->has_pixels |= status == cic_status_ok;
    if (tiff->damage == cic_status_ok) tiff->damage = status;
    return tiff->has_pixels ? cic_status_ok : status;
}

static cic_status read_band(struct tiff *tiff) {
    const uint32_t width = tiff->size.width, rest = tiff->size.height - tiff->row;
    const uint32_t count = rest < tiff->band_row_count ? rest : tiff->band_row_count;
    if (count == 0) return cic_status_end;
    const size_t byte_count = tiff->source.row_byte_count * tiff->band_row_count;
    if (tiff->band == NULL) tiff->band = malloc(byte_count);
    if (tiff->band == NULL) return cic_status_out_of_memory;
    memset(tiff->band, 0, byte_count);
    const cic_status status =
        tiff->has_samples ? convert_band(tiff, count) : fill_band(tiff, count);
    if (status != cic_status_ok) return status;
    const size_t pixel_count = (size_t)width * count;
    if (!tiff->has_samples) put_in_order(tiff->band, pixel_count);
    const bool is_multiplied =
        tiff->has_samples ? tiff->samples.is_multiplied : tiff->image.alpha != 0;
    if (is_multiplied) cic_unmultiply((uint8_t *)tiff->band, pixel_count);
    tiff->source.pixels = (const uint8_t *)tiff->band;
    tiff->source.size = (cic_size){width, count};
    tiff->source.row = 0;
    tiff->row += count;
    return cic_status_ok;
}

static cic_status read_rows(cic_picture *picture, uint8_t *rows, int row_count, int *rows_read) {
    struct tiff *tiff = (struct tiff *)picture;
    if (tiff->source.pixels == NULL || tiff->source.row == tiff->source.size.height) {
        const cic_status status = read_band(tiff);
        if (status != cic_status_ok) return status;
    }
    return cic_copy_rows(&tiff->source, rows, row_count, rows_read);
}

static cic_status finish(cic_picture *picture) { return ((struct tiff *)picture)->damage; }

const struct cic_picture_functions cic_tiff = {
    .package = "libtiff6",
    .load = cic_tiff_load,
    .create = create,
    .destroy = destroy,
    .read_header = read_header,
    .start = start,
    .read_rows = read_rows,
    .finish = finish,
};

#endif
