// Samples of a TIFF file that libtiff does not convert: unusual depths, signed integers and
// floating-point numbers. Integers are reduced to 8 bits from their entire range; for signed
// integers, 0 is in the middle. Floating-point values are clipped at 0 and 1. Inks of 16 bits are
// reduced to 8 bits and then converted like inks of 8 bits, which libtiff converts itself. L*a*b*
// colors are converted from D50, because libtiff leaves D50's white yellow.
#ifdef CIC_TIFF

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tiff.h"

#define functions cic_tiff_functions

static uint16_t field(TIFF *file, uint32_t tag) {
    uint16_t value = 0;
    functions.TIFFGetFieldDefaulted(file, tag, &value);
    return value;
}

/// Whether the colors are L*a*b* of the depths that programs write.
static bool is_lab(TIFF *file) {
    const uint16_t colors = field(file, TIFFTAG_PHOTOMETRIC);
    const uint16_t bits = field(file, TIFFTAG_BITSPERSAMPLE);
    return (colors == PHOTOMETRIC_CIELAB || colors == PHOTOMETRIC_ICCLAB)
           && (bits == 8 || bits == 16) && field(file, TIFFTAG_SAMPLESPERPIXEL) >= 3
           && field(file, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_CONTIG;
}

bool cic_tiff_has_samples(struct tiff *tiff) {
    const uint16_t bits = field(tiff->file, TIFFTAG_BITSPERSAMPLE);
    const uint16_t kind = field(tiff->file, TIFFTAG_SAMPLEFORMAT);
    const uint16_t colors = field(tiff->file, TIFFTAG_PHOTOMETRIC);
    // libtiff has its own converters for LogLuv and LogL.
    if (colors >= PHOTOMETRIC_LOGL) return false;
    if (is_lab(tiff->file)) return true;
    if (kind != SAMPLEFORMAT_UINT && kind != SAMPLEFORMAT_VOID) return true;
    if (bits == 16 && colors == PHOTOMETRIC_SEPARATED) return true;
    if (bits < 8 && (colors == PHOTOMETRIC_RGB || colors == PHOTOMETRIC_SEPARATED)) return true;
    return bits != 1 && bits != 2 && bits != 4 && bits != 8 && bits != 16;
}

/// Returns `unsupported`, and stores the depth and the kind of the samples as the reason.
static cic_status refuse(struct tiff *tiff, const struct cic_tiff_samples *samples, const char *kind) {
    snprintf(tiff->picture.message, sizeof tiff->picture.message, "%u-bit %s",
             (unsigned)samples->bits, kind);
    return cic_status_unsupported;
}

static bool is_known(const struct cic_tiff_samples *samples) {
    const uint16_t bits = samples->bits;
    if (samples->kind == SAMPLEFORMAT_IEEEFP)
        return bits == 16 || bits == 24 || bits == 32 || bits == 64;
    return bits >= 1 && (bits <= 16 || bits == 24 || bits == 32 || bits == 64);
}

static void read_alpha(struct tiff *tiff, struct cic_tiff_samples *samples) {
    uint16_t count = 0, *kinds = NULL;
    functions.TIFFGetFieldDefaulted(tiff->file, TIFFTAG_EXTRASAMPLES, &count, &kinds);
    if (count == 0 || kinds == NULL || samples->count <= samples->color_count) return;
    // Four inks leave no room for alpha.
    if (samples->color_count == 4) return;
    samples->is_multiplied = kinds[0] == EXTRASAMPLE_ASSOCALPHA;
    samples->has_alpha = samples->is_multiplied || kinds[0] == EXTRASAMPLE_UNASSALPHA;
}

cic_status cic_tiff_read_layout(struct tiff *tiff) {
    TIFF *file = tiff->file;
    struct cic_tiff_samples *samples = &tiff->samples;
    const uint16_t photometric = field(file, TIFFTAG_PHOTOMETRIC);
    samples->bits = field(file, TIFFTAG_BITSPERSAMPLE);
    samples->kind = field(file, TIFFTAG_SAMPLEFORMAT);
    if (samples->kind == SAMPLEFORMAT_VOID) samples->kind = SAMPLEFORMAT_UINT;
    samples->count = field(file, TIFFTAG_SAMPLESPERPIXEL);
    const bool has_inks =
        photometric == PHOTOMETRIC_SEPARATED && field(file, TIFFTAG_INKSET) == INKSET_CMYK;
    samples->is_lab = is_lab(file);
    samples->is_lab_of_profile = photometric == PHOTOMETRIC_ICCLAB;
    const bool has_three = samples->is_lab || photometric == PHOTOMETRIC_RGB;
    samples->color_count = has_inks ? 4 : has_three ? 3 : 1;
    samples->is_inverted = photometric == PHOTOMETRIC_MINISWHITE;
    samples->is_separate = field(file, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE;
    if (samples->kind > SAMPLEFORMAT_IEEEFP) return refuse(tiff, samples, "complex numbers");
    if (photometric > PHOTOMETRIC_RGB && !has_inks && !samples->is_lab)
        return refuse(tiff, samples, "samples of these colors");
    if (!is_known(samples)) return refuse(tiff, samples, "samples");
    if (samples->count < samples->color_count)
        return cic_fail(&tiff->picture, cic_status_corrupt, "too few samples");
    read_alpha(tiff, samples);
    samples->is_tiled = functions.TIFFIsTiled(file);
    functions.TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &samples->part.width);
    functions.TIFFGetFieldDefaulted(file, TIFFTAG_ROWSPERSTRIP, &samples->part.height);
    if (samples->is_tiled) {
        functions.TIFFGetField(file, TIFFTAG_TILEWIDTH, &samples->part.width);
        functions.TIFFGetField(file, TIFFTAG_TILELENGTH, &samples->part.height);
    }
    const tmsize_t part = samples->is_tiled ? functions.TIFFTileSize(file)
                                            : functions.TIFFStripSize(file);
    const tmsize_t row = samples->is_tiled ? functions.TIFFTileRowSize(file)
                                           : functions.TIFFScanlineSize(file);
    if (part <= 0 || row <= 0) return cic_tiff_fail(tiff);
    samples->part_byte_count = (size_t)part;
    samples->row_byte_count = (size_t)row;
    return cic_status_ok;
}

// MARK: - Conversion

/// Returns an integer that is stored in whole bytes, which libtiff has already put in the machine's
/// byte order.
static uint64_t whole_bytes(const uint8_t *bytes, unsigned byte_count) {
    uint64_t value = 0;
    for (unsigned index = 0; index < byte_count; index++)
        value |= (uint64_t)bytes[index] << (8 * index);
    return value;
}

/// Returns an integer of any depth, stored with its highest bit first.
static uint64_t packed_bits(const uint8_t *row, size_t bit, unsigned count) {
    uint64_t value = 0;
    for (unsigned index = 0; index < count; index++, bit++)
        value = value << 1 | (row[bit / 8] >> (7 - bit % 8) & 1);
    return value;
}

/// Returns the value of a floating-point number with `exponent_bits` bits of exponent and
/// `mantissa` bits of mantissa.
static double small_float(uint64_t bits, unsigned exponent_bits, unsigned mantissa) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = (int)(bits >> mantissa & ((1u << exponent_bits) - 1));
    const double fraction = (double)(bits & ((1u << mantissa) - 1)) / (1u << mantissa);
    const double value = exponent == 0 ? ldexp(fraction, 1 - bias)
                                       : ldexp(1 + fraction, exponent - bias);
    return bits >> (exponent_bits + mantissa) != 0 ? -value : value;
}

