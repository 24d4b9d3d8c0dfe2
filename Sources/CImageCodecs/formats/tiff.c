// TIFF decoding with libtiff, from version 4.5 on.
#ifdef CIC_TIFF

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <tiffio.h>

#include "picture.h"

#define FUNCTIONS(NAME)                                                                            \
    NAME(TIFFOpenOptionsAlloc) NAME(TIFFOpenOptionsFree) NAME(TIFFOpenOptionsSetMaxSingleMemAlloc) \
    NAME(TIFFOpenOptionsSetErrorHandlerExtR) NAME(TIFFOpenOptionsSetWarningHandlerExtR)            \
    NAME(TIFFClientOpenExt) NAME(TIFFClose) NAME(TIFFGetField) NAME(TIFFGetFieldDefaulted)         \
    NAME(TIFFReadDirectory) NAME(TIFFSetDirectory) NAME(TIFFSetSubDirectory)                       \
    NAME(TIFFRGBAImageOK)                                                                          \
    NAME(TIFFRGBAImageBegin) NAME(TIFFRGBAImageGet) NAME(TIFFRGBAImageEnd) NAME(TIFFIsTiled)

static struct { FUNCTIONS(CIC_DECLARE) } functions;

static bool load(void) {
    void *library = cic_open_library("libtiff.so.6");
    return library != NULL FUNCTIONS(CIC_FIND);
}

enum {
    /// The maximum size of a strip or a tile.
    maximum_allocation = 256 << 20,
    /// The maximum number of images in a file that are searched for a smaller one.
    maximum_directory_count = 32,
};

struct tiff {
    struct cic_picture picture;
    TIFF *file;
    toff_t position;
    TIFFRGBAImage image;
    bool is_open;
    bool reads_past_end;
    /// The error in the first incomplete band, and whether any band has pixels.
    cic_status damage;
    bool has_pixels;
    uint32_t row;
    /// The number of rows that are decoded at once: whole strips or rows of tiles.
    uint32_t band_row_count;
    uint32_t *band;
    struct cic_row_source source;
};

static cic_picture *create(void) { return calloc(1, sizeof(struct tiff)); }

static void destroy(cic_picture *picture) {
    struct tiff *tiff = (struct tiff *)picture;
    if (tiff->is_open) functions.TIFFRGBAImageEnd(&tiff->image);
    if (tiff->file != NULL) functions.TIFFClose(tiff->file);
    free(tiff->band);
}

// MARK: - Callbacks of libtiff

static tmsize_t read_bytes(thandle_t handle, void *output, tmsize_t count) {
    struct tiff *tiff = handle;
    const size_t rest =
        tiff->position > tiff->picture.count ? 0 : tiff->picture.count - (size_t)tiff->position;
    const size_t taken = (size_t)count < rest ? (size_t)count : rest;
    if (taken < (size_t)count) tiff->reads_past_end = true;
    memcpy(output, tiff->picture.bytes + (tiff->picture.count - rest), taken);
    tiff->position += taken;
    return (tmsize_t)taken;
}

static tmsize_t write_bytes(thandle_t handle, void *input, tmsize_t count) {
    (void)handle;
    (void)input;
    (void)count;
    return -1;
}

static toff_t seek(thandle_t handle, toff_t offset, int origin) {
    struct tiff *tiff = handle;
    if (origin == SEEK_SET) tiff->position = offset;
    if (origin == SEEK_CUR) tiff->position += offset;
    if (origin == SEEK_END) tiff->position = tiff->picture.count + offset;
    return tiff->position;
}

