#ifndef CIC_TIFF_H
#define CIC_TIFF_H

#include <tiffio.h>

#include "picture.h"

#define CIC_TIFF_FUNCTIONS(NAME)                                                                   \
    NAME(TIFFOpenOptionsAlloc) NAME(TIFFOpenOptionsFree) NAME(TIFFOpenOptionsSetMaxSingleMemAlloc) \
    NAME(TIFFOpenOptionsSetErrorHandlerExtR) NAME(TIFFOpenOptionsSetWarningHandlerExtR)            \
    NAME(TIFFClientOpenExt) NAME(TIFFClose) NAME(TIFFGetField) NAME(TIFFGetFieldDefaulted)         \
    NAME(TIFFReadDirectory) NAME(TIFFSetDirectory) NAME(TIFFSetSubDirectory)                       \
    NAME(TIFFRGBAImageOK) NAME(TIFFRGBAImageBegin) NAME(TIFFRGBAImageGet) NAME(TIFFRGBAImageEnd)   \
    NAME(TIFFIsTiled) NAME(TIFFIsCODECConfigured) NAME(TIFFComputeStrip) NAME(TIFFComputeTile)     \
    NAME(TIFFStripSize) NAME(TIFFTileSize) NAME(TIFFScanlineSize) NAME(TIFFTileRowSize)            \
    NAME(TIFFReadEncodedStrip) NAME(TIFFReadEncodedTile)

/// The functions of libtiff, found by cic_tiff_load.
extern struct cic_tiff_functions { CIC_TIFF_FUNCTIONS(CIC_DECLARE) } cic_tiff_functions;

bool cic_tiff_load(void);

/// Samples that libtiff reads but does not convert to pixels.
struct cic_tiff_samples {
    uint16_t bits;
    /// SAMPLEFORMAT_UINT, SAMPLEFORMAT_INT or SAMPLEFORMAT_IEEEFP.
    uint16_t kind;
    /// The number of samples per pixel, and the number of these that are colors (1, 3 or, for inks,
    /// 4).
    uint16_t count, color_count;
    bool has_alpha, is_multiplied, is_inverted, is_separate, is_tiled;
    /// Whether the colors are CIE L*a*b*, and whether a* and b* are stored as in ICC profiles: 128
    /// is 0.
    bool is_lab, is_lab_of_profile;
    /// The size of a tile, or of a strip.
    cic_size part;
    /// The number of decoded bytes in a part (a tile or a strip), and in one of its rows.
    size_t part_byte_count, row_byte_count;
    uint8_t *bytes;
};

struct tiff {
    struct cic_picture picture;
    TIFF *file;
    toff_t position;
    TIFFRGBAImage image;
    bool is_open;
    /// Whether `samples` are converted here instead of by libtiff.
    bool has_samples;
    struct cic_tiff_samples samples;
    bool reads_past_end;
    /// The error in the first incomplete band, and whether any band has pixels.
    cic_status damage;
    bool has_pixels;
    cic_size size;
    uint32_t row;
    /// The number of rows that are decoded at once: whole strips or whole rows of tiles.
    uint32_t band_row_count;
    uint32_t *band;
    struct cic_row_source source;
};

/// Opens the file; returns NULL if its header or its first directory cannot be read.
TIFF *cic_tiff_open(struct tiff *tiff);

/// Returns the status for the error that libtiff reported last.
cic_status cic_tiff_fail(struct tiff *tiff);

/// Whether the samples of the current directory are of a kind that libtiff cannot convert: signed
/// integers, floating-point numbers, inks of 16 bits, colors of 1, 2 and 4 bits, or depths other
/// than 1, 2, 4, 8 and 16 bits; or L*a*b* colors, to which libtiff gives a tint.
bool cic_tiff_has_samples(struct tiff *tiff);

/// Reads the layout of samples that libtiff cannot convert; fails with the reason if they cannot be
/// displayed.
cic_status cic_tiff_read_layout(struct tiff *tiff);

/// Converts `row_count` rows, starting at `tiff->row`, to R, G, B, A; `tiff->row` must be the first
/// row of a strip or tile. Returns the error of the first damaged strip or tile, whose pixels are
/// not changed.
cic_status cic_tiff_convert(struct tiff *tiff, uint8_t *pixels, uint32_t row_count);

#endif
