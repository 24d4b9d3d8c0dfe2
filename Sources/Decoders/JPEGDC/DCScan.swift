/// What the header of a scan says.
struct DCScan: Equatable {
    /// A component of the scan and the tables it is coded with.
    struct Part: Equatable {
        /// The index of the component in the frame.
        let component: Int
        let dcTable: Int
        let acTable: Int
    }

    let parts: [Part]
    let spectralStart: UInt8
    let spectralEnd: UInt8
    let approximationHigh: UInt8
    let approximationLow: UInt8

    /// Reads the body of SOS; nil if it does not fit `frame`.
    init?(body: ArraySlice<UInt8>, frame: DCFrame) {
        let bytes = Array(body)
        guard let count = bytes.first.map(Int.init), (1...3).contains(count),
            bytes.count == 4 + 2 * count
        else { return nil }
        var parts: [Part] = []
        for start in stride(from: 1, to: 1 + 2 * count, by: 2) {
            let component = frame.components.firstIndex { $0.identifier == bytes[start] }
            guard let component, parts.last.map({ $0.component < component }) ?? true,
                bytes[start + 1] & 0xCC == 0
            else { return nil }
            parts.append(
                Part(
                    component: component,
                    dcTable: Int(bytes[start + 1] >> 4),
                    acTable: Int(bytes[start + 1] & 15)
                )
            )
        }
        self.parts = parts
        let last = Array(bytes.suffix(3))
        (spectralStart, spectralEnd) = (last[0], last[1])
        (approximationHigh, approximationLow) = (last[2] >> 4, last[2] & 15)
        guard frame.isProgressive ? isProgressive : isBaseline else { return nil }
    }

    /// DC values stand apart from all others, and those of one component from another's (T.81,
    /// G.1.1.1.1).
    private var isProgressive: Bool {
        spectralStart == 0
            ? spectralEnd == 0 : parts.count == 1 && spectralStart <= spectralEnd
    }

    private var isBaseline: Bool {
        spectralStart == 0 && spectralEnd == 63 && approximationHigh == 0 && approximationLow == 0
    }

    /// Whether a progressive file's scan is the first with the DC values of its components.
    var isFirstOfDC: Bool { spectralStart == 0 && spectralEnd == 0 && approximationHigh == 0 }
}
