/// The frame header of a JPEG that `DCDecoder` supports.
struct JPEGFrame: Equatable {
    /// A component with its sampling factors and quantization table.
    struct Component: Equatable {
        let identifier: UInt8
        let horizontal: Int
        let vertical: Int
        let quantizer: Int

        /// Creates a component from its three bytes in the frame header.
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
    /// The largest horizontal and vertical sampling factors of the components.
    let horizontal: Int
    let vertical: Int

    /// Reads the body of an SOF0, SOF1 or SOF2 segment; returns nil if `DCDecoder` does not support
    /// it.
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

    /// Whether `DCDecoder` supports the size and the components.
    ///
    /// The frame must have pixels and one or three distinct components. Each component must have
    /// sampling factors of 1, 2 or 4, and one of the four quantization tables.
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

    /// The number of columns and rows of MCUs in a scan that contains all components.
    var mcuCount: (columns: Int, rows: Int) {
        (
            Self.blocks(size.width, factor: 1, largest: horizontal),
            Self.blocks(size.height, factor: 1, largest: vertical)
        )
    }

    /// Returns the number of columns and rows of blocks in a scan that contains only `component`.
    func blockCount(of component: Component) -> (columns: Int, rows: Int) {
        (
            Self.blocks(size.width, factor: component.horizontal, largest: horizontal),
            Self.blocks(size.height, factor: component.vertical, largest: vertical)
        )
    }

    private static func blocks(_ length: Int, factor: Int, largest: Int) -> Int {
        (length * factor + largest * 8 - 1) / (largest * 8)
    }
}

/// The header of a scan.
struct JPEGScan: Equatable {
    /// A component of the scan and its Huffman tables.
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

    /// Reads the body of an SOS segment; returns nil if the scan is invalid or does not match
    /// `frame`.
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

    /// Whether the range of coefficients in the scan is valid for a progressive file (T.81,
    /// G.1.1.1.1).
    ///
    /// The scan must contain either only DC values, or only other coefficients of a single
    /// component.
    private var isProgressive: Bool {
        spectralStart == 0
            ? spectralEnd == 0 : parts.count == 1 && spectralStart <= spectralEnd
    }

    private var isBaseline: Bool {
        spectralStart == 0 && spectralEnd == 63 && approximationHigh == 0 && approximationLow == 0
    }

    /// Whether the scan of a progressive file contains bits of DC values.
    var isOfDC: Bool { spectralStart == 0 && spectralEnd == 0 }

    /// Whether the scan adds one bit to values from earlier scans.
    var isRefinement: Bool { approximationHigh > 0 }
}
