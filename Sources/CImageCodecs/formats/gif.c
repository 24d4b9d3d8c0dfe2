// GIF decoding with giflib 5.
#ifdef CIC_GIF

#include <gif_lib.h>
#include <stdlib.h>

#include "gif_contents.h"

#define FUNCTIONS(NAME)                                                                        \
    NAME(DGifOpen) NAME(DGifCloseFile) NAME(DGifGetRecordType) NAME(DGifGetImageDesc)          \
    NAME(DGifGetLine) NAME(DGifGetCodeNext) NAME(DGifGetExtension) NAME(DGifGetExtensionNext)  \
    NAME(DGifExtensionToGCB) NAME(GifFreeSavedImages) NAME(GifErrorString)

static struct { FUNCTIONS(CIC_DECLARE) } functions;

static bool load(void) {
    void *library = cic_open_library("libgif.so.7");
    return library != NULL FUNCTIONS(CIC_FIND);
}

struct gif {
    struct cic_picture picture;
    GifFileType *file;
    size_t position;
    cic_size canvas;
    /// The transparent color index of the current frame.
    int transparent;
    bool has_frame;
};

static cic_picture *create(void) { return calloc(1, sizeof(struct gif)); }

static void destroy(cic_picture *picture) {
    struct gif *gif = (struct gif *)picture;
    if (gif->file != NULL) functions.DGifCloseFile(gif->file, NULL);
}

static int read_bytes(GifFileType *file, GifByteType *output, int count) {
    struct gif *gif = file->UserData;
    const size_t rest = gif->picture.count - gif->position;
    const size_t taken = (size_t)count < rest ? (size_t)count : rest;
    memcpy(output, gif->picture.bytes + gif->position, taken);
    gif->position += taken;
    return (int)taken;
}

static cic_status fail(struct gif *gif, int error) {
    switch (error) {
    case D_GIF_ERR_READ_FAILED:
    case D_GIF_ERR_EOF_TOO_SOON: return cic_status_truncated;
    case D_GIF_ERR_NOT_ENOUGH_MEM: return cic_status_out_of_memory;
    default: break;
    }
    const char *text = functions.GifErrorString(error);
    return cic_fail(&gif->picture, cic_status_corrupt, text == NULL ? "unknown error" : text);
}

// MARK: - Header

static cic_status read_header(cic_picture *picture, cic_picture_header *header) {
    struct gif *gif = (struct gif *)picture;
    if (picture->count < 13) return cic_status_truncated;
    int error = 0;
    gif->file = functions.DGifOpen(gif, read_bytes, &error);
    if (gif->file == NULL) return fail(gif, error);
    const struct cic_gif_contents contents = cic_gif_read_contents(picture);
    gif->canvas = (cic_size){(uint32_t)gif->file->SWidth, (uint32_t)gif->file->SHeight};
    // Browsers do the same for files without a size, or with a first frame beyond the edges.
    if (gif->canvas.width == 0 || gif->canvas.height == 0) gif->canvas = contents.extent;
    cic_enlarge(&gif->canvas, contents.first_end);
    header->size = gif->canvas;
    header->has_frames = true;
    header->frame_count = contents.frame_count == 0 ? 1 : contents.frame_count;
    header->loop_count = contents.loop_count;
    header->has_alpha = contents.has_transparency
                        || (contents.has_disposal && contents.frame_count > 1)
                        || !contents.starts_in_corner
                        || contents.first_end.width < gif->canvas.width
                        || contents.first_end.height < gif->canvas.height;
    return cic_status_ok;
}

// MARK: - Frames

static void note_control(struct gif *gif, const GifByteType *extension, cic_frame *frame) {
    GraphicsControlBlock control;
    if (functions.DGifExtensionToGCB(extension[0], extension + 1, &control) != GIF_OK) return;
    gif->transparent = control.TransparentColor;
    frame->milliseconds = (uint32_t)control.DelayTime * 10;
    frame->disposal = control.DisposalMode == DISPOSE_BACKGROUND ? cic_disposal_clear
                      : control.DisposalMode == DISPOSE_PREVIOUS ? cic_disposal_restore
                                                                 : cic_disposal_keep;
}

static int read_extension(struct gif *gif, cic_frame *frame) {
    int code = 0;
    GifByteType *extension = NULL;
    int result = functions.DGifGetExtension(gif->file, &code, &extension);
    if (result == GIF_OK && extension != NULL && code == GRAPHICS_EXT_FUNC_CODE)
        note_control(gif, extension, frame);
    while (result == GIF_OK && extension != NULL)
        result = functions.DGifGetExtensionNext(gif->file, &extension);
    return result;
}

/// Skips the rest of a frame's data.
static void skip_codes(struct gif *gif) {
    GifByteType *codes = NULL;
    do {
        if (functions.DGifGetCodeNext(gif->file, &codes) != GIF_OK) return;
    } while (codes != NULL);
}

/// Frees giflib's record of each frame, because a file can have millions of frames.
static void forget_frames(GifFileType *file) {
    functions.GifFreeSavedImages(file);
    file->SavedImages = NULL;
    file->ImageCount = 0;
}

