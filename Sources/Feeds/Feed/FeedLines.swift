internal import SystemSupport

/// The bytes of a plain-text feed, and the start of each line that contains an item.
///
/// Lines are not parsed here, so 100,000 lines need only their bytes and 4 more bytes per line. If
/// entries end with a NUL byte, all bytes before it belong to the entry.
package struct FeedLines: Sendable {
    private let bytes: [UInt8]
    private let starts: [UInt32]
    /// Whether entries end with a NUL byte.
    package let areWhole: Bool

    /// Creates the list of lines that are neither blank nor comments.
    ///
    /// `bytes` must not be larger than 4 GiB.
    package init(_ bytes: [UInt8], endingWithZero areWhole: Bool = false) {
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

    package var count: Int { starts.count }

    /// Calls `body` with all bytes, including those between the lines.
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        bytes.withUnsafeBufferPointer(body)
    }

    /// Returns the position at which a line starts.
    package func start(of line: Int) -> Int { Int(starts[line]) }

    /// Returns the position at which a line ends, without trailing white space.
    package func end(of line: Int, in buffer: UnsafeBufferPointer<UInt8>) -> Int {
        let start = Int(starts[line])
        guard !areWhole else { return buffer.place(of: 0, from: start) }
        var end = Self.lineEnd(buffer, from: start)
        while end > start, Self.isBlank(buffer[end - 1]) { end -= 1 }
        return end
    }

    /// Returns the index of the last line that starts at or before a position, starting the search
    /// at line `first`.
    package func record(at place: Int, from first: Int) -> Int {
        Self.last(of: starts, notBehind: place, from: first)
    }

    /// Returns the index of the last element of `starts` at or before a position.
    ///
    /// The search starts at the index `first`.
    package static func last(of starts: [UInt32], notBehind place: Int, from first: Int) -> Int {
        var (low, step) = (first, 1)
        // Most results are near the first index.
        while low + step < starts.count, Int(starts[low + step]) <= place {
            low += step
            step *= 2
        }
        let rest = starts[low..<min(low + step, starts.count)]
        return rest.partitioningIndex { Int($0) > place } - 1
    }

    /// Returns a line without surrounding white space.
    package subscript(index: Int) -> ArraySlice<UInt8> {
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

    /// Returns the position at which the line that contains `start` ends.
    package static func lineEnd(_ buffer: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        buffer.place(of: 0x0A, from: start)
    }
}
