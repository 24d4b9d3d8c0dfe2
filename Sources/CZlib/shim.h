#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

// zlib for Swift: what unpacks bodies of the network.

#include <zlib.h>

/// inflateInit2, a macro that Swift can't see.
static inline int czlib_inflate_begin(z_stream *_Nonnull stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}

#endif
