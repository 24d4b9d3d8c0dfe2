#include "heif_likeness.h"

#include <stdlib.h>

enum {
    side = 8,
    cell_count = side * side,
    /// The maximum mean difference of the colors.
    maximum_mean = 10,
    /// The difference above which a cell is considered to show other content, and the number of
    /// cells of which one such cell is accepted.
    content_difference = 48,
    cells_per_different_cell = 12,
};

/// Calculates the mean red, green and blue of a part of an image; the part has at least one pixel.
static void mean(
    const struct cic_row_source *image, double left, double top, double right, double bottom,
    int colors[3]) {
    uint64_t sums[3] = {0}, pixel_count = 0;
    const uint32_t last_row = image->size.height - 1, last_column = image->size.width - 1;
    uint32_t row = (uint32_t)(top + 0.5) < last_row ? (uint32_t)(top + 0.5) : last_row;
    const uint32_t first_column =
        (uint32_t)(left + 0.5) < last_column ? (uint32_t)(left + 0.5) : last_column;
    do {
        const uint8_t *pixels = image->pixels + row * image->row_byte_count;
        uint32_t column = first_column;
        do {
            for (int channel = 0; channel < 3; channel++)
                sums[channel] += pixels[column * 4 + (uint32_t)channel];
            pixel_count++;
        } while (++column <= last_column && column + 0.5 < right);
    } while (++row <= last_row && row + 0.5 < bottom);
    for (int channel = 0; channel < 3; channel++)
        colors[channel] = (int)(sums[channel] / pixel_count);
}

bool cic_heif_is_like(
    const struct cic_row_source *tile, const struct cic_row_source *thumbnail, cic_size coded) {
    const double width = (double)thumbnail->size.width * tile->size.width / coded.width;
    const double height = (double)thumbnail->size.height * tile->size.height / coded.height;
    int sum = 0, different_count = 0;
    for (int row = 0; row < side; row++) {
        for (int column = 0; column < side; column++) {
            const double left = (double)column / side, right = (double)(column + 1) / side;
            const double top = (double)row / side, bottom = (double)(row + 1) / side;
            int mine[3], others[3], difference = 0;
            mean(tile, left * tile->size.width, top * tile->size.height,
                 right * tile->size.width, bottom * tile->size.height, mine);
            mean(thumbnail, left * width, top * height, right * width, bottom * height, others);
            for (int channel = 0; channel < 3; channel++) {
                const int distance = abs(mine[channel] - others[channel]);
                if (distance > difference) difference = distance;
            }
            sum += difference;
            different_count += difference > content_difference;
        }
    }
    return sum <= maximum_mean * cell_count
           && different_count * cells_per_different_cell <= cell_count;
}
