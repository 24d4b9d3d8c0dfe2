internal import FeedDocuments

/// The lines of a plain text feed that hold an item: the bytes and where each line begins.
///
/// Nothing is parsed here, so that 100,000 lines cost their bytes and four more a line. Where a zero ends
/// each entry, all bytes before it are the entry.
struct FeedLines: Sendable {
    private let bytes: [UInt8]
    private let starts: [UInt32]
    /// Whether entries end with a zero.
    let areWhole: Bool

    /// Finds the lines; blank ones and comments are left out.
    ///
    /// At most 4 GiB.
    init(_ bytes: [UInt8], endingWithZero areWhole: Bool = false) {
        self.bytes = bytes
        self.areWhole = areWhole
        var starts: [UInt32] = []
        bytes.withUnsafeBufferPointer { buffer in
            guard !areWhole else {
                var start = 0
                while start < buffer.count {
                    let end = buffer.place(of: 0, from: start)
                    if start < end { starts.append(UInt32(truncatingIfNeeded: start)) }
                    start = end + 1
                }
                return
            }
            var index = FeedFormat.markByteCount(of: buffer)
            while index < buffer.count {
                let start = Self.skipBlanks(buffer, from: index)
                let end = Self.lineEnd(buffer, from: start)
                if start < end, buffer[start] != UInt8(ascii: "#") {
                    starts.append(UInt32(truncatingIfNeeded: start))
                }
                index = end + 1
            }
        }
        self.starts = starts
    }

    var count: Int { starts.count }

    /// All bytes, those between the lines included.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        bytes.withUnsafeBufferPointer(body)
    }

    /// Where a line begins.
    func start(of line: Int) -> Int { Int(starts[line]) }

    /// Where a line ends, with the white space at its end left out.
    func end(of line: Int, in buffer: UnsafeBufferPointer<UInt8>) -> Int {
        let start = Int(starts[line])
        guard !areWhole else { return buffer.place(of: 0, from: start) }
        var end = Self.lineEnd(buffer, from: start)
        while end > start, Self.isBlank(buffer[end - 1]) { end -= 1 }
        return end
    }

    /// The last line that begins at a place of the bytes or before it; `first` does.
    func record(at place: Int, from first: Int) -> Int {
        Self.last(of: starts, notBehind: place, from: first)
    }

    /// The last of some places that is not behind another; that at `first` is not.
    static func last(of starts: [UInt32], notBehind place: Int, from first: Int) -> Int {
        var (low, step) = (first, 1)
        // Most are near.
        while low + step < starts.count, Int(starts[low + step]) <= place {
            low += step
            step *= 2
        }
        let rest = starts[low..<min(low + step, starts.count)]
        return rest.partitioningIndex { Int($0) > place } - 1
    }

    /// A line without the white space around it.
    subscript(index: Int) -> ArraySlice<UInt8> {
        bytes[Int(starts[index])..<bytes.withUnsafeBufferPointer { end(of: index, in: $0) }]
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D
    }

    private static func skipBlanks(_ buffer: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index < buffer.count, isBlank(buffer[index]) { index += 1 }
        return index
    }

    /// The end of the line that a place is in.
    static func lineEnd(_ buffer: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        buffer.place(of: 0x0A, from: start)
    }
}
