#include "CImageCodecs.h"
#include "libraries.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

// The parts of gexiv2 and GLib that are used, from their headers.

typedef void *metadata_handle;
struct g_error {
    uint32_t domain;
    int code;
    char *message;
};

enum { log_nothing = 4 };

static struct {
    int (*initialize)(void);
    void (*set_log_level)(int level);
    metadata_handle (*create)(void);
    int (*open)(metadata_handle metadata, const uint8_t *bytes, long count, struct g_error **error);
    char *(*get_value)(metadata_handle metadata, const char *key, struct g_error **error);
    char **(*get_values)(metadata_handle metadata, const char *key, struct g_error **error);
    char *(*get_text)(metadata_handle metadata, const char *key, struct g_error **error);
    void (*release)(void *object);
    void (*free_error)(struct g_error *error);
    void (*free_values)(char **values);
    void (*free)(void *memory);
} gexiv2;

static bool is_loaded;

static void load(void) {
    void *library = cic_open_library("libgexiv2.so.2");
    void *objects = cic_open_library("libgobject-2.0.so.0");
    void *glib = cic_open_library("libglib-2.0.so.0");
    if (library == NULL || objects == NULL || glib == NULL) return;
#define FIND(function, name) cic_find_function(library, "gexiv2_" name, &gexiv2.function)
    is_loaded = FIND(initialize, "initialize") && FIND(set_log_level, "log_set_level")
                && FIND(create, "metadata_new") && FIND(open, "metadata_open_buf")
                && FIND(get_value, "metadata_try_get_tag_string")
                && FIND(get_values, "metadata_try_get_tag_multiple")
                && FIND(get_text, "metadata_try_get_tag_interpreted_string")
                && cic_find_function(objects, "g_object_unref", &gexiv2.release)
                && cic_find_function(glib, "g_error_free", &gexiv2.free_error)
                && cic_find_function(glib, "g_strfreev", &gexiv2.free_values)
                && cic_find_function(glib, "g_free", &gexiv2.free);
#undef FIND
    if (!is_loaded) return;
    // Warnings about files would be written over the screen.
    gexiv2.set_log_level(log_nothing);
    is_loaded = gexiv2.initialize();
}

bool cic_metadata_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static cic_status fail(metadata_handle metadata, struct g_error *error, char *message) {
    const char *text = error == NULL ? "unknown error" : error->message;
    // The first message is exiv2's, and the second gexiv2's. The codes differ between versions.
    const bool is_unknown =
        strstr(text, "unknown image type") != NULL || strstr(text, "unsupported format") != NULL;
    snprintf(message, cic_metadata_message_size, "%s", text);
    if (error != NULL) gexiv2.free_error(error);
    if (metadata != NULL) gexiv2.release(metadata);
    pthread_mutex_unlock(&turn);
    return is_unknown ? cic_status_unsupported : cic_status_corrupt;
}

cic_status cic_metadata_read(
    const uint8_t *bytes, size_t count, cic_metadata **metadata, char *message) {
    pthread_mutex_lock(&turn);
    metadata_handle handle = gexiv2.create();
    struct g_error *error = NULL;
    if (handle == NULL || !gexiv2.open(handle, bytes, (long)count, &error))
        return fail(handle, error, message);
    *metadata = handle;
    return cic_status_ok;
}

void cic_metadata_destroy(cic_metadata *metadata) {
    gexiv2.release(metadata);
    pthread_mutex_unlock(&turn);
}

char *cic_metadata_value(cic_metadata *metadata, const char *key) {
    struct g_error *error = NULL;
    char *value = gexiv2.get_value(metadata, key, &error);
    if (error != NULL) gexiv2.free_error(error);
    return value;
}

char **cic_metadata_values(cic_metadata *metadata, const char *key) {
    struct g_error *error = NULL;
    char **values = gexiv2.get_values(metadata, key, &error);
    if (error != NULL) gexiv2.free_error(error);
    return values;
}

void cic_metadata_free_values(char **values) { gexiv2.free_values(values); }

char *cic_metadata_text(cic_metadata *metadata, const char *key) {
    struct g_error *error = NULL;
    char *text = gexiv2.get_text(metadata, key, &error);
    if (error != NULL) gexiv2.free_error(error);
    return text;
}

void cic_metadata_free(char *text) { gexiv2.free(text); }
