// A minimized header (ISO/IEC 23008-12, annex O) has one box instead of about ten. Its fields are
// numbers of a few bits without gaps; the color profile and the coded images follow.
#ifdef CIC_HEIF

#include "heif_minimized_header.h"

struct bits {
    struct span bytes;
    size_t place;
    /// Whether more bits were read than there are.
    bool is_over;
};

static uint32_t take_bits(struct bits *bits, int count) {
    uint32_t value = 0;
    for (int index = 0; index < count; index++, bits->place++) {
        bits->is_over = bits->is_over || bits->place / 8 >= bits->bytes.count;
        const unsigned byte = bits->is_over ? 0 : bits->bytes.bytes[bits->place / 8];
        value = value << 1 | (byte >> (7 - bits->place % 8) & 1);
    }
    return value;
}

static bool take_flag(struct bits *bits) { return take_bits(bits, 1) == 1; }

static void skip_bits(struct bits *bits, size_t count) { bits->place += count; }

/// Skips the depth of the samples; returns false if they are not integers.
static bool skip_depth(struct bits *bits, bool is_float) {
    if (!is_float && take_flag(bits)) skip_bits(bits, 3);
    return !is_float;
}

static void skip_chroma_position(struct bits *bits, uint32_t subsampling) {
    skip_bits(bits, subsampling == 1 ? 2 : subsampling == 2 ? 1 : 0);
}

/// Reads the luminances, and skips the descriptions of displays and rooms.
static void take_luminance(struct bits *bits, struct minimized *image) {
    enum { has_peak, has_display, has_volume, has_room, has_surround, has_white, flag_count };
    bool flags[flag_count];
    for (int index = 0; index < flag_count; index++) flags[index] = take_flag(bits);
    image->has_peak = flags[has_peak];
    if (flags[has_peak]) {
        image->peak = take_bits(bits, 16);
        image->mean = take_bits(bits, 16);
    }
    if (flags[has_display]) skip_bits(bits, 192);
    if (flags[has_volume]) {
        skip_bits(bits, 2);
        const size_t primaries_count = take_flag(bits) ? 6 : 0;
        const uint32_t luminances = take_bits(bits, 3);
        const size_t luminance_count = (luminances & 1) + (luminances >> 1 & 1) + (luminances >> 2);
        skip_bits(bits, 2 + (primaries_count + luminance_count) * 32);
    }
    if (flags[has_room]) skip_bits(bits, 64);
    if (flags[has_surround]) skip_bits(bits, 128);
    if (flags[has_white]) skip_bits(bits, 32);
}

static bool take_span(struct span *rest, size_t count, struct span *taken) {
    if (count > rest->count) return false;
    *taken = (struct span){rest->bytes, count};
    *rest = (struct span){rest->bytes + count, rest->count - count};
    return true;
}

cic_status cic_heif_read_minimized(
    struct span content, const uint8_t *brand, struct minimized *image) {
    struct bits bits = {content, 0, false};
    if (take_bits(&bits, 2) != 0) return cic_status_unsupported;
    const bool names_types = take_flag(&bits), is_float = take_flag(&bits);
    image->is_full_range = take_flag(&bits);
    image->has_alpha = take_flag(&bits);
    const bool has_codes = take_flag(&bits), is_bright = take_flag(&bits);
    const bool has_profile = take_flag(&bits), has_exif = take_flag(&bits);
    const bool has_xmp = take_flag(&bits);
    const uint32_t subsampling = take_bits(&bits, 2);
    image->orientation = take_bits(&bits, 3) + 1;
    const int side_bits = take_flag(&bits) ? 15 : 7;
    image->width = take_bits(&bits, side_bits) + 1;
    image->height = take_bits(&bits, side_bits) + 1;
    skip_chroma_position(&bits, subsampling);
    if (!skip_depth(&bits, is_float)) return cic_status_unsupported;
    image->is_premultiplied = image->has_alpha && take_flag(&bits);
    // By default, the colors are sRGB, with the matrix of BT.601.
    image->primaries = has_codes ? take_bits(&bits, 8) : has_profile ? 2 : 1;
    image->transfer = has_codes ? take_bits(&bits, 8) : has_profile ? 2 : 13;
    image->matrix = subsampling == 0 ? 2 : has_codes ? take_bits(&bits, 8) : 6;
    const bool is_av1 = memcmp(brand, "avif", 4) == 0;
    memcpy(image->item_type, is_av1 ? "av01" : "hvc1", 4);
    memcpy(image->config_type, is_av1 ? "av1C" : "hvcC", 4);
    if (names_types) {
        for (int index = 0; index < 4; index++) image->item_type[index] = (char)take_bits(&bits, 8);
        for (int index = 0; index < 4; index++)
            image->config_type[index] = (char)take_bits(&bits, 8);
    }

    bool has_gain_map = false, map_has_profile = false;
    if (is_bright) {
        has_gain_map = take_flag(&bits);
        if (has_gain_map) {
            skip_bits(&bits, (size_t)side_bits * 2 + 9);
            skip_chroma_position(&bits, take_bits(&bits, 2));
            if (!skip_depth(&bits, take_flag(&bits))) return cic_status_unsupported;
            map_has_profile = take_flag(&bits);
            if (take_flag(&bits)) skip_bits(&bits, 25);
        }
        take_luminance(&bits, image);
        struct minimized mapped;
        if (has_gain_map) take_luminance(&bits, &mapped);
    }

    const bool has_metadata = has_profile || has_exif || has_xmp || has_gain_map;
    const int metadata_bits = has_metadata && take_flag(&bits) ? 20 : 10;
    const int config_bits = take_flag(&bits) ? 12 : 3, data_bits = take_flag(&bits) ? 28 : 15;
    const size_t profile_count = has_profile ? take_bits(&bits, metadata_bits) + 1 : 0;
    size_t map_profile_count = 0, map_metadata_count = 0, map_count = 0, map_config_count = 0;
    if (has_gain_map) {
        if (map_has_profile) map_profile_count = take_bits(&bits, metadata_bits) + 1;
        map_metadata_count = take_bits(&bits, metadata_bits);
        map_count = take_bits(&bits, data_bits);
        if (map_count > 0) map_config_count = take_bits(&bits, config_bits);
    }
    const size_t config_count = take_bits(&bits, config_bits);
    const size_t image_count = take_bits(&bits, data_bits) + 1;
    const size_t alpha_count = image->has_alpha ? take_bits(&bits, data_bits) : 0;
    const size_t alpha_config_count = alpha_count > 0 ? take_bits(&bits, config_bits) : 0;
    if (has_exif || has_xmp) skip_bits(&bits, 1);
    if (has_exif) skip_bits(&bits, (size_t)metadata_bits);
    if (has_xmp) skip_bits(&bits, (size_t)metadata_bits);
    image->has_alpha = alpha_count > 0;

    struct span rest = content, skipped;
    if (bits.is_over || !take_span(&rest, (bits.place + 7) / 8, &skipped)
        || !take_span(&rest, config_count, &image->config)
        || !take_span(&rest, alpha_config_count, &image->alpha_config)
        || !take_span(&rest, map_config_count, &skipped)
        || !take_span(&rest, profile_count, &image->profile)
        || !take_span(&rest, map_profile_count + map_metadata_count, &skipped)
        || !take_span(&rest, alpha_count, &image->alpha)
        || !take_span(&rest, map_count, &skipped) || !take_span(&rest, image_count, &image->image))
        return cic_status_truncated;
    if (alpha_config_count == 0) image->alpha_config = image->config;
    return cic_status_ok;
}

#endif
