internal import SystemSupport

/// The image bodies that made helpers fail.
///
/// This type performs no I/O.
struct CulpritTable: Sendable {
    /// The number of helper failures after which a body is not decoded again.
    private static let patience = 2
    /// The maximum number of stored bodies; the oldest are removed first.
    private static let capacity = 256

    private var crimes: [ContentChecksum: (count: Int, text: String)] = [:]
    private var order: [ContentChecksum] = []
    /// The number of stored bodies of each size in bytes.
    ///
    /// Most other bodies have a size that is not in this table, so there is no need to compute
    /// their checksums.
    private var byteCounts: [Int: Int] = [:]

    /// Returns the description of the last helper failure that the body caused.
    ///
    /// Returns nil if the body has caused fewer than `patience` failures and may be decoded again.
    func crime(of bytes: [UInt8]) -> String? {
        guard byteCounts[bytes.count] != nil, let crime = crimes[ContentChecksum(of: bytes)],
            crime.count >= Self.patience
        else { return nil }
        return crime.text
    }

    mutating func note(_ text: String, of bytes: [UInt8]) {
        let checksum = ContentChecksum(of: bytes)
        if let crime = crimes[checksum] {
            crimes[checksum] = (crime.count + 1, text)
            return
        }
        if order.count == Self.capacity {
            let oldest = order.removeFirst()
            crimes[oldest] = nil
            byteCounts[Int(oldest.byteCount), default: 1] -= 1
            if byteCounts[Int(oldest.byteCount)] == 0 { byteCounts[Int(oldest.byteCount)] = nil }
        }
        crimes[checksum] = (1, text)
        order.append(checksum)
        byteCounts[Int(checksum.byteCount), default: 0] += 1
    }
}
