#ifndef CFL_MARKUP_H
#define CFL_MARKUP_H

// XML and HTML parsing, node by node, with libxml2. The library is loaded for the first document,
// because loading takes 1.5 ms and 3 MB, and a feed of lines does not need it. Nothing that a
// document refers to is fetched, and its own entities are not substituted.

#include <stdbool.h>
#include <stddef.h>

/// A document that is being read.
typedef struct cfl_markup_reader cfl_markup_reader;

/// The kind of a node.
enum cfl_markup_kind {
    cfl_markup_other = 0,
    cfl_markup_start = 1,
    cfl_markup_text = 2,
    cfl_markup_end = 3,
};

/// Whether libxml2 is available.
bool cfl_markup_is_available(void);

/// Opens a document, or returns NULL if nothing in it can be read. The bytes must stay in place
/// until the reader is closed.
///
/// XML is read on demand, up to the first error. `cfl_markup_open_broken_xml` and
/// `cfl_markup_open_html` first parse the whole document, which takes several times its size in
/// memory, and make everything available that can be recovered. `encoding` takes precedence over
/// the document's declaration; NULL uses the declaration.
cfl_markup_reader *cfl_markup_open_xml(const char *bytes, int count);
cfl_markup_reader *cfl_markup_open_broken_xml(const char *bytes, int count);
cfl_markup_reader *cfl_markup_open_html(const char *bytes, int count, const char *encoding);
void cfl_markup_close(cfl_markup_reader *reader);

/// Moves to the next node; returns 1 for a node, 0 at the end, -1 if nothing more can be read.
int cfl_markup_next(cfl_markup_reader *reader);

/// The following functions describe the current node; the pointers that they return are valid until
/// the next call with the same reader.
enum cfl_markup_kind cfl_markup_node_kind(cfl_markup_reader *reader);
/// Whether no end node follows this start node.
bool cfl_markup_is_empty(cfl_markup_reader *reader);
int cfl_markup_depth(cfl_markup_reader *reader);
const char *cfl_markup_local_name(cfl_markup_reader *reader);
const char *cfl_markup_prefix(cfl_markup_reader *reader);
const char *cfl_markup_namespace(cfl_markup_reader *reader);
const char *cfl_markup_value(cfl_markup_reader *reader);

/// Moves to the next attribute of a start node, which becomes the current node; returns false after
/// the last attribute.
bool cfl_markup_next_attribute(cfl_markup_reader *reader);
/// Moves from an attribute back to its element.
void cfl_markup_leave_attributes(cfl_markup_reader *reader);

/// Returns the line at which reading stopped with an error; 0 if there was no error.
int cfl_markup_broken_line(cfl_markup_reader *reader);

#endif
