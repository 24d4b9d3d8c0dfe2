internal import Glibc

extension PixelBuffer {
    /// Returns the entire image scaled to `size`, as an area average in linear light with
    /// premultiplied alpha.
    ///
    /// `size` may have another aspect ratio than the image. If the image is enlarged, pixels are
    /// treated as boxes with exact area weights, so an integer factor repeats pixels. If the image
    /// is empty, the result is transparent.
    public func resampled(to size: PixelSize) -> PixelBuffer {
        resampled(to: size, from: whole)
    }

    /// Returns the part of the image inside `crop`, scaled to `size`.
    ///
    /// A rectangle that extends beyond the edges is clipped. If the rectangle is outside the image,
    /// the result is transparent.
    public func resampled(to size: PixelSize, from crop: PixelRect) -> PixelBuffer {
        let rect = crop.clamped(to: self.size)
        let source = PixelSize(width: rect.width, height: rect.height)
        guard !source.isEmpty, !size.isEmpty else {
            return PixelBuffer(
                size: size,
                bytes: Array(repeating: 0, count: size.pixelCount * 4),
                hasAlpha: true
            )
        }
        if source == size, size == self.size { return self }
        return resampled(to: size, from: rect, everyRow: 1)
    }

    /// Returns the entire image at a much smaller size.
    ///
    /// Only about two rows of pixels are read for each target row. Use this method for images that
    /// are displayed only briefly; it takes a fraction of the time of `resampled(to:)`. If the
    /// image is less than four times as high as the result, this method behaves like
    /// `resampled(to:)`.
    package func roughlyResampled(to size: PixelSize) -> PixelBuffer {
        let step = size.height > 0 ? self.size.height / (size.height * 2) : 0
        guard step > 1, !size.isEmpty else { return resampled(to: size) }
        return resampled(to: size, from: whole, everyRow: step)
    }

    /// The rectangle of all pixels.
    package var whole: PixelRect { PixelRect(x: 0, y: 0, width: size.width, height: size.height) }

    private func resampled(
        to size: PixelSize,
        from rect: PixelRect,
        everyRow step: Int
    ) -> PixelBuffer {
        let count = rect.height / step
        var resampler = Resampler(
            Sampling(source: PixelSize(width: rect.width, height: count), step: 1),
            target: size,
            hasAlpha: hasAlpha
        )
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            resampler.add(
                SampleRows(
                    start: start + (rect.y * self.size.width + rect.x) * 4,
                    rowByteCount: self.size.width * 4 * step,
                    count: count
                )
            )
        }
        return resampler.finish()
    }
}

/// Tables for the sRGB transfer curve (IEC 61966-2-1); linear light ranges from 0 to 65,535.
///
/// Averages are calculated in linear light, because an eye or a distant lens averages light. If
/// coded values are averaged, fine patterns become too dark: a checkerboard of black and white
/// pixels becomes 128, although 188 is correct.
package enum SRGBTransfer {
    /// The linear value of white.
    static let white = 65535

    /// The linear light of each coded value.
    static let linear: [UInt64] = (0..<256).map { code in
        UInt64((decode(Double(code) / 255) * Double(white)).rounded())
    }

    /// The coded value nearest to each linear value.
    ///
    /// The table is built from the first linear value of each coded value, which requires only 256
    /// powers. Calculating 65,536 powers would take longer than decoding a small image.
    static let coded: [UInt8] = {
        var table = [UInt8](repeating: 0, count: white + 1)
        for code in 1...255 {
            let end = code == 255 ? white + 1 : start(of: code + 1)
            for value in start(of: code)..<end { table[value] = UInt8(code) }
        }
        return table
    }()

    /// Returns the coded value nearest to a linear value without using the tables.
    static func code(of value: Int) -> Int {
        Int((encode(Double(value) / Double(white)) * 255).rounded())
    }

    /// Returns the smallest linear value whose nearest coded value is `code`, which must not be 0.
    private static func start(of code: Int) -> Int {
        // `value` is exact except for rounding, so the result is `value` or one of its two
        // neighbors.
        let value = Int(decode((Double(code) - 0.5) / 255) * Double(white))
        if self.code(of: max(0, value - 1)) >= code { return max(0, value - 1) }
        return self.code(of: value) >= code ? value : value + 1
    }

    /// Converts a coded value to light, both from 0 to 1.
    package static func decode(_ coded: Double) -> Double {
        coded <= 0.04045 ? coded / 12.92 : pow((coded + 0.055) / 1.055, 2.4)
    }

    private static func encode(_ linear: Double) -> Double {
        linear <= 0.003_130_8 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
    }
}
