#ifndef CFL_MARKUP_H
#define CFL_MARKUP_H

// XML and HTML, node by node, by libxml2, which is loaded with the first document: a feed of lines needs
// none of its 1.5 ms and 3 MB. Nothing that a document names is fetched, and no entity of its own is
// put in its place.

#include <stdbool.h>
#include <stddef.h>

/// A document that is being read.
typedef struct cfl_markup_reader cfl_markup_reader;

/// What a node is.
enum cfl_markup_kind {
    cfl_markup_other = 0,
    cfl_markup_start = 1,
    cfl_markup_text = 2,
    cfl_markup_end = 3,
};

/// Whether libxml2 is there.
bool cfl_markup_is_available(void);

/// Opens a document, which must stay where it is until the reader is closed; NULL where nothing of it can
/// be read.
///
/// XML is read as it is asked for, up to the first thing that is wrong. Broken XML and HTML are read as a
/// whole first, which takes several times their memory, and whatever can be made of them is there.
/// `encoding` goes before what the document says of itself; NULL to look there.
cfl_markup_reader *cfl_markup_open_xml(const char *bytes, int count);
cfl_markup_reader *cfl_markup_open_broken_xml(const char *bytes, int count);
cfl_markup_reader *cfl_markup_open_html(const char *bytes, int count, const char *encoding);
void cfl_markup_close(cfl_markup_reader *reader);

/// Goes to the next node: 1 for one, 0 at the end, -1 where nothing more can be read.
int cfl_markup_next(cfl_markup_reader *reader);

/// Of the present node; pointers are good until the next call.
enum cfl_markup_kind cfl_markup_node_kind(cfl_markup_reader *reader);
/// Whether no end follows this start.
bool cfl_markup_is_empty(cfl_markup_reader *reader);
int cfl_markup_depth(cfl_markup_reader *reader);
const char *cfl_markup_local_name(cfl_markup_reader *reader);
const char *cfl_markup_prefix(cfl_markup_reader *reader);
const char *cfl_markup_namespace(cfl_markup_reader *reader);
const char *cfl_markup_value(cfl_markup_reader *reader);

/// Goes to the next attribute of a start, which then is the present node; false after the last.
bool cfl_markup_next_attribute(cfl_markup_reader *reader);
/// Goes back from an attribute to its element.
void cfl_markup_leave_attributes(cfl_markup_reader *reader);

/// The line on which reading broke off; 0 if it has not.
int cfl_markup_broken_line(cfl_markup_reader *reader);

#endif
