// WebP encoding with libwebp.
#include <string.h>

#include "../buffer.h"
#include "../libraries.h"

static cic_status fail(cic_buffer *output, const char *message, cic_status status) {
    strncpy(output->message, message, sizeof output->message - 1);
    return status;
}

#ifdef CIC_WEBP

#include <webp/encode.h>

cic_status cic_webp_encode(cic_image image, int quality, cic_buffer *output) {
    __typeof__(&WebPEncodeRGBA) encode = NULL;
    __typeof__(&WebPFree) release = NULL;
    void *library = cic_open_library("libwebp.so.7");
    if (library == NULL || !cic_find_function(library, "WebPEncodeRGBA", &encode)
        || !cic_find_function(library, "WebPFree", &release))
        return fail(output, "libwebp is not installed (libwebp7)", cic_status_unsupported);
    uint8_t *bytes = NULL;
    const size_t count = encode(image.pixels, (int)image.size.width, (int)image.size.height,
                                (int)image.size.width * 4, (float)quality, &bytes);
    if (count == 0) return fail(output, "libwebp gave up", cic_status_out_of_memory);
    cic_growing_buffer buffer = {0};
    const bool is_copied = cic_growing_buffer_append(&buffer, bytes, count);
    release(bytes);
    if (!is_copied) return fail(output, "no memory", cic_status_out_of_memory);
    cic_growing_buffer_move(&buffer, output);
    return cic_status_ok;
}

#else

cic_status cic_webp_encode(cic_image image, int quality, cic_buffer *output) {
    (void)image, (void)quality;
    return fail(output, "this build has no WebP", cic_status_unsupported);
}

#endif