static uint8_t level_of_float(uint64_t bits, unsigned depth) {
    double value = 0;
    if (depth == 16) value = small_float(bits, 5, 10);
    if (depth == 24) value = small_float(bits, 7, 16);
    if (depth == 64) memcpy(&value, &bits, sizeof value);
    if (depth == 32) {
        float single;
        const uint32_t low = (uint32_t)bits;
        memcpy(&single, &low, sizeof single);
        value = single;
    }
    // All comparisons with NaN are false.
    return value >= 1 ? 255 : value > 0 ? (uint8_t)(value * 255 + 0.5) : 0;
}

static uint8_t level(const struct cic_tiff_samples *samples, const uint8_t *row, size_t index) {
    unsigned bits = samples->bits;
    uint64_t value = bits % 8 == 0 ? whole_bytes(row + index * (bits / 8), bits / 8)
                                   : packed_bits(row, index * bits, bits);
    if (samples->kind == SAMPLEFORMAT_IEEEFP) return level_of_float(value, bits);
    if (samples->kind == SAMPLEFORMAT_INT) value ^= (uint64_t)1 << (bits - 1);
    if (bits > 32) {
        value >>= bits - 32;
        bits = 32;
    }
    const uint64_t maximum = ((uint64_t)1 << bits) - 1;
    return (uint8_t)((value * 255 + maximum / 2) / maximum);
}

