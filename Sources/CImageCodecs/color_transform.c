#include "CImageCodecs.h"
#include "libraries.h"

#include <pthread.h>
#include <stdlib.h>

// The part of littlecms 2 that is used, from lcms2.h. Few files have a profile with tables, so the
// library is loaded on first use and is not needed to build.

typedef void *profile_handle;
typedef void *transform_handle;
typedef void (*error_handler)(void *context, uint32_t code, const char *text);

static struct {
    profile_handle (*open_profile)(const void *bytes, uint32_t count);
    int (*close_profile)(profile_handle profile);
    profile_handle (*create_srgb)(void);
    uint32_t (*get_color_space)(profile_handle profile);
    transform_handle (*create_transform)(
        profile_handle input, uint32_t input_format, profile_handle output, uint32_t output_format,
        uint32_t intent, uint32_t flags);
    void (*delete_transform)(transform_handle transform);
    void (*do_transform)(
        transform_handle transform, const void *input, void *output, uint32_t pixel_count);
    void (*set_error_handler)(error_handler handler);
} lcms;

static bool is_loaded;

static void ignore_error(void *context, uint32_t code, const char *text) {
    (void)context;
    (void)code;
    (void)text;
}

static void load(void) {
    void *library = cic_open_library("liblcms2.so.2");
    if (library == NULL) return;
    is_loaded = cic_find_function(library, "cmsOpenProfileFromMem", &lcms.open_profile)
                && cic_find_function(library, "cmsCloseProfile", &lcms.close_profile)
                && cic_find_function(library, "cmsCreate_sRGBProfile", &lcms.create_srgb)
                && cic_find_function(library, "cmsGetColorSpace", &lcms.get_color_space)
                && cic_find_function(library, "cmsCreateTransform", &lcms.create_transform)
                && cic_find_function(library, "cmsDeleteTransform", &lcms.delete_transform)
                && cic_find_function(library, "cmsDoTransform", &lcms.do_transform)
                && cic_find_function(library, "cmsSetLogErrorHandler", &lcms.set_error_handler);
    if (!is_loaded) return;
    lcms.set_error_handler(ignore_error);
    // Creating a profile stores the date, which is the first operation that reads the system's time
    // zone. A process without access to files could not read it later.
    profile_handle first = lcms.create_srgb();
    if (first != NULL) lcms.close_profile(first);
}

bool cic_color_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

struct cic_color_transform {
    transform_handle handle;
    bool has_alpha;
};

// 'RGB ' and 'CMYK' (ICC.1:2022, section 7.2.8), and the pixel layouts as composed in lcms2.h:
// TYPE_RGBA_8, TYPE_CMYK_8, TYPE_CMYK_8_REV.
enum { space_rgb = 0x52474220, space_cmyk = 0x434D594B };
enum { layout_rgba = 0x40099, layout_cmyk = 0x60021, layout_light = 0x62021 };

static transform_handle create_handle(profile_handle profile, cic_color_samples samples) {
    const bool is_rgb = samples == cic_color_samples_rgba;
    const uint32_t layout = is_rgb ? layout_rgba
                            : samples == cic_color_samples_ink ? layout_cmyk
                                                               : layout_light;
    if (lcms.get_color_space(profile) != (is_rgb ? space_rgb : space_cmyk)) return NULL;
    profile_handle srgb = lcms.create_srgb();
    if (srgb == NULL) return NULL;
    const uint32_t perceptual = 0;
    transform_handle handle =
        lcms.create_transform(profile, layout, srgb, layout_rgba, perceptual, 0);
    lcms.close_profile(srgb);
    return handle;
}

cic_color_transform *cic_color_transform_create(
    const uint8_t *profile, size_t count, cic_color_samples samples) {
    if (count > UINT32_MAX || !cic_color_load()) return NULL;
    profile_handle opened = lcms.open_profile(profile, (uint32_t)count);
    if (opened == NULL) return NULL;
    transform_handle handle = create_handle(opened, samples);
    lcms.close_profile(opened);
    if (handle == NULL) return NULL;
    cic_color_transform *transform = malloc(sizeof *transform);
    if (transform == NULL) {
        lcms.delete_transform(handle);
        return NULL;
    }
    transform->handle = handle;
    transform->has_alpha = samples == cic_color_samples_rgba;
    return transform;
}

void cic_color_transform_apply(
    const cic_color_transform *transform, uint8_t *pixels, size_t pixel_count) {
    // Input and output pixels have four bytes, so this works in place; alpha is unchanged.
    const uint32_t count = pixel_count < UINT32_MAX ? (uint32_t)pixel_count : UINT32_MAX;
    lcms.do_transform(transform->handle, pixels, pixels, count);
    if (transform->has_alpha) return;
    for (uint32_t index = 0; index < count; index++) pixels[(size_t)index * 4 + 3] = 255;
}

void cic_color_transform_destroy(cic_color_transform *transform) {
    lcms.delete_transform(transform->handle);
    free(transform);
}
