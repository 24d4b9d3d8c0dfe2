extension Int {
    /// The sum, or the largest number there is: for adding up what a hostile header asks for.
    func saturatingAdd(_ other: Int) -> Int {
        let sum = addingReportingOverflow(other)
        return sum.overflow ? .max : sum.partialValue
    }

    /// The product, or the largest number there is; neither factor may be negative.
    func saturatingMultiply(by other: Int) -> Int {
        let product = multipliedReportingOverflow(by: other)
        return product.overflow ? .max : product.partialValue
    }
}

extension PixelSize {
    /// The bytes of a picture of this size.
    var byteCount: Int { pixelCount.saturatingMultiply(by: 4) }
}