/// The inverse of the function in the definition of CIE L*a*b* (CIE 15).
static double light_of_lightness(double value) {
    return value > 6.0 / 29 ? value * value * value : (value - 4.0 / 29) * 108 / 841;
}

static uint8_t srgb_level(double light) {
    if (!(light > 0)) return 0;
    if (light >= 1) return 255;
    const double coded = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
    return (uint8_t)(coded * 255 + 0.5);
}

/// Returns a* or b*, stored as a signed number or, as in ICC profiles, with 128 added.
static double chroma(double number, bool is_of_profile) {
    if (is_of_profile) return number - 128;
    return number >= 128 ? number - 256 : number;
}

/// Converts a color in L*a*b* under D50 to sRGB. In 16 bits, a* and b* have 8 fractional bits, and
/// the highest number is the highest L*, except in ICC profiles, where it is 0xFF00.
static void put_lab(
    const struct cic_tiff_samples *samples, const uint8_t *row, size_t index, uint8_t *pixel) {
    const bool is_deep = samples->bits == 16, is_of_profile = samples->is_lab_of_profile;
    const unsigned byte_count = is_deep ? 2 : 1;
    double numbers[3];
    for (unsigned part = 0; part < 3; part++)
        numbers[part] = (double)whole_bytes(row + (index + part) * byte_count, byte_count)
                        / (is_deep ? 256 : 1);
    const double highest = is_deep && !is_of_profile ? 65535.0 / 256 : 255;
    const double y = (numbers[0] * 100 / highest + 16) / 116;
    const double white[3] = {0.9642, 1, 0.8249};
    const double scaled[3] = {y + chroma(numbers[1], is_of_profile) / 500, y,
                              y - chroma(numbers[2], is_of_profile) / 200};
    // The inverse of the sRGB primaries under D50, as in `ColorMatrix.linearSRGBFromXYZ`.
    static const double matrix[3][3] = {{3.1341864, -1.6172090, -0.4906941},
                                        {-0.9787485, 1.9161301, 0.0334334},
                                        {0.0719639, -0.2289939, 1.4057537}};
    double xyz[3];
    for (int axis = 0; axis < 3; axis++) xyz[axis] = white[axis] * light_of_lightness(scaled[axis]);
    for (int channel = 0; channel < 3; channel++)
        pixel[channel] = srgb_level(matrix[channel][0] * xyz[0] + matrix[channel][1] * xyz[1]
                                    + matrix[channel][2] * xyz[2]);
}

/// Converts a row of a strip or tile. If the planes are separate, the row has one sample per pixel,
/// for the color or alpha with the number `plane`; otherwise, it has all samples of each pixel.
static void convert_row(
    const struct cic_tiff_samples *samples, const uint8_t *row, unsigned plane, uint32_t count,
    uint8_t *pixels) {
    const unsigned first = samples->is_separate ? plane : 0;
    const unsigned end = samples->is_separate ? plane + 1
                                              : samples->color_count + (samples->has_alpha ? 1 : 0);
    const size_t stride = samples->is_separate ? 1 : samples->count;
    const uint8_t mask = samples->is_inverted ? 255 : 0;
    for (uint32_t column = 0; column < count; column++, pixels += 4) {
        if (first == 0 && !samples->has_alpha) pixels[3] = 255;
        if (samples->is_lab) put_lab(samples, row, column * stride, pixels);
        for (unsigned sample = samples->is_lab ? 3 : first; sample < end; sample++) {
            const uint8_t value = level(samples, row, column * stride + (sample - first));
            if (sample == samples->color_count) {
                pixels[3] = value;
            } else if (samples->color_count == 1) {
                pixels[0] = pixels[1] = pixels[2] = value ^ mask;
            } else {
                pixels[sample] = value ^ mask;
            }
        }
    }
}

