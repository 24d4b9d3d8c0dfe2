extension SampleRows {
    /// Whether the alpha of the first `width` pixels of each row is 255.
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
