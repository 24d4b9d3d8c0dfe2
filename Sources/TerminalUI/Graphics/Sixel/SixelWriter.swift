internal import Decoders

/// Writes sixel control strings.
///
///     ESC P 0;1 q " 1;1;width;height
///     # register ; 2 ; red ; green ; blue        percent, for each color
///     bands, with - between them                 lines of strokes, with $ between them
///     ESC \
///
/// A stroke selects its color and has one character for each column. The six bits of a character
/// specify which pixels to paint, and `!n` repeats the next character. Later lines paint over
/// earlier ones, so an earlier stroke may also paint pixels that a later line paints anyway. This
/// makes more characters equal, so they can be merged into runs.
struct SixelWriter {
    /// The longest run that every terminal accepts.
    private static let longestRun = 255
    private static let blank: UInt8 = 0x3F

    private let pixels: SixelPixels
    /// The register number of each palette color.
    private var registers = [Int](repeating: 0, count: 256)
    private var bytes: [UInt8] = []
    private var headByteCount = 0
    private var selected: UInt8?

    /// A complete sixel control string.
    struct Output {
        let bytes: [UInt8]
        /// The number of bytes before the first band, which does not increase with the size of the
        /// image.
        let headByteCount: Int
    }

    /// Returns the control string for `pixels`, which contains indices into `palette`.
    static func controlString(_ pixels: SixelPixels, palette: SixelPalette) -> Output {
        var writer = SixelWriter(pixels)
        writer.write(palette)
        return Output(bytes: writer.bytes, headByteCount: writer.headByteCount)
    }

    private init(_ pixels: SixelPixels) {
        self.pixels = pixels
        bytes.reserveCapacity(pixels.size.pixelCount + 4096)
    }

    private mutating func write(_ palette: SixelPalette) {
        let bands = pixels.indices.withUnsafeBufferPointer { indices in
            (0..<pixels.size.bandCount).map { band in
                SixelStrokes(
                    columns(of: band, in: indices),
                    rowCount: pixels.size.rowCount(ofBand: band)
                )
            }
        }
        bytes.append("\u{1B}P0;1q\"1;1;\(pixels.size.width);\(pixels.size.height)")
        define(palette, for: bands)
        headByteCount = bytes.count
        for (band, strokes) in bands.enumerated() {
            if band > 0 { bytes.append(UInt8(ascii: "-")) }
            write(strokes, ofBand: band)
        }
        bytes.append("\u{1B}\\")
    }

    private func columns(
        of band: Int,
        in indices: UnsafeBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8> {
        let count = pixels.size.width * SixelPixels.stride
        return UnsafeBufferPointer(rebasing: indices[(band * count)..<((band + 1) * count)])
    }

    /// Assigns register numbers to the colors that occur.
    ///
    /// Frequently selected colors get shorter numbers.
    private mutating func define(_ palette: SixelPalette, for bands: [SixelStrokes]) {
        var counts = [Int](repeating: 0, count: 256)
        for band in bands {
            for stroke in band.strokes { counts[Int(stroke.color)] += 1 }
        }
        let used = counts.indices.filter { counts[$0] > 0 }
            .sorted { (counts[$1], $0) < (counts[$0], $1) }
        for (register, color) in used.enumerated() {
            registers[color] = register
            let percents = palette.percents[color]
            bytes.append(UInt8(ascii: "#"))
            bytes.append(decimal: register)
            bytes.append(";2")
            for channel in 0..<3 {
                bytes.append(UInt8(ascii: ";"))
                bytes.append(decimal: Int(percents[channel]))
            }
        }
    }

    // MARK: - Bands

    private mutating func write(_ strokes: SixelStrokes, ofBand band: Int) {
        let all = UInt8(1 << pixels.size.rowCount(ofBand: band) - 1)
        // The pixels that have not received their final color yet; until then, they may be painted
        // in any color.
        var open = [UInt8](repeating: all, count: pixels.size.width)
        for (number, line) in strokes.lines().enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: "$")) }
            pixels.indices.withUnsafeBufferPointer { indices in
                let columns = columns(of: band, in: indices)
                open.withUnsafeMutableBufferPointer { open in
                    writeLine(line, columns: columns, all: all, open: open)
                }
            }
        }
    }

    /// Writes a line of strokes; each stroke extends to the start of the next one.
    ///
    /// In the columns between two strokes, the first stroke may paint pixels that later lines will
    /// paint over.
    private mutating func writeLine(
        _ line: [SixelStroke],
        columns: UnsafeBufferPointer<UInt8>,
        all: UInt8,
        open: UnsafeMutableBufferPointer<UInt8>
    ) {
        for (index, stroke) in line.enumerated() {
            select(stroke.color)
            let start = index == 0 ? 0 : stroke.start
            let end = index + 1 < line.count ? line[index + 1].start : stroke.end
            var run = Run()
            for x in start..<end {
                let isInside = x >= stroke.start && x < stroke.end
                let wanted = isInside ? Self.mask(of: stroke.color, at: x, in: columns) & all : 0
                if !run.extend(wanted: wanted, allowed: open[x]) {
                    write(run)
                    run = Run(wanted: wanted, allowed: open[x])
                }
                open[x] &= ~wanted
            }
            write(run)
        }
    }

    private mutating func select(_ color: UInt8) {
        guard color != selected else { return }
        selected = color
        bytes.append(UInt8(ascii: "#"))
        bytes.append(decimal: registers[Int(color)])
    }

    /// Returns a mask of the pixels with `color` in a column.
    @inline(__always)
    private static func mask(
        of color: UInt8,
        at x: Int,
        in columns: UnsafeBufferPointer<UInt8>
    ) -> UInt8 {
        let column = x * SixelPixels.stride
        var mask: UInt8 = 0
        for row in 0..<6 where columns[column + row] == color { mask |= 1 << UInt8(row) }
        return mask
    }

    /// A run of columns that can be represented by a single character.
    ///
    /// The character paints all pixels that any column needs, and no pixels that any column
    /// disallows.
    private struct Run {
        private(set) var count = 0
        private(set) var mask: UInt8 = 0
        private var allowed: UInt8 = 0x3F

        init() {}

        init(wanted: UInt8, allowed: UInt8) {
            (count, mask, self.allowed) = (1, wanted, allowed)
        }

        /// Adds a column, and returns false if it does not fit in the run.
        @inline(__always)
        mutating func extend(wanted: UInt8, allowed: UInt8) -> Bool {
            let (mask, all) = (self.mask | wanted, self.allowed & allowed)
            guard mask & ~all == 0, count < SixelWriter.longestRun else { return false }
            (self.mask, self.allowed) = (mask, all)
            count += 1
            return true
        }
    }

    private mutating func write(_ run: Run) {
        let character = Self.blank + run.mask
        if run.count > 3 {
            bytes.append(UInt8(ascii: "!"))
            bytes.append(decimal: run.count)
            bytes.append(character)
        } else {
            for _ in 0..<run.count { bytes.append(character) }
        }
    }
}
