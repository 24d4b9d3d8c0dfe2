internal import Glibc

/// Short texts, each with the number of those that were there before it; found again by their bytes.
///
/// For the few hosts of a million addresses.
struct NumberedTexts {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    /// One more than the number of the text whose hash leads here, or to a slot before that is taken.
    ///
    /// 0 where there is none. As many as a power of two, of which at most half are taken.
    private var slots: [UInt32] = Array(repeating: 0, count: 64)
    /// One more than the number of the text that was asked for last, of those alike in some bytes; 0 for
    /// none.
    ///
    /// Hosts take turns in a list, and to hash each took half of the time.
    private var recent: [UInt32] = Array(repeating: 0, count: 256)

    /// The number of a text; nil if it isn't there.
    mutating func number(of text: UnsafeBufferPointer<UInt8>) -> Int? {
        let place = Self.recentPlace(of: text)
        if let known = recent[place].number, isText(known, text) { return known }
        guard let known = slots[slot(of: text)].number else { return nil }
        recent[place] = UInt32(known + 1)
        return known
    }

    /// Of the first and the last eight bytes, by a multiplication (Knuth, TAOCP 3, section 6.4).
    ///
    /// Texts that are made to have the same are told apart by their hashes, as all are that were not
    /// asked for lately.
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

    /// Adds a text that isn't there.
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

    /// The slot that a text is in, or the free one for it.
    private func slot(of text: UnsafeBufferPointer<UInt8>) -> Int {
        // The one of the standard library begins with a secret: nobody can make a list whose hosts are
        // all in one slot.
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
    /// The number in a slot.
    fileprivate var number: Int? { self == 0 ? nil : Int(self) - 1 }
}
