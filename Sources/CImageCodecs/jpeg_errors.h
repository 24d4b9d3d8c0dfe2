// Converts libjpeg's errors and warnings into a status and a jump back into this target.

#ifndef CIC_JPEG_ERRORS_H
#define CIC_JPEG_ERRORS_H

#include "CImageCodecs.h"

#include <setjmp.h>
#include <stdio.h>  // jpeglib.h uses FILE and size_t without including them

#include <jpeglib.h>

typedef struct {
    // Must be the first field, so that a pointer to it is a pointer to the whole struct.
    struct jpeg_error_mgr manager;
    jmp_buf jump;
    cic_status status;
    /// Whether the source is exhausted and libjpeg continues with an artificial end marker.
    bool is_past_end;
    /// Whether reading continues after damaged data.
    bool accepts_damage;
    char message[JMSG_LENGTH_MAX];
} cic_jpeg_errors;

/// Initializes `errors` for a libjpeg object. The `err` of the object must point to the result.
struct jpeg_error_mgr *cic_jpeg_errors_init(cic_jpeg_errors *errors);

#endif
