/// Which bits of which coefficients the scans have brought (T.81, G.1.1.1).
///
/// Holds a file to the rules more strictly than libjpeg, which warns and goes on, and smooths the
/// blocks of a file some of whose bits never come.
struct DCScanProgress {
    /// For each component and coefficient the lowest bit that has come; nil before the first.
    private var lowBits: [[UInt8?]]

    init(componentCount: Int) {
        lowBits = Array(repeating: Array(repeating: nil, count: 64), count: componentCount)
    }

    /// Takes note of a scan; false if it repeats or misses bits.
    mutating func add(_ scan: DCScan) -> Bool {
        let (start, end) = (Int(scan.spectralStart), Int(scan.spectralEnd))
        guard start <= end, end < 64 else { return false }
        for part in scan.parts {
            for coefficient in start...end {
                let before = lowBits[part.component][coefficient]
                guard before == nil ? scan.approximationHigh == 0 : isRefinement(scan, of: before)
                else { return false }
                lowBits[part.component][coefficient] = scan.approximationLow
            }
        }
        return true
    }

    private func isRefinement(_ scan: DCScan, of lowBit: UInt8?) -> Bool {
        lowBit == scan.approximationHigh && scan.approximationHigh == scan.approximationLow + 1
    }

    /// Whether some bits of all DC values have come.
    var hasDC: Bool { !lowBits.isEmpty && lowBits.allSatisfy { $0[0] != nil } }

    /// Whether the scans have brought what `detail` asks for.
    func has(_ detail: JPEGDetail) -> Bool {
        !lowBits.isEmpty
            && lowBits.allSatisfy { bits in
                bits[0] ?? .max <= detail.missingDCBitCount
                    && bits[1..<detail.coefficientCount].allSatisfy {
                        $0 ?? .max <= detail.missingACBitCount
                    }
            }
    }

    /// Whether nothing is missing.
    var isComplete: Bool { lowBits.allSatisfy { $0.allSatisfy { $0 == 0 } } }
}
