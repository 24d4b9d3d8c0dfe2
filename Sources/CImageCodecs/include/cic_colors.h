// Color conversion for profiles with tables, by littlecms, which is loaded on first use.

#ifndef CIC_COLORS_H
#define CIC_COLORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

typedef struct cic_color_transform cic_color_transform;

/// The meaning of the four bytes of a pixel.
typedef enum __attribute__((enum_extensibility(closed))) {
    cic_color_samples_rgba = 0,
    /// Cyan, magenta, yellow and black: the amount of each ink.
    cic_color_samples_ink,
    /// The amount of light that passes through each of these inks, as Adobe's programs store it.
    cic_color_samples_light,
} cic_color_samples;

/// Loads littlecms; returns false if it is not installed. The first call opens a file.
bool cic_color_load(void);

/// Creates a transform from the colors of a profile to sRGB, with perceptual intent; returns NULL
/// if the profile does not apply to samples of this kind, or if littlecms is missing.
cic_color_transform *_Nullable cic_color_transform_create(
    const uint8_t *profile, size_t count, cic_color_samples samples);
void cic_color_transform_destroy(cic_color_transform *transform);

/// Converts `pixel_count` pixels to R, G, B and alpha in place. Alpha is unchanged, or 255 if the
/// fourth byte was an ink.
void cic_color_transform_apply(
    const cic_color_transform *transform, uint8_t *pixels, size_t pixel_count);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
