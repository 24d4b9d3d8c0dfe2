/// Adds up the pixels of a few rows for each target pixel ("cell"), in linear light.
///
/// Each source pixel is weighted by its width inside the cell.
///
/// The sums are four 64-bit integers per cell (R, G, B, A) and therefore exact. The sum of a cell
/// that covers the entire image is at most 65535 * 255 * the number of pixels, so 64 bits are
/// enough for 2^40 pixels.
///
/// Processing several rows at a time is faster than processing them one by one, because the
/// processor mispredicts about one branch at the end of each cell, regardless of the number of
/// rows. The work for the cell borders is the same in both cases.
struct RowReduction {
    /// The maximum number of rows that are processed at a time; 1 and 2 are also supported.
    static let maximumRowCount = 4

    let spans: UnsafeBufferPointer<ResamplingAxis.Span>
    /// The weight of a source pixel that is entirely in one target pixel.
    let weight: UInt64
    /// The 256 values of `SRGBTransfer.linear`.
    let linear: UnsafePointer<UInt64>
    /// The location where the sums are stored, four per target pixel.
    let sums: UnsafeMutablePointer<UInt64>

    /// A pixel in linear light, or a sum of such pixels.
    ///
    /// If the pixels have alpha, the colors are premultiplied.
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

    /// Adds up rows without their alpha; the sums of alpha are not changed.
    func reduceOpaque(_ rows: SampleRows) {
        switch rows.count {
        case 4: reduceOpaque(rows, rowCount: 4)
        case 2: reduceOpaque(rows, rowCount: 2)
        default: reduceOpaque(rows, rowCount: 1)
        }
    }

    /// Adds up rows with alpha.
    ///
    /// Colors are weighted by alpha, so invisible pixels contribute nothing.
    func reduceTransparent(_ rows: SampleRows) {
        switch rows.count {
        case 4: reduceTransparent(rows, rowCount: 4)
        case 2: reduceTransparent(rows, rowCount: 2)
        default: reduceTransparent(rows, rowCount: 1)
        }
    }

    @inline(__always)
    private func reduceOpaque(_ rows: SampleRows, rowCount: Int) {
        var output = sums
        for span in spans {
            var inner = Light()
            var index = span.first &+ 1
            while index < span.last {
                for row in 0..<rowCount {
                    let light = opaqueLight(load(rows, row: row, index: index))
                    inner.red &+= light.red
                    inner.green &+= light.green
                    inner.blue &+= light.blue
                }
                index &+= 1
            }
            var sum = Light()
            sum.add(inner, weight: weight)
            for row in 0..<rowCount {
                sum.add(
                    opaqueLight(load(rows, row: row, index: span.first)),
                    weight: span.firstWeight
                )
                sum.add(
                    opaqueLight(load(rows, row: row, index: span.last)),
                    weight: span.lastWeight
                )
            }
            output[0] = sum.red
            output[1] = sum.green
            output[2] = sum.blue
            output += 4
        }
    }

    @inline(__always)
    private func reduceTransparent(_ rows: SampleRows, rowCount: Int) {
        var output = sums
        for span in spans {
            var inner = Light()
            var index = span.first &+ 1
            while index < span.last {
                for row in 0..<rowCount {
                    inner.add(transparentLight(load(rows, row: row, index: index)), weight: 1)
                }
                index &+= 1
            }
            var sum = Light()
            sum.add(inner, weight: weight)
            for row in 0..<rowCount {
                sum.add(
                    transparentLight(load(rows, row: row, index: span.first)),
                    weight: span.firstWeight
                )
                sum.add(
                    transparentLight(load(rows, row: row, index: span.last)),
                    weight: span.lastWeight
                )
            }
            output[0] = sum.red
            output[1] = sum.green
            output[2] = sum.blue
            output[3] = sum.alpha
            output += 4
        }
    }

    // MARK: - Pixels

    @inline(__always)
    private func opaqueLight(_ pixel: UInt32) -> Light {
        Light(
            red: linear[Int(pixel & 255)],
            green: linear[Int(pixel &>> 8 & 255)],
            blue: linear[Int(pixel &>> 16 & 255)]
        )
    }

    @inline(__always)
    private func transparentLight(_ pixel: UInt32) -> Light {
        let light = opaqueLight(pixel)
        let alpha = UInt64(pixel &>> 24)
        return Light(
            red: light.red &* alpha,
            green: light.green &* alpha,
            blue: light.blue &* alpha,
            alpha: alpha
        )
    }

    @inline(__always)
    private func load(_ rows: SampleRows, row: Int, index: Int) -> UInt32 {
        UInt32(
            littleEndian: (rows.start + row &* rows.rowByteCount)
                .loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
        )
    }
}

/// Rows of R, G, B, A samples; the memory is valid only for the duration of the call.
struct SampleRows {
    /// The first row.
    let start: UnsafeRawPointer
    /// The distance between the starts of two rows, in bytes.
    let rowByteCount: Int
    let count: Int

    /// Returns the rows starting at `index`.
    func dropFirst(_ index: Int) -> SampleRows {
        SampleRows(
            start: start + index * rowByteCount,
            rowByteCount: rowByteCount,
            count: count - index
        )
    }
}

extension SampleRows {
    /// Returns whether the alpha of the first `width` pixels of each row is 255.
    func isOpaque(width: Int) -> Bool {
        (0..<count).allSatisfy { isOpaque(row: start + $0 * rowByteCount, width: width) }
    }

    private func isOpaque(row pixels: UnsafeRawPointer, width: Int) -> Bool {
        var all = SIMD4<UInt32>(repeating: .max)
        for index in stride(from: 0, to: width & ~3, by: 4) {
            all &= pixels.loadUnaligned(fromByteOffset: index &* 4, as: SIMD4<UInt32>.self)
        }
        for index in width & ~3..<width {
            all.x &= pixels.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
        }
        let opaque = UInt32(littleEndian: 0xFF00_0000)
        return all.x & all.y & all.z & all.w & opaque == opaque
    }
}

/// Converts the sums of a target pixel ("cell") to an sRGB pixel.
struct CellWriter {
    /// The sum of the weights of all source pixels in a cell.
    private let area: Double
    private let coded: [UInt8]

    /// Creates a writer for cells with weights that add up to `area`.
    init(area: Double, coded: [UInt8]) {
        self.area = area
        self.coded = coded
    }

    /// Returns the opaque pixel for the sums of a target pixel.
    ///
    /// The result is the same as that of `transparent` for an alpha of 255.
    func opaque(_ sums: SIMD4<UInt64>) -> SIMD4<UInt8> {
        let light = SIMD4<Double>(sums) / area
        return SIMD4(code(light.x), code(light.y), code(light.z), 255)
    }

    /// Returns the pixel for the sums of a target pixel with alpha.
    ///
    /// The sums have premultiplied alpha, and the returned pixel has straight alpha.
    func transparent(_ sums: SIMD4<UInt64>) -> SIMD4<UInt8> {
        guard sums.w > 0 else { return SIMD4(repeating: 0) }
        let light = SIMD4<Double>(sums) / Double(sums.w)
        let alpha = (Double(sums.w) / area).rounded()
        return SIMD4(code(light.x), code(light.y), code(light.z), UInt8(min(255, alpha)))
    }

    private func code(_ light: Double) -> UInt8 {
        coded[Int(min(Double(SRGBTransfer.white), light + 0.5))]
    }
}
