internal import Glibc

/// A table of short, distinct strings, numbered in insertion order.
///
/// The table is suitable for strings such as the hosts of a feed, because a million URLs contain
/// few distinct hosts.
struct NumberedTexts {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    /// An open-addressing hash table of string numbers.
    ///
    /// A slot contains the number of a string plus one, or 0 if it is free. The number of slots is
    /// a power of two, and at most half of the slots are used.
    private var slots: [UInt32] = Array(repeating: 0, count: 64)
    /// A cache that maps recently used strings to their numbers, indexed by a hash of some bytes.
    ///
    /// An entry is the number of the string plus one, or 0 if the entry is empty. The cache is
    /// needed because the hosts in a list alternate. Without the cache, hashing complete hosts took
    /// half of the time.
    private var recent: [UInt32] = Array(repeating: 0, count: 256)

    /// Returns the number of a string, or nil if the string is not in the table.
    mutating func number(of text: UnsafeBufferPointer<UInt8>) -> Int? {
        let place = Self.recentPlace(of: text)
        if let known = recent[place].number, isText(known, text) { return known }
        guard let known = slots[slot(of: text)].number else { return nil }
        recent[place] = UInt32(known + 1)
        return known
    }

    /// Returns the cache index of a string.
    ///
    /// The index is a multiplicative hash of the first and last 8 bytes (Knuth, TAOCP 3, section
    /// 6.4). An attacker can construct strings with the same index. Such strings are looked up by
    /// their full hashes, like all strings that are not in the cache.
    private static func recentPlace(of text: UnsafeBufferPointer<UInt8>) -> Int {
        let bytes = UnsafeRawBufferPointer(text)
        var key = UInt64(truncatingIfNeeded: bytes.count)
        if bytes.count >= 8 {
            key ^= bytes.loadUnaligned(as: UInt64.self)
            key = key &* 0x9E37_79B9_7F4A_7C15
            key ^= bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        } else {
            for byte in bytes { key = key << 8 | UInt64(byte) }
        }
        return Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }

    /// Adds a string that is not in the table.
    mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        if (ends.count + 1) * 2 > slots.count { grow() }
        slots[slot(of: text)] = UInt32(ends.count + 1)
        bytes += text
        ends.append(bytes.count)
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        bytes.withUnsafeBufferPointer { bytes in
            for number in ends.indices {
                let text = UnsafeBufferPointer(rebasing: bytes[range(of: number)])
                slots[slot(of: text)] = UInt32(number + 1)
            }
        }
    }

    /// Returns the slot that contains a string, or the free slot in which it can be stored.
    private func slot(of text: UnsafeBufferPointer<UInt8>) -> Int {
        // `Hasher` uses a random seed, so an attacker cannot create a list whose hosts all collide.
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(text))
        var slot = hasher.finalize() & (slots.count - 1)
        while let number = slots[slot].number, !isText(number, text) {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private func range(of number: Int) -> Range<Int> {
        (number == 0 ? 0 : ends[number - 1])..<ends[number]
    }

    private func isText(_ number: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let range = range(of: number)
        guard range.count == text.count, let other = text.baseAddress else { return range.isEmpty }
        return bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return false }
            return memcmp(base + range.lowerBound, other, range.count) == 0
        }
    }
}

extension UInt32 {
    /// The string number that is stored in the slot, or nil if the slot is free.
    fileprivate var number: Int? { self == 0 ? nil : Int(self) - 1 }
}