static cic_status next_frame(cic_picture *picture, cic_frame *frame) {
    struct gif *gif = (struct gif *)picture;
    if (gif->has_frame) skip_codes(gif);
    gif->has_frame = false;
    gif->transparent = NO_TRANSPARENT_COLOR;
    GifRecordType type = UNDEFINED_RECORD_TYPE;
    while (functions.DGifGetRecordType(gif->file, &type) == GIF_OK) {
        if (type == TERMINATE_RECORD_TYPE) return cic_status_end;
        if (type == EXTENSION_RECORD_TYPE) {
            if (read_extension(gif, frame) != GIF_OK) break;
        } else if (type == IMAGE_DESC_RECORD_TYPE) {
            if (functions.DGifGetImageDesc(gif->file) != GIF_OK) break;
            forget_frames(gif->file);
            const GifImageDesc *area = &gif->file->Image;
            frame->x = area->Left;
            frame->y = area->Top;
            frame->size = (cic_size){(uint32_t)area->Width, (uint32_t)area->Height};
            frame->is_blended = true;
            gif->has_frame = true;
            return cic_status_ok;
        }
    }
    // Many files lack the end block.
    const cic_status status = fail(gif, gif->file->Error);
    return status == cic_status_truncated && gif->position >= picture->count ? cic_status_end : status;
}

static const ColorMapObject *colors_of(const struct gif *gif) {
    const ColorMapObject *own = gif->file->Image.ColorMap;
    return own == NULL ? gif->file->SColorMap : own;
}

/// The R, G, B, A pixel of each color index. The transparent index, and indices that the color
/// table lacks, have transparent pixels.
struct palette {
    uint8_t pixels[256][4];
};

static struct palette palette_of(const struct gif *gif) {
    struct palette palette = {0};
    const ColorMapObject *colors = colors_of(gif);
    for (int index = 0; index < colors->ColorCount && index < 256; index++) {
        if (index == gif->transparent) continue;
        const GifColorType *color = &colors->Colors[index];
        const uint8_t pixel[4] = {color->Red, color->Green, color->Blue, 255};
        memcpy(palette.pixels[index], pixel, sizeof pixel);
    }
    return palette;
}

static void expand(
    const struct palette *palette, const GifPixelType *indices, int count, uint8_t *pixels) {
    for (int column = 0; column < count; column++)
        memcpy(pixels + (size_t)column * 4, palette->pixels[indices[column]], 4);
}

enum { pass_count = 4 };
static const int pass_starts[pass_count] = {0, 4, 2, 1}, pass_steps[pass_count] = {8, 8, 4, 2};

/// Fills the rows of missing passes with copies of the rows above, as browsers do; the data ended
/// in `pass`, before row `end`.
static void fill_gaps(uint8_t *pixels, size_t row_byte_count, int height, int pass, int end) {
    const int last = pass == 0 ? end : height;
    for (int row = 1; row < last; row++) {
        int own = 0;
        while ((row - pass_starts[own]) % pass_steps[own] != 0) own++;
        if (own < pass || (own == pass && row < end)) continue;
        memcpy(pixels + (size_t)row * row_byte_count, pixels + (size_t)(row - 1) * row_byte_count,
               row_byte_count);
    }
}

static cic_status read_frame(cic_picture *picture, uint8_t *pixels) {
    struct gif *gif = (struct gif *)picture;
    if (!gif->has_frame) return cic_status_end;
    if (colors_of(gif) == NULL) return cic_fail(picture, cic_status_corrupt, "no color table");
    const int width = gif->file->Image.Width, height = gif->file->Image.Height;
    if (width <= 0 || height <= 0) return cic_status_empty;
    GifPixelType *indices = malloc((size_t)width);
    if (indices == NULL) return cic_status_out_of_memory;
    const struct palette palette = palette_of(gif);
    const size_t row_byte_count = (size_t)width * 4;
    const bool is_interlaced = gif->file->Image.Interlace;
    cic_status status = cic_status_ok;
    for (int pass = 0; pass < (is_interlaced ? pass_count : 1) && status == cic_status_ok; pass++) {
        const int step = is_interlaced ? pass_steps[pass] : 1;
        for (int row = is_interlaced ? pass_starts[pass] : 0; row < height; row += step) {
            if (functions.DGifGetLine(gif->file, indices, width) != GIF_OK) {
                status = fail(gif, gif->file->Error);
                if (is_interlaced) fill_gaps(pixels, row_byte_count, height, pass, row);
                break;
            }
            expand(&palette, indices, width, pixels + (size_t)row * row_byte_count);
        }
    }
    free(indices);
    // Reading the last row also consumes the data after it.
    if (status == cic_status_ok) gif->has_frame = false;
    return status;
}

const struct cic_picture_functions cic_gif = {
    .package = "libgif7",
    .load = load,
    .create = create,
    .destroy = destroy,
    .read_header = read_header,
    .next_frame = next_frame,
    .read_frame = read_frame,
};

#endif
