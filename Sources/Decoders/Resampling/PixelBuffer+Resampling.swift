extension PixelBuffer {
    /// The whole picture at `size`: area average in linear light, premultiplied alpha.
    ///
    /// The aspect ratio is the caller's. Enlarging keeps pixels as boxes: exact area weights, so
    /// that enlarging by a whole factor repeats pixels. An empty picture becomes transparent.
    public func resampled(to size: PixelSize) -> PixelBuffer {
        resampled(
            to: size,
            from: PixelRect(x: 0, y: 0, width: self.size.width, height: self.size.height)
        )
    }

    /// The part of the picture inside of `crop` at `size`; a crop beyond the edges is cut to them,
    /// one that misses the picture gives transparent pixels.
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
        var resampler = Resampler(
            Sampling(source: source, step: 1),
            target: size,
            hasAlpha: hasAlpha
        )
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            resampler.add(
                SampleRows(
                    start: start + (rect.y * self.size.width + rect.x) * 4,
                    rowByteCount: self.size.width * 4,
                    count: rect.height
                )
            )
        }
        return resampler.finish()
    }
}
