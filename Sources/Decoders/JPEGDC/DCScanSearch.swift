internal import Glibc

/// Finds where coded data end.
enum DCScanSearch {
    /// Where the first marker at or behind `offset` stands that is neither a stuffed 0xFF nor a
    /// restart; nil if there is none.
    static func end(of file: [UInt8], from offset: Int) -> Int? {
        file.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return nil }
            var offset = offset
            while offset < bytes.count,
                let found = memchr(start + offset, 0xFF, bytes.count - offset)
            {
                let place = UnsafeRawPointer(found) - UnsafeRawPointer(start)
                guard place + 1 < bytes.count else { return nil }
                let marker = bytes[place + 1]
                guard marker == 0 || (0xD0...0xD7).contains(marker) else { return place }
                offset = place + 2
            }
            return nil
        }
    }
}
