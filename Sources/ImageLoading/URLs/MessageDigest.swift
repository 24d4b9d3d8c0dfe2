internal import COpenSSL

/// A 16-byte digest of a string.
struct MessageDigest: Hashable, Sendable {
    /// The first eight bytes, in big-endian order.
    let high: UInt64
    /// The last eight bytes, in big-endian order.
    let low: UInt64

    /// The digest as 32 lowercase hexadecimal digits.
    var hexadecimal: String {
        String(unsafeUninitializedCapacity: 32) { buffer in
            Self.write(high, to: buffer, at: 0)
            Self.write(low, to: buffer, at: 16)
            return 32
        }
    }

    /// Returns the MD5 digest (RFC 1321) of the text in UTF-8.
    ///
    /// MD5 is used only for names and keys. It does not protect against attacks, because different
    /// texts with the same digest can be created.
    static func md5(_ text: String) -> MessageDigest {
        digest(of: text) { $0.md5 ?? $0.sha256 }
    }

    /// Returns the first half of the SHA-256 digest (FIPS 180-4) of the text in UTF-8.
    static func sha256(_ text: String) -> MessageDigest {
        digest(of: text, by: \.sha256)
    }

    // MARK: The library

    /// The libcrypto library, which is loaded when the first digest is computed.
    struct Library {
        fileprivate let functions: copenssl_library
        /// The MD5 algorithm; nil in FIPS mode.
        ///
        /// In FIPS mode, the first half of SHA-256 is used for file names instead.
        fileprivate let md5: OpaquePointer?
        fileprivate let sha256: OpaquePointer

        /// Loads the first installed library; returns nil if no library is installed or SHA-256 is
        /// missing.
        init?(named names: [String] = ["libcrypto.so.3", "libcrypto.so.1.1"]) {
            let functions = UnsafeMutablePointer<copenssl_library>.allocate(capacity: 1)
            defer { functions.deallocate() }
            guard names.contains(where: { copenssl_load(functions, $0) }),
                let sha256 = copenssl_algorithm(functions, "SHA256")
            else { return nil }
            self.functions = functions.pointee
            md5 = copenssl_algorithm(functions, "MD5")
            self.sha256 = sha256
        }
    }

    /// Throws if digests cannot be computed; call this method before using a digest as a name.
    static func requireLibrary() throws(ImageLoadingError) {
        try require(library)
    }

    static func require(_ library: Library?) throws(ImageLoadingError) {
        guard let failure = missing(library) else { return }
        throw ImageLoadingError(stage: .request, kind: .permanent, reason: .transport(failure))
    }

    /// Returns the error to report if libcrypto is missing; nil if it is installed.
    static func missingLibrary() -> TransferFailure? { missing(library) }

    private static func missing(_ library: Library?) -> TransferFailure? {
        guard library == nil else { return nil }
        let text = TransferFailure.missing("libcrypto", debian: "libssl3", fedora: "openssl-libs")
        return TransferFailure(.missingLibrary, text: text)
    }

    // Proof for nonisolated(unsafe): the constant is never written after its one-time
    // initialization, and OpenSSL allows several threads to use a fetched EVP_MD at the same time.
    // The algorithms are fetched once, because fetching them again for each digest more than
    // doubles its cost (1.4 instead of 0.6 µs).
    nonisolated(unsafe) private static let library = Library()

    /// Returns the digest of `text`; all bytes are zero if the library is missing.
    ///
    /// Without the library, all loads fail before they need a digest. A program that computes file
    /// names itself finds no files, because each entry on disk identifies its URL.
    private static func digest(
        of text: String,
        by algorithm: (Library) -> OpaquePointer
    ) -> MessageDigest {
        guard let library else { return MessageDigest(high: 0, low: 0) }
        var text = text
        let bytes = text.withUTF8 { buffer in
            var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
            let digest = library.functions.digest
            let type = algorithm(library)
            let status = digest(buffer.baseAddress, buffer.count, &bytes, nil, type, nil)
            precondition(status == 1, "a digest that OpenSSL has fetched can be made")
            return bytes
        }
        return MessageDigest(high: bigEndian(bytes[0..<8]), low: bigEndian(bytes[8..<16]))
    }

    /// Returns the SHA-256 digest of bytes as 64 lowercase hexadecimal digits.
    ///
    /// Returns nil if the library is missing.
    static func sha256(of bytes: [UInt8]) -> String? {
        guard let library else { return nil }
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        let status = bytes.withUnsafeBytes { bytes in
            library.functions.digest(
                bytes.baseAddress,
                bytes.count,
                &digest,
                nil,
                library.sha256,
                nil
            )
        }
        guard status == 1 else { return nil }
        return stride(from: 0, to: 32, by: 8)
            .map { hexadecimal(bigEndian(digest[$0..<$0 + 8])) }
            .joined()
    }

    private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func hexadecimal(_ half: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { buffer in
            write(half, to: buffer, at: 0)
            return 16
        }
    }

    /// Writes one half of a digest as 16 hexadecimal digits.
    private static func write(
        _ half: UInt64,
        to buffer: UnsafeMutableBufferPointer<UInt8>,
        at place: Int
    ) {
        for index in 0..<16 {
            let nibble = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * index)) & 15
            buffer[place + index] = nibble < 10 ? 0x30 + nibble : 0x57 + nibble
        }
    }
}

/// Computes names for bodies from their content.
package enum BodyDigest {
    /// Returns the SHA-256 digest of a body as 64 lowercase hexadecimal digits.
    ///
    /// Returns nil if libcrypto is not installed.
    package static func sha256(_ bytes: [UInt8]) -> String? { MessageDigest.sha256(of: bytes) }
}
