extension HeaderField {
    /// A text that differs whenever the fields differ: each part behind its length.
    static func unambiguousText(of fields: [HeaderField]) -> String {
        let parts = fields.flatMap { [$0.name.lowercased(), $0.value] }
        return parts.map { "\($0.utf8.count):\($0)" }.joined()
    }
}

extension MessageDigest {
    /// Sixteen bytes, the first one of the digest first.
    var bytes: [UInt8] {
        [high, low].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) }
        }
    }
}
