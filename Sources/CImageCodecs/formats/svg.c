// SVG rendering with librsvg 2, from version 2.52 on, and cairo.
//
// Their headers depend on those of desktop libraries, so the parts that are used are declared here.
#ifdef CIC_SVG

#include <stdint.h>
#include <stdlib.h>

#include "picture.h"

typedef void *rsvg_handle;
typedef void *cairo_surface;
typedef void *cairo_context;
struct rsvg_rectangle {
    double x, y, width, height;
};
struct g_error {
    uint32_t domain;
    int code;
    char *message;
};

static rsvg_handle (*rsvg_handle_new_from_data)(
    const uint8_t *bytes, unsigned long count, struct g_error **error);
static int (*rsvg_handle_get_intrinsic_size_in_pixels)(rsvg_handle svg, double *width, double *height);
static void (*rsvg_handle_get_intrinsic_dimensions)(
    rsvg_handle svg, int *has_width, void *width, int *has_height, void *height, int *has_view_box,
    struct rsvg_rectangle *view_box);
static void (*rsvg_handle_set_dpi)(rsvg_handle svg, double dots_per_inch);
static int (*rsvg_handle_render_document)(
    rsvg_handle svg, cairo_context context, const struct rsvg_rectangle *viewport,
    struct g_error **error);
static cairo_surface (*cairo_image_surface_create_for_data)(
    uint8_t *pixels, int format, int width, int height, int stride);
static cairo_context (*cairo_create)(cairo_surface surface);
static int (*cairo_status)(cairo_context context);
static void (*cairo_destroy)(cairo_context context);
static void (*cairo_surface_flush)(cairo_surface surface);
static void (*cairo_surface_destroy)(cairo_surface surface);
static void (*g_object_unref)(void *object);
static void (*g_error_free)(struct g_error *error);

/// Cairo's pixel format with alpha and premultiplied colors in a 32-bit number.
enum { cairo_format_argb32 = 0 };

static bool render_something(void);

static bool load(void) {
    void *svg = cic_open_library("librsvg-2.so.2");
    void *cairo = cic_open_library("libcairo.so.2");
    void *objects = cic_open_library("libgobject-2.0.so.0");
    void *glib = cic_open_library("libglib-2.0.so.0");
#define FIND(library, name) cic_find_function(library, #name, &name)
    return svg != NULL && cairo != NULL && objects != NULL && glib != NULL
           && FIND(svg, rsvg_handle_new_from_data)
           && FIND(svg, rsvg_handle_get_intrinsic_size_in_pixels)
           && FIND(svg, rsvg_handle_get_intrinsic_dimensions)
           && FIND(svg, rsvg_handle_set_dpi) && FIND(svg, rsvg_handle_render_document)
           && FIND(cairo, cairo_image_surface_create_for_data) && FIND(cairo, cairo_create)
           && FIND(cairo, cairo_status) && FIND(cairo, cairo_destroy)
           && FIND(cairo, cairo_surface_flush) && FIND(cairo, cairo_surface_destroy)
           && FIND(objects, g_object_unref) && FIND(glib, g_error_free) && render_something();
#undef FIND
}

struct svg {
    struct cic_picture picture;
    rsvg_handle handle;
    uint8_t *pixels;
    struct cic_row_source source;
};

static cic_picture *create(void) { return calloc(1, sizeof(struct svg)); }

static void destroy(cic_picture *picture) {
    struct svg *svg = (struct svg *)picture;
    if (svg->handle != NULL) g_object_unref(svg->handle);
    free(svg->pixels);
}

static cic_status fail(struct svg *svg, struct g_error *error) {
    if (error == NULL) return cic_fail(&svg->picture, cic_status_corrupt, "unknown error");
    // For example "XML parse error: Error domain 1 code 73 on line 3 column 43 of data: Couldn't
    // find end of tag\n".
    const char *place = strstr(error->message, " of data: ");
    cic_fail(&svg->picture, cic_status_corrupt,
             place == NULL ? error->message : place + strlen(" of data: "));
    svg->picture.message[strcspn(svg->picture.message, "\n")] = 0;
    g_error_free(error);
    return cic_status_corrupt;
}

/// Returns the nearest number of pixels, as browsers do, but at least 1, or 0 for an invalid length.
static uint32_t whole(double length) {
    // All comparisons with NaN are false.
    if (!(length > 0 && length < 1e9)) return 0;
    return length < 1 ? 1 : (uint32_t)(length + 0.5);
}

/// Returns the size of the document in pixels; if it has none, the size of its view box; otherwise
/// the default of browsers, 300 × 150.
static cic_size size_of(rsvg_handle handle) {
    double width = 0, height = 0;
    if (rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height)
        && whole(width) > 0 && whole(height) > 0)
        return (cic_size){whole(width), whole(height)};
    int has_width, has_height, has_view_box = 0;
    // A length and its unit.
    uint64_t lengths[2][2];
    struct rsvg_rectangle box;
    rsvg_handle_get_intrinsic_dimensions(
        handle, &has_width, lengths[0], &has_height, lengths[1], &has_view_box, &box);
    if (has_view_box && whole(box.width) > 0 && whole(box.height) > 0)
        return (cic_size){whole(box.width), whole(box.height)};
    return (cic_size){300, 150};
}