/// Reads the strip or tile at a position into `samples->bytes`; returns the number of bytes read,
/// or -1 after an error.
static tmsize_t read_part(struct tiff *tiff, uint32_t column, uint32_t row, unsigned plane) {
    struct cic_tiff_samples *samples = &tiff->samples;
    const tmsize_t size = (tmsize_t)samples->part_byte_count;
    memset(samples->bytes, 0, samples->part_byte_count);
    if (samples->is_tiled) {
        const uint32_t tile =
            functions.TIFFComputeTile(tiff->file, column, row, 0, (uint16_t)plane);
        return functions.TIFFReadEncodedTile(tiff->file, tile, samples->bytes, size);
    }
    const uint32_t strip = functions.TIFFComputeStrip(tiff->file, row, (uint16_t)plane);
    return functions.TIFFReadEncodedStrip(tiff->file, strip, samples->bytes, size);
}

/// Replaces cyan, magenta, yellow and black with R, G, B, 255.
static void convert_inks(uint8_t *pixels, size_t count) {
    for (size_t index = 0; index < count; index++, pixels += 4) {
        const unsigned light = 255 - pixels[3];
        for (unsigned ink = 0; ink < 3; ink++)
            pixels[ink] = (uint8_t)(((255u - pixels[ink]) * light + 127) / 255);
        pixels[3] = 255;
    }
}

/// Converts the strip or tile that starts at column `place.width` and row `place.height`; `pixels`
/// points to its first pixel.
static cic_status convert_part(
    struct tiff *tiff, cic_size place, unsigned plane, uint32_t row_count, uint8_t *pixels) {
    const struct cic_tiff_samples *samples = &tiff->samples;
    if (read_part(tiff, place.width, place.height, plane) < 0) return cic_tiff_fail(tiff);
    const uint32_t rest = tiff->size.width - place.width;
    const uint32_t count = rest < samples->part.width ? rest : samples->part.width;
    // Black is the last ink, so the other inks of the pixels are known.
    const bool completes_inks =
        samples->color_count == 4 && (!samples->is_separate || plane == 3);
    for (uint32_t row = 0; row < row_count; row++, pixels += tiff->source.row_byte_count) {
        convert_row(samples, samples->bytes + row * samples->row_byte_count, plane, count, pixels);
        if (completes_inks) convert_inks(pixels, count);
    }
    return cic_status_ok;
}

cic_status cic_tiff_convert(struct tiff *tiff, uint8_t *pixels, uint32_t row_count) {
    struct cic_tiff_samples *samples = &tiff->samples;
    if (samples->bytes == NULL) samples->bytes = malloc(samples->part_byte_count);
    if (samples->bytes == NULL) return cic_status_out_of_memory;
    const unsigned used = samples->color_count + (samples->has_alpha ? 1 : 0);
    const unsigned plane_count = samples->is_separate ? used : 1;
    cic_status damage = cic_status_ok;
    for (uint32_t row = 0; row < row_count; row += samples->part.height) {
        const uint32_t rest = row_count - row;
        const uint32_t count = rest < samples->part.height ? rest : samples->part.height;
        for (uint32_t column = 0; column < tiff->size.width; column += samples->part.width) {
            uint8_t *start = pixels + row * tiff->source.row_byte_count + (size_t)column * 4;
            for (unsigned plane = 0; plane < plane_count; plane++) {
                const cic_size place = {column, tiff->row + row};
                const cic_status status = convert_part(tiff, place, plane, count, start);
                if (damage == cic_status_ok) damage = status;
            }
        }
        // A strip may be 2³² - 1 rows high, the default, so `row` could overflow.
        if (samples->part.height > rest) break;
    }
    return damage;
}

#endif
