/// Turns the sums of a cell back into a coded pixel.
struct CellWriter {
    /// The sum of the weights in a cell.
    private let area: Double
    private let coded: [UInt8]

    /// Makes a writer for cells whose weights add up to `area`.
    init(area: Double, coded: [UInt8]) {
        self.area = area
        self.coded = coded
    }

    /// The pixel of a cell without transparency: the one that `transparent` makes of full alpha.
    func opaque(_ sums: SIMD4<UInt64>) -> SIMD4<UInt8> {
        let light = SIMD4<Double>(sums) / area
        return SIMD4(code(light.x), code(light.y), code(light.z), 255)
    }

    /// The pixel of a cell whose colours were added up premultiplied; straight alpha.
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
