#ifdef CIC_GIF

#include "gif_contents.h"

#include <gif_lib.h>

static unsigned number_at(const uint8_t *bytes) { return bytes[0] | (unsigned)bytes[1] << 8; }

static size_t color_table_byte_count(uint8_t flags) {
    return flags & 0x80 ? (size_t)3 << ((flags & 7) + 1) : 0;
}

/// Returns the position after the data blocks that start at `position`. The result may be past the
/// end of the file.
static size_t after_data(const cic_picture *picture, size_t position) {
    while (position < picture->count && picture->bytes[position] != 0)
        position += (size_t)picture->bytes[position] + 1;
    return position + 1;
}

static void note_extension(
    const cic_picture *picture, size_t position, struct cic_gif_contents *contents) {
    const uint8_t *bytes = picture->bytes + position;
    const size_t rest = picture->count - position;
    if (rest >= 4 && bytes[1] == GRAPHICS_EXT_FUNC_CODE && bytes[2] == 4) {
        const int disposal = bytes[3] >> 2 & 7;
        contents->has_transparency |= bytes[3] & 1;
        contents->has_disposal |= disposal == DISPOSE_BACKGROUND || disposal == DISPOSE_PREVIOUS;
    }
    // "NETSCAPE2.0", then a block of 3 bytes: 1, and the number of repetitions.
    if (rest >= 18 && bytes[1] == APPLICATION_EXT_FUNC_CODE && bytes[2] == 11
        && memcmp(bytes + 3, "NETSCAPE2.0", 11) == 0 && bytes[14] == 3 && bytes[15] == 1) {
        const unsigned repeats = number_at(bytes + 16);
        contents->loop_count = repeats == 0 ? 0 : repeats + 1;
    }
}

void cic_enlarge(cic_size *size, cic_size end) {
    if (size->width < end.width) size->width = end.width;
    if (size->height < end.height) size->height = end.height;
}

struct cic_gif_contents cic_gif_read_contents(const cic_picture *picture) {
    struct cic_gif_contents contents = {.loop_count = 1};
    const uint8_t *bytes = picture->bytes;
    size_t position = 13 + color_table_byte_count(bytes[10]);
    while (position + 1 < picture->count && bytes[position] != ';') {
        if (bytes[position] == '!') {
            note_extension(picture, position, &contents);
            position = after_data(picture, position + 2);
        } else if (bytes[position] == ',' && picture->count - position >= 10) {
            const uint8_t *frame = bytes + position + 1;
            const cic_size end = {number_at(frame) + number_at(frame + 4),
                                  number_at(frame + 2) + number_at(frame + 6)};
            cic_enlarge(&contents.extent, end);
            if (contents.frame_count++ == 0) {
                contents.first_end = end;
                contents.starts_in_corner = number_at(frame) == 0 && number_at(frame + 2) == 0;
            }
            position += 10 + color_table_byte_count(frame[8]);
            position = after_data(picture, position + 1);
        } else {
            break;
        }
    }
    return contents;
}

#endif
