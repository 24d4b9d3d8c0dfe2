// The file access of libtiff, and the functions of the library.
#ifdef CIC_TIFF

#include "tiff.h"

#include <stdarg.h>
#include <stdio.h>

struct cic_tiff_functions cic_tiff_functions;
#define functions cic_tiff_functions

bool cic_tiff_load(void) {
    void *library = cic_open_library("libtiff.so.6");
    return library != NULL CIC_TIFF_FUNCTIONS(CIC_FIND);
}

/// The maximum size in bytes of a single allocation by libtiff, and therefore of a strip or a tile.
enum { maximum_allocation = 256 << 20 };

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

TIFF *cic_tiff_open(struct tiff *tiff) {
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

cic_status cic_tiff_fail(struct tiff *tiff) {
    if (tiff->reads_past_end) return cic_status_truncated;
    const char *text = tiff->picture.message[0] == 0 ? "its structure makes no sense" : NULL;
    return text == NULL ? cic_status_corrupt : cic_fail(&tiff->picture, cic_status_corrupt, text);
}

#endif
