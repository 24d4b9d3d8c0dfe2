// The colours of profiles that have tables, by littlecms, which is loaded when it is needed.

#ifndef CIC_COLORS_H
#define CIC_COLORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

typedef struct cic_color_transform cic_color_transform;

/// What the four bytes of a pixel are.
typedef enum __attribute__((enum_extensibility(closed))) {
    cic_color_samples_rgba = 0,
    /// Cyan, magenta, yellow, black: how much of each.
    cic_color_samples_ink,
    /// The same as what light they let through, as Adobe's programs write them.
    cic_color_samples_light,
} cic_color_samples;

/// Loads littlecms; false if it is not installed. Opens a file the first time.
bool cic_color_load(void);

/// From the colours of a profile to sRGB's, perceptually; NULL if it is none for such samples, or
/// littlecms is missing.
cic_color_transform *_Nullable cic_color_transform_create(
    const uint8_t *profile, size_t count, cic_color_samples samples);
void cic_color_transform_destroy(cic_color_transform *transform);

/// Makes R, G, B and alpha of `pixel_count` pixels in place. Alpha stays what it is, and is 255 where
/// there was a fourth ink.
void cic_color_transform_apply(
    const cic_color_transform *transform, uint8_t *pixels, size_t pixel_count);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
