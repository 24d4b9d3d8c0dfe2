import ImageLoading

/// Extracts the content of one member from the received bytes of a remote archive.
struct MemberExtractor: ImageDataExtractor {
    private enum Phase {
        /// The local header is being received.
        case header([UInt8])
        case stored
        case deflated(ContentDecoder)
    }

    private let place: ArchivedFile.Place
    private var phase: Phase
    /// The number of bytes of the member that have not been received yet.
    private var missing: Int
    private var checksum = ZipChecksum()

    init(place: ArchivedFile.Place, byteCount: Int) {
        self.place = place
        missing = byteCount
        phase = if case .plain = place { .stored } else { .header([]) }
    }

    mutating func extract(from bytes: [UInt8]) throws(ImageLoadingError) -> [UInt8] {
        switch phase {
        case .header(let before): try extract(fromHeader: before + bytes)
        case .stored: counted(Array(bytes.prefix(missing)))
        case .deflated(let decoder): counted(try inflated(bytes, decoder))
        }
    }

    /// Skips the local header, which may be longer than the archive's directory indicates.
    private mutating func extract(
        fromHeader bytes: [UInt8]
    ) throws(ImageLoadingError) -> [UInt8] {
        guard bytes.count >= ZipLocalHeader.byteCount else {
            phase = .header(bytes)
            return []
        }
        let isDeflated = if case .zip(_, .some, _) = place { true } else { false }
        guard let local = ZipLocalHeader(bytes), local.isDeflated == isDeflated,
            !local.isEncrypted
        else { throw .download(.dataSource(ArchivedFile.mismatch)) }
        guard bytes.count >= local.wholeByteCount else {
            phase = .header(bytes)
            return []
        }
        phase = isDeflated ? .deflated(ContentDecoder()) : .stored
        return try extract(from: Array(bytes.dropFirst(local.wholeByteCount)))
    }

    /// Decompresses received bytes of the member; any bytes of the next member are ignored.
    private func inflated(
        _ bytes: [UInt8],
        _ decoder: ContentDecoder
    ) throws(ImageLoadingError) -> [UInt8] {
        guard !decoder.isAtEnd else { return [] }
        var made: [UInt8] = []
        let outcome = bytes.withUnsafeBytes { packed in
            decoder.decode(packed) { piece in
                guard made.count + piece.count <= missing else { return false }
                made.append(contentsOf: piece)
                return true
            }
        }
        guard outcome == .wantsMore else { throw .download(.dataSource(ArchivedFile.damage)) }
        return made
    }

    private mutating func counted(_ own: [UInt8]) -> [UInt8] {
        missing -= own.count
        checksum.add(own)
        return own
    }

    func finish() throws(ImageLoadingError) {
        if case .zip(_, _, let crc32?) = place, crc32 != checksum.value {
            throw .download(.dataSource(ZipChecksum.mismatch))
        }
    }
}
