/// What a JPEG's frame header says, for the kinds of file the DC path takes.
struct JPEGFrame: Equatable {
    /// One component: how often it is sampled, and with what it was quantised.
    struct Component: Equatable {
        let identifier: UInt8
        let horizontal: Int
        let vertical: Int
        let quantizer: Int

        /// Reads the three bytes of the frame header.
        fileprivate init(_ bytes: ArraySlice<UInt8>) {
            identifier = bytes[bytes.startIndex]
            horizontal = Int(bytes[bytes.startIndex + 1] >> 4)
            vertical = Int(bytes[bytes.startIndex + 1] & 15)
            quantizer = Int(bytes[bytes.startIndex + 2])
        }
    }

    let isProgressive: Bool
    let size: PixelSize
    let components: [Component]
    /// The largest sampling factors.
    let horizontal: Int
    let vertical: Int

    /// Reads the body of SOF0, SOF1 or SOF2; nil for all that is unusual.
    init?(marker: UInt8, body bytes: [UInt8]) {
        guard bytes.count >= 6, bytes[0] == 8, bytes.count == 6 + 3 * Int(bytes[5]) else {
            return nil
        }
        isProgressive = marker == 0xC2
        size = PixelSize(
            width: Int(bytes[3]) << 8 | Int(bytes[4]),
            height: Int(bytes[1]) << 8 | Int(bytes[2])
        )
        let starts = stride(from: 6, to: bytes.count, by: 3)
        components = starts.map { Component(bytes[$0..<$0 + 3]) }
        horizontal = components.map(\.horizontal).max() ?? 0
        vertical = components.map(\.vertical).max() ?? 0
        guard isUsual else { return nil }
    }

    /// Grey or three components, sampled 1, 2 or 4 times, each told from the others.
    private var isUsual: Bool {
        guard !size.isEmpty, components.count == 1 || components.count == 3,
            Set(components.map(\.identifier)).count == components.count
        else { return false }
        let factors: Set = [1, 2, 4]
        return components.allSatisfy { component in
            factors.contains(component.horizontal) && factors.contains(component.vertical)
                && component.quantizer < 4
        }
    }

    /// Columns and rows of MCUs of a scan of all components.
    var mcuCount: (columns: Int, rows: Int) {
        (Self.blocks(size.width, 1, horizontal), Self.blocks(size.height, 1, vertical))
    }

    /// Columns and rows of blocks that a scan of this component alone holds.
    func blockCount(of component: Component) -> (columns: Int, rows: Int) {
        (
            Self.blocks(size.width, component.horizontal, horizontal),
            Self.blocks(size.height, component.vertical, vertical)
        )
    }

    private static func blocks(_ length: Int, _ factor: Int, _ largest: Int) -> Int {
        (length * factor + largest * 8 - 1) / (largest * 8)
    }
}

/// What the header of a scan says.
struct JPEGScan: Equatable {
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
    init?(body bytes: [UInt8], frame: JPEGFrame) {
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

    /// Whether a progressive file's scan brings bits of DC values.
    var isOfDC: Bool { spectralStart == 0 && spectralEnd == 0 }

    /// Whether it brings one more bit of values that have come.
    var isRefinement: Bool { approximationHigh > 0 }
}
