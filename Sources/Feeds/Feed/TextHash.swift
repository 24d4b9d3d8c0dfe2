/// The FNV-1a hash, which is fast and the same in every run.
///
/// The algorithm must never change, because some hashes are stored on disk.
package enum TextHash {
    package static func of(_ text: String) -> UInt64 { of(bytes: text.utf8) }

    package static func of(bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
