/// The natural order of file names: "picture 9.jpg" before "picture 10.jpg", ignoring case.
package enum NaturalOrder {
    /// Returns the names in natural order.
    ///
    /// Names that differ only in case are compared as strings.
    package static func sorted(_ names: [String]) -> [String] {
        indices(of: names) { names[$0] < names[$1] }.map { names[$0] }
    }

    /// Returns the indices of the names in natural order.
    ///
    /// `areInOrder` compares the indices of names that differ only in case; by default, such names
    /// keep their order. Each key is created only once. If two keys were created for each
    /// comparison, sorting 100,000 names would take 1.6 s.
    package static func indices(
        of names: [String],
        ties areInOrder: (Int, Int) -> Bool = { $0 < $1 }
    ) -> [Int] {
        let keys = names.map(key(of:))
        return keys.indices.sorted { left, right in
            keys[left] == keys[right]
                ? areInOrder(left, right) : keys[left].lexicographicallyPrecedes(keys[right])
        }
    }

    /// Returns bytes that sort in the same order as the names.
    ///
    /// A run of digits is represented by its length and the digits. Without leading zeros, a longer
    /// number is larger. If two numbers differ only in leading zeros, the number with more zeros is
    /// sorted later. If a name is a prefix of another name, it is sorted first.
    private static func key(of name: String) -> [UInt8] {
        var key: [UInt8] = []
        append(name, to: &key)
        return key
    }

    package static func append(_ name: String, to key: inout [UInt8]) {
        var name = name.lowercased()
        name.withUTF8 { bytes in
            var index = 0
            while index < bytes.count {
                guard isDigit(bytes[index]) else {
                    key.append(bytes[index])
                    index += 1
                    continue
                }
                key.append(index == 0 ? 0x30 : 0x01)
                var end = index
                while end < bytes.count, isDigit(bytes[end]) { end += 1 }
                var start = index
                while start < end, bytes[start] == 0x30 { start += 1 }
                // Numbers of 255 or more digits are compared by their digits only.
                key.append(UInt8(clamping: end - start))
                key += bytes[start..<end]
                key.append(UInt8(clamping: start - index))
                index = end
            }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