/// Reads the header. The document has no base URL, so it cannot refer to anything outside itself.
static cic_status read_header(cic_picture *picture, cic_picture_header *header) {
    struct svg *svg = (struct svg *)picture;
    struct g_error *error = NULL;
    svg->handle = rsvg_handle_new_from_data(picture->bytes, picture->count, &error);
    if (svg->handle == NULL) return fail(svg, error);
    // CSS pixels; the default of the library is 90.
    rsvg_handle_set_dpi(svg->handle, 96);
    header->size = size_of(svg->handle);
    header->has_alpha = true;
    return cic_status_ok;
}

/// Prepares to draw at the requested size, because an SVG image, unlike an image in another format,
/// has no size in pixels of its own.
static cic_status start(cic_picture *picture, cic_picture_target target, cic_picture_rows *rows) {
    struct svg *svg = (struct svg *)picture;
    svg->source.size = rows->size = target.size;
    svg->source.row_byte_count = (size_t)target.size.width * 4;
    rows->byte_count = svg->source.row_byte_count * target.size.height;
    return cic_status_ok;
}

/// Converts 32-bit numbers with alpha in the highest byte to R, G, B, A.
static void put_in_order(uint8_t *pixels, size_t count) {
    for (size_t index = 0; index < count; index++, pixels += 4) {
        uint32_t pixel;
        memcpy(&pixel, pixels, sizeof pixel);
        pixels[0] = (uint8_t)(pixel >> 16);
        pixels[1] = (uint8_t)(pixel >> 8);
        pixels[2] = (uint8_t)pixel;
        pixels[3] = (uint8_t)(pixel >> 24);
    }
    cic_unmultiply(pixels - count * 4, count);
}

static cic_status draw(struct svg *svg) {
    const cic_size size = svg->source.size;
    svg->pixels = calloc(size.height, svg->source.row_byte_count);
    if (svg->pixels == NULL) return cic_status_out_of_memory;
    cairo_surface surface =
        cairo_image_surface_create_for_data(svg->pixels, cairo_format_argb32, (int)size.width,
                                            (int)size.height, (int)svg->source.row_byte_count);
    cairo_context context = cairo_create(surface);
    const struct rsvg_rectangle viewport = {0, 0, size.width, size.height};
    struct g_error *error = NULL;
    const bool is_drawn = cairo_status(context) == 0
                          && rsvg_handle_render_document(svg->handle, context, &viewport, &error);
    cairo_surface_flush(surface);
    cairo_destroy(context);
    cairo_surface_destroy(surface);
    if (!is_drawn) return fail(svg, error);
    put_in_order(svg->pixels, (size_t)size.width * size.height);
    svg->source.pixels = svg->pixels;
    return cic_status_ok;
}

static cic_status read_rows(cic_picture *picture, uint8_t *rows, int row_count, int *rows_read) {
    struct svg *svg = (struct svg *)picture;
    if (svg->source.pixels == NULL) {
        const cic_status status = draw(svg);
        if (status != cic_status_ok) return status;
    }
    return cic_copy_rows(&svg->source, rows, row_count, rows_read);
}

/// Renders text and embedded images in order to load the list of fonts and the modules for image
/// formats, because a decoding process cannot read them once it receives images.
static bool render_something(void) {
    static const char document[] =
        "<svg xmlns='http://www.w3.org/2000/svg' width='64' height='64'>"
        "<image width='1' height='1' href='data:image/gif;base64,"
        "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=='/>"
        "<image width='1' height='1' href='data:image/svg+xml;base64,"
        "PHN2ZyB4bWxucz0naHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmcnIHdpZHRo"
        "PScxJyBoZWlnaHQ9JzEnLz4='/>"
        "<image width='1' height='1' href='data:image/webp;base64,"
        "UklGRhoAAABXRUJQVlA4TA4AAAAvAAAAAAcQEf0PRET/Aw=='/>"
        "<image width='1' height='1' href='data:image/avif;base64,"
        "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAA"
        "AAAAcGljdAAAAAAAAAAAAAAAAAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEA"
        "AAETAAAAIAAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAABqaXBycAAA"
        "AEtpcGNvAAAAFGlzcGUAAAAAAAAAAQAAAAEAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBAAwAAAAA"
        "E2NvbHJuY2x4AAEADQAGgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAAAKG1kYXQSAAoIGAAGiAho"
        "NCAyEh/3h4UV3///4sAAAJA1jjx+3A=='/>"
        "<g font-size='8'><text y='9'>a</text><text y='18' font-weight='bold'>a</text>"
        "<text y='27' font-family='sans-serif'>a</text><text y='36' font-family='serif'>a</text>"
        "<text y='45' font-family='monospace'>a</text></g></svg>";
    struct svg svg = {.picture = {.bytes = (const uint8_t *)document, .count = sizeof document - 1}};
    cic_picture_header header = {.size = {0, 0}};
    cic_picture_rows rows;
    cic_status status = read_header(&svg.picture, &header);
    if (status == cic_status_ok)
        status = start(&svg.picture, (cic_picture_target){header.size, false}, &rows);
    if (status == cic_status_ok) status = draw(&svg);
    destroy(&svg.picture);
    return status == cic_status_ok;
}

const struct cic_picture_functions cic_svg = {
    .package = "librsvg2-2",
    .load = load,
    .create = create,
    .destroy = destroy,
    .read_header = read_header,
    .start = start,
    .read_rows = read_rows,
};

#endif
