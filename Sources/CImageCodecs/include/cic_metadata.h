// EXIF, IPTC and XMP metadata of image files and of XMP sidecars, read by exiv2 through gexiv2. The
// library is loaded on first use and is not needed to build.

#ifndef CIC_METADATA_H
#define CIC_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cic_status.h"

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// Loads the library; returns false if it is not installed. The first call opens files.
bool cic_metadata_load(void);

typedef struct cic_metadata cic_metadata;

enum { cic_metadata_message_size = 200 };

/// Reads the metadata of a file of `count` bytes, which must not change while the metadata is used.
///
/// Returns `ok` and sets `*metadata`, or returns `unsupported` if the library does not know the
/// format, or `corrupt` with the library's message. cic_metadata_load must have returned true.
///
/// The library is not thread-safe, so this function waits until the metadata that another thread
/// has read is destroyed.
cic_status cic_metadata_read(
    const uint8_t *bytes, size_t count, cic_metadata *_Nullable *_Nonnull metadata, char *message);
void cic_metadata_destroy(cic_metadata *metadata);

/// Returns the value of a tag, such as "Exif.Photo.FNumber"; returns NULL if the file has no such tag.
/// Numbers are unconverted: a fraction is "14/5".
char *_Nullable cic_metadata_value(cic_metadata *metadata, const char *key);

/// Returns the values of a tag that is a list, such as "Xmp.dc.subject", as a list that ends with
/// NULL; returns NULL if the file has no such tag.
char *_Nullable *_Nullable cic_metadata_values(cic_metadata *metadata, const char *key);
void cic_metadata_free_values(char *_Nullable *_Nonnull values);

/// Returns the value of a tag as text for people, such as the name of a lens for its number; returns
/// NULL if the file has no such tag.
char *_Nullable cic_metadata_text(cic_metadata *metadata, const char *key);

/// Frees a value or a text.
void cic_metadata_free(char *text);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
