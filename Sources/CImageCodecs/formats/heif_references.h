#ifndef CIC_HEIF_REFERENCES_H
#define CIC_HEIF_REFERENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether the pictures of a HEIF file consist of each other in circles, or more deeply than any file
/// needs: libheif follows such references until it has no threads or no stack any more.
bool cic_heif_references_are_endless(const uint8_t *bytes, size_t count);

#endif