static int close_file(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t byte_count(thandle_t handle) { return ((struct tiff *)handle)->picture.count; }

static int note_error(
    TIFF *file, void *context, const char *module, const char *text, va_list arguments) {
    (void)file;
    (void)module;
    struct tiff *tiff = context;
    // The first message is the reason for those that follow.
    if (tiff->picture.message[0] == 0)
        vsnprintf(tiff->picture.message, sizeof tiff->picture.message, text, arguments);
    return 1;
}

/// Records a warning of libjpeg, because it means that data is damaged.
static int note_warning(
    TIFF *file, void *context, const char *module, const char *text, va_list arguments) {
    struct tiff *tiff = context;
    if (module == NULL || strcmp(module, "JPEGLib") != 0) return 1;
    if (tiff->damage == cic_status_ok) tiff->damage = cic_status_corrupt;
    return note_error(file, context, module, text, arguments);
}

static TIFF *open_file(struct tiff *tiff) {
    TIFFOpenOptions *options = functions.TIFFOpenOptionsAlloc();
    if (options == NULL) return NULL;
    functions.TIFFOpenOptionsSetMaxSingleMemAlloc(options, maximum_allocation);
    functions.TIFFOpenOptionsSetErrorHandlerExtR(options, note_error, tiff);
    functions.TIFFOpenOptionsSetWarningHandlerExtR(options, note_warning, tiff);
    // "m" disables memory mapping, because the bytes are already in memory.
    TIFF *file = functions.TIFFClientOpenExt("", "rm", tiff, read_bytes, write_bytes, seek,
                                             close_file, byte_count, NULL, NULL, options);
    functions.TIFFOpenOptionsFree(options);
    return file;
}

static cic_status fail(struct tiff *tiff) {
    if (tiff->reads_past_end) return cic_status_truncated;
    const char *text = tiff->picture.message[0] == 0 ? "its structure makes no sense" : NULL;
    return text == NULL ? cic_status_corrupt : cic_fail(&tiff->picture, cic_status_corrupt, text);
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

static cic_status read_header(cic_picture *picture, cic_picture_header *header) {
    struct tiff *tiff = (struct tiff *)picture;
    tiff->file = open_file(tiff);
    if (tiff->file == NULL) return fail(tiff);
    if (picture->page.offset != 0
        && !functions.TIFFSetSubDirectory(tiff->file, picture->page.offset))
        return fail(tiff);
    header->size = size_of(tiff->file);
    uint16_t orientation = (uint16_t)picture->page.orientation, sample_count = 0, *kinds = NULL;
    functions.TIFFGetField(tiff->file, TIFFTAG_ORIENTATION, &orientation);
    header->orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
    functions.TIFFGetFieldDefaulted(tiff->file, TIFFTAG_EXTRASAMPLES, &sample_count, &kinds);
    header->has_alpha = sample_count > 0;
    read_profile(tiff->file, header);
    char message[1024] = "";
    if (!functions.TIFFRGBAImageOK(tiff->file, message))
        return cic_fail(picture, cic_status_unsupported, message);
    return cic_status_ok;
}

// MARK: - Pixels

/// Selects the smallest image of the file that shows the first one and has the requested pixels.
static void choose_directory(struct tiff *tiff, cic_size wanted) {
    if (tiff->picture.page.offset != 0) return;
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

static cic_status start(cic_picture *picture, cic_picture_target target, cic_picture_rows *rows) {
    struct tiff *tiff = (struct tiff *)picture;
    choose_directory(tiff, target.size);
    // Errors in other images of the file do not affect this one.
    picture->message[0] = 0;
    tiff->reads_past_end = false;
    tiff->damage = cic_status_ok;
    char message[1024] = "";
    if (!functions.TIFFRGBAImageBegin(&tiff->image, tiff->file, 1, message))
        return cic_fail(picture, cic_status_unsupported, message);
    tiff->is_open = true;
    // Rows are delivered as they are stored, because the caller rotates them.
    tiff->image.orientation = tiff->image.req_orientation = ORIENTATION_TOPLEFT;
    rows->size = tiff->source.size = (cic_size){tiff->image.width, tiff->image.height};
    uint32_t count = 0;
    functions.TIFFGetFieldDefaulted(
        tiff->file, functions.TIFFIsTiled(tiff->file) ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP,
        &count);
    if (count == 0 || count > rows->size.height) count = rows->size.height;
    // Strips often have a single row, and each has a fixed cost.
    const uint32_t least = 16;
    tiff->band_row_count = count < least ? (least + count - 1) / count * count : count;
    tiff->source.row_byte_count = (size_t)rows->size.width * 4;
    // A band in its stored form and in its output form.
    rows->byte_count = tiff->source.row_byte_count * tiff->band_row_count * 3;
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
static cic_status fill_band(struct tiff *tiff, cic_size size) {
    tiff->reads_past_end = false;
    if (functions.TIFFRGBAImageGet(&tiff->image, tiff->band, size.width, size.height)) {
        tiff->has_pixels = true;
        return cic_status_ok;
    }
    const cic_status status = fail(tiff);
    if (tiff->damage == cic_status_ok) tiff->damage = status;
    if (status == cic_status_corrupt) {
        tiff->image.stoponerr = 0;
        tiff->has_pixels |=
            functions.TIFFRGBAImageGet(&tiff->image, tiff->band, size.width, size.height) != 0;
        tiff->image.stoponerr = 1;
    }
    return tiff->has_pixels ? cic_status_ok : status;
}

static cic_status read_band(struct tiff *tiff) {
    const cic_size size = {tiff->image.width, tiff->image.height};
    const uint32_t rest = size.height - tiff->row;
    const uint32_t count = rest < tiff->band_row_count ? rest : tiff->band_row_count;
    if (count == 0) return cic_status_end;
    const size_t byte_count = tiff->source.row_byte_count * tiff->band_row_count;
    if (tiff->band == NULL) tiff->band = malloc(byte_count);
    if (tiff->band == NULL) return cic_status_out_of_memory;
    memset(tiff->band, 0, byte_count);
    tiff->image.row_offset = (int)tiff->row;
    const cic_status status = fill_band(tiff, (cic_size){size.width, count});
    if (status != cic_status_ok) return status;
    const size_t pixel_count = (size_t)size.width * count;
    put_in_order(tiff->band, pixel_count);
    if (tiff->image.alpha != 0) cic_unmultiply((uint8_t *)tiff->band, pixel_count);
    tiff->source.pixels = (const uint8_t *)tiff->band;
    tiff->source.size = (cic_size){size.width, count};
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
    .load = load,
    .create = create,
    .destroy = destroy,
    .read_header = read_header,
    .start = start,
    .read_rows = read_rows,
    .finish = finish,
};

#endif
