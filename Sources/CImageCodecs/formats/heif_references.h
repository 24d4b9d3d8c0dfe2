#ifndef CIC_HEIF_REFERENCES_H
#define CIC_HEIF_REFERENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether the images of a HEIF file refer to each other in cycles, or more deeply than any file
/// needs. libheif follows such references until it runs out of threads or stack.
bool cic_heif_references_are_endless(const uint8_t *bytes, size_t count);

#endif
