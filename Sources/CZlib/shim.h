#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

// zlib for Swift, which decompresses the bodies of responses.

#include <zlib.h>

/// Calls inflateInit2, a macro that Swift cannot import.
static inline int czlib_inflate_begin(z_stream *_Nonnull stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}

#endif
