/// Adds up the pixels of one row by cell, weighted by their width inside the cell, in linear light.
///
/// Sums are four 64-bit integers a cell (R, G, B, A). Exact: a cell of the whole picture is at most
/// 65535 * 255 * its pixel count, so 64 bits suffice for 2^40 pixels.
enum RowReduction {
    /// One row's pixels and the tables needed to read them.
    ///
    /// The pointers are valid for the call.
    struct Row {
        /// R, G, B, A bytes, at least one past the last span's `last`.
        let pixels: UnsafeRawPointer
        /// The 256 values of `SRGBTransfer.linear`.
        let linear: UnsafePointer<UInt64>
    }

    /// A pixel in linear light, premultiplied by alpha where there is one.
    private struct Light {
        var red: UInt64 = 0
        var green: UInt64 = 0
        var blue: UInt64 = 0
        var alpha: UInt64 = 0

        @inline(__always)
        mutating func add(_ other: Light, weight: UInt64) {
            red &+= other.red &* weight
            green &+= other.green &* weight
            blue &+= other.blue &* weight
            alpha &+= other.alpha &* weight
        }
    }

    /// Reduces a row whose alpha is 255 throughout; alpha sums are left alone.
    static func reduceOpaque(
        _ row: Row,
        spans: UnsafeBufferPointer<ResamplingAxis.Span>,
        weight: UInt64,
        into sums: UnsafeMutablePointer<UInt64>
    ) {
        var output = sums
        for span in spans {
            var sum = Light()
            var index = span.first + 1
            while index < span.last {
                let light = opaqueLight(row, index)
                sum.red &+= light.red
                sum.green &+= light.green
                sum.blue &+= light.blue
                index &+= 1
            }
            sum.red &*= weight
            sum.green &*= weight
            sum.blue &*= weight
            sum.add(opaqueLight(row, span.first), weight: span.firstWeight)
            sum.add(opaqueLight(row, span.last), weight: span.lastWeight)
            output[0] = sum.red
            output[1] = sum.green
            output[2] = sum.blue
            output += 4
        }
    }

    /// Reduces a row with alpha: colours count by their alpha, so that what is invisible adds none.
    static func reduceTransparent(
        _ row: Row,
        spans: UnsafeBufferPointer<ResamplingAxis.Span>,
        weight: UInt64,
        into sums: UnsafeMutablePointer<UInt64>
    ) {
        var output = sums
        for span in spans {
            var inner = Light()
            var index = span.first + 1
            while index < span.last {
                inner.add(transparentLight(row, index), weight: 1)
                index &+= 1
            }
            var sum = Light()
            sum.add(inner, weight: weight)
            sum.add(transparentLight(row, span.first), weight: span.firstWeight)
            sum.add(transparentLight(row, span.last), weight: span.lastWeight)
            output[0] = sum.red
            output[1] = sum.green
            output[2] = sum.blue
            output[3] = sum.alpha
            output += 4
        }
    }

    @inline(__always)
    private static func opaqueLight(_ row: Row, _ index: Int) -> Light {
        let pixel = load(row, index)
        return Light(
            red: row.linear[Int(pixel & 255)],
            green: row.linear[Int(pixel &>> 8 & 255)],
            blue: row.linear[Int(pixel &>> 16 & 255)]
        )
    }

    @inline(__always)
    private static func transparentLight(_ row: Row, _ index: Int) -> Light {
        let light = opaqueLight(row, index)
        let alpha = UInt64(load(row, index) &>> 24)
        return Light(
            red: light.red &* alpha,
            green: light.green &* alpha,
            blue: light.blue &* alpha,
            alpha: alpha
        )
    }

    @inline(__always)
    private static func load(_ row: Row, _ index: Int) -> UInt32 {
        UInt32(
            littleEndian: row.pixels.loadUnaligned(
                fromByteOffset: index &* 4,
                as: UInt32.self
            )
        )
    }
}
