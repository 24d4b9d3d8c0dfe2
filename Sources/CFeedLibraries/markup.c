#include "cfl_markup.h"

#include <pthread.h>
#include <stdlib.h>

#include "libraries.h"

// These values from libxml/parser.h, HTMLparser.h and xmlreader.h are stable. The functions take no
// structs, so no header is needed to build.
enum {
    parse_recover = 1,
    parse_no_error = 32,
    parse_no_warning = 64,
    parse_no_network = 2048,
    node_element = 1,
    node_text = 3,
    node_cdata = 4,
    node_significant_space = 14,
    node_end = 15,
};

static struct {
    void (*initialize)(void);
    void (*set_error_function)(void *, void (*)(void *, const char *, ...));
    void *(*reader_for_memory)(const char *, int, const char *, const char *, int);
    void *(*read_memory)(const char *, int, const char *, const char *, int);
    void *(*html_read_memory)(const char *, int, const char *, const char *, int);
    void *(*reader_walker)(void *);
    void (*free_reader)(void *);
    void (*free_document)(void *);
    int (*parser_line)(void *);
    int (*read)(void *);
    int (*node_type)(void *);
    int (*is_empty)(void *);
    int (*depth)(void *);
    const char *(*local_name)(void *);
    const char *(*prefix)(void *);
    const char *(*namespace_uri)(void *);
    const char *(*value)(void *);
    int (*next_attribute)(void *);
    int (*to_element)(void *);
} xml;

static bool is_loaded;

static void load(void) {
    // Since version 2.14, the library has another name; these functions have not changed.
    void *library = dlopen("libxml2.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) library = dlopen("libxml2.so.16", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    is_loaded = cfl_find_function(library, "xmlInitParser", &xml.initialize)
        && cfl_find_function(library, "xmlSetGenericErrorFunc", &xml.set_error_function)
        && cfl_find_function(library, "xmlReaderForMemory", &xml.reader_for_memory)
        && cfl_find_function(library, "xmlReadMemory", &xml.read_memory)
        && cfl_find_function(library, "htmlReadMemory", &xml.html_read_memory)
        && cfl_find_function(library, "xmlReaderWalker", &xml.reader_walker)
        && cfl_find_function(library, "xmlFreeTextReader", &xml.free_reader)
        && cfl_find_function(library, "xmlFreeDoc", &xml.free_document)
        && cfl_find_function(library, "xmlTextReaderGetParserLineNumber", &xml.parser_line)
        && cfl_find_function(library, "xmlTextReaderRead", &xml.read)
        && cfl_find_function(library, "xmlTextReaderNodeType", &xml.node_type)
        && cfl_find_function(library, "xmlTextReaderIsEmptyElement", &xml.is_empty)
        && cfl_find_function(library, "xmlTextReaderDepth", &xml.depth)
        && cfl_find_function(library, "xmlTextReaderConstLocalName", &xml.local_name)
        && cfl_find_function(library, "xmlTextReaderConstPrefix", &xml.prefix)
        && cfl_find_function(library, "xmlTextReaderConstNamespaceUri", &xml.namespace_uri)
        && cfl_find_function(library, "xmlTextReaderConstValue", &xml.value)
        && cfl_find_function(library, "xmlTextReaderMoveToNextAttribute", &xml.next_attribute)
        && cfl_find_function(library, "xmlTextReaderMoveToElement", &xml.to_element);
    if (is_loaded) xml.initialize();
}

bool cfl_markup_is_available(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

struct cfl_markup_reader {
    void *reader;
    /// The document, if all of it was parsed when it was opened; NULL if it is parsed on demand.
    void *document;
    int broken_line;
};

static void ignore(void *context, const char *message, ...) {
    (void)context;
    (void)message;
}

/// Returns whether libxml2 is available, and silences it on this thread, because it prints encoding
/// errors to standard error regardless of the options.
static bool prepare(void) {
    if (!cfl_markup_is_available()) return false;
    xml.set_error_function(NULL, ignore);
    return true;
}

static const int options = parse_no_error | parse_no_warning | parse_no_network;

static cfl_markup_reader *open_reader(void *reader, void *document) {
    cfl_markup_reader *self = reader == NULL ? NULL : calloc(1, sizeof *self);
    if (self == NULL) {
        if (reader != NULL) xml.free_reader(reader);
        if (document != NULL) xml.free_document(document);
        return NULL;
    }
    self->reader = reader;
    self->document = document;
    return self;
}

static cfl_markup_reader *open_document(void *document) {
    return document == NULL ? NULL : open_reader(xml.reader_walker(document), document);
}

cfl_markup_reader *cfl_markup_open_xml(const char *bytes, int count) {
    if (!prepare()) return NULL;
    return open_reader(xml.reader_for_memory(bytes, count, NULL, NULL, options), NULL);
}

cfl_markup_reader *cfl_markup_open_broken_xml(const char *bytes, int count) {
    if (!prepare()) return NULL;
    return open_document(xml.read_memory(bytes, count, NULL, NULL, options | parse_recover));
}

cfl_markup_reader *cfl_markup_open_html(const char *bytes, int count, const char *encoding) {
    if (!prepare()) return NULL;
    return open_document(
        xml.html_read_memory(bytes, count, NULL, encoding, options | parse_recover));
}

void cfl_markup_close(cfl_markup_reader *self) {
    xml.free_reader(self->reader);
    if (self->document != NULL) xml.free_document(self->document);
    free(self);
}

int cfl_markup_next(cfl_markup_reader *self) {
    int result = xml.read(self->reader);
    if (result < 0) self->broken_line = xml.parser_line(self->reader);
    return result;
}

enum cfl_markup_kind cfl_markup_node_kind(cfl_markup_reader *self) {
    switch (xml.node_type(self->reader)) {
    case node_element: return cfl_markup_start;
    case node_text:
    case node_cdata:
    case node_significant_space: return cfl_markup_text;
    case node_end: return cfl_markup_end;
    default: return cfl_markup_other;
    }
}

bool cfl_markup_is_empty(cfl_markup_reader *self) { return xml.is_empty(self->reader) == 1; }
int cfl_markup_depth(cfl_markup_reader *self) { return xml.depth(self->reader); }
const char *cfl_markup_local_name(cfl_markup_reader *self) { return xml.local_name(self->reader); }
const char *cfl_markup_prefix(cfl_markup_reader *self) { return xml.prefix(self->reader); }
const char *cfl_markup_namespace(cfl_markup_reader *self) { return xml.namespace_uri(self->reader); }
const char *cfl_markup_value(cfl_markup_reader *self) { return xml.value(self->reader); }
bool cfl_markup_next_attribute(cfl_markup_reader *self) { return xml.next_attribute(self->reader) == 1; }
void cfl_markup_leave_attributes(cfl_markup_reader *self) { xml.to_element(self->reader); }
int cfl_markup_broken_line(cfl_markup_reader *self) { return self->broken_line; }
