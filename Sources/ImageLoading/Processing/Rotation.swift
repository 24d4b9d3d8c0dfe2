internal import Decoders
internal import Glibc

extension ImageProcessor {
    /// Rotates an image clockwise by any angle in degrees.
    ///
    /// The result is large enough for the whole image. Areas that the image does not cover are
    /// transparent, and the edges are antialiased. Positions between pixels are interpolated from
    /// the four neighbors in linear light. If the angle is a multiple of 90 degrees, pixels are
    /// only moved. If the angle is not finite, or if the result would have more than 100 million
    /// pixels, the load fails with a `processing` error.
    public static func rotate(byDegrees degrees: Double) -> ImageProcessor {
        let angle = degrees.truncatingRemainder(dividingBy: 360)
        let turns = angle / 90
        if turns.rounded() == turns { return rotate(quarterTurns: Int(turns)) }
        return ImageProcessor(identifier: "rotate(\(angle))") { image, isCancelled in
            guard angle.isFinite, !image.pixels.size.isEmpty else { return nil }
            let rotation = Rotation(degrees: angle, of: image.pixels.size)
            guard let size = rotation.size else { return nil }
            return LinearLight.withTables { tables in
                image.remade(size: size, hasAlpha: true, isCancelled) { row, source, target in
                    rotation.makeRow(row, of: size, from: source, target, tables)
                }
            }
        }
    }
}

/// A rotation of an image around its center.
private struct Rotation {
    private let source: PixelSize
    private let cosine: Double
    private let sine: Double

    init(degrees: Double, of source: PixelSize) {
        self.source = source
        cosine = cos(degrees * .pi / 180)
        sine = sin(degrees * .pi / 180)
    }

    /// The size of the bounding box of the rotated image; nil if it is too large.
    ///
    /// The box of a long, thin image can have many more pixels than the image: up to half the
    /// square of the image's length.
    var size: PixelSize? {
        let (width, height) = (Double(source.width), Double(source.height))
        let across = (width * abs(cosine) + height * abs(sine)).rounded(.up)
        let down = (width * abs(sine) + height * abs(cosine)).rounded(.up)
        guard across * down <= Double(DecodedImage.largestPixelCount) else { return nil }
        return PixelSize(width: Int(across), height: Int(down))
    }

    /// Computes a row of the result by finding the source position of each pixel.
    func makeRow(
        _ row: Int,
        of size: PixelSize,
        from pixels: UnsafePointer<Pixel>,
        _ target: UnsafeMutablePointer<Pixel>,
        _ tables: LinearLight.Tables
    ) {
        let down = Double(row) + 0.5 - Double(size.height) / 2
        for column in 0..<size.width {
            let across = Double(column) + 0.5 - Double(size.width) / 2
            let x = across * cosine + down * sine + Double(source.width) / 2 - 0.5
            let y = down * cosine - across * sine + Double(source.height) / 2 - 0.5
            target[column] = pixel(atX: x, y: y, of: pixels, tables)
        }
    }

    private func pixel(
        atX x: Double,
        y: Double,
        of pixels: UnsafePointer<Pixel>,
        _ tables: LinearLight.Tables
    ) -> Pixel {
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        guard left >= -1, top >= -1, left < Double(source.width), top < Double(source.height)
        else { return Pixel(repeating: 0) }
        let (column, row) = (Int(left), Int(top))
        let (right, bottom) = (Float(x - left), Float(y - top))
        let upper = light(ofRow: row, from: column, right, pixels, tables)
        let lower = light(ofRow: row + 1, from: column, right, pixels, tables)
        return tables.pixel(of: upper * (1 - bottom) + lower * bottom)
    }

    /// Returns the weighted sum of the light of two neighboring pixels in a row.
    ///
    /// The right pixel has the weight `right`, and the left pixel has the weight `1 - right`.
    /// Pixels outside the image have no light.
    @inline(__always)
    private func light(
        ofRow row: Int,
        from column: Int,
        _ right: Float,
        _ pixels: UnsafePointer<Pixel>,
        _ tables: LinearLight.Tables
    ) -> SIMD4<Float> {
        guard row >= 0, row < source.height else { return .zero }
        let line = pixels + row * source.width
        var sum = SIMD4<Float>.zero
        if column >= 0 { sum += tables.light(of: line[column]) * (1 - right) }
        if column + 1 < source.width { sum += tables.light(of: line[column + 1]) * right }
        return sum
    }
}
