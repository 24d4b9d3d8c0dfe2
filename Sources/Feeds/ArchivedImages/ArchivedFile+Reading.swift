internal import CZlib
internal import Glibc
package import ImageLoading
internal import SystemSupport

/// Methods that read members of local archives.
///
/// The methods block, so they must be called on the threads of the image loading engine.
extension ArchivedFile: LocalImageData {
    /// The archive file and the location of the member in it.
    ///
    /// Nil for an unpacked archive, because its file exists only while this process runs.
    package var container: ImageContainer? {
        placeText.map { ImageContainer(path: path, member: $0) }
    }

    /// Returns the complete content of the member.
    ///
    /// Throws an error if the declared length of the content or of the compressed content exceeds
    /// `maximumByteCount`. Never uses more memory than the declared lengths, even if the archive is
    /// damaged.
    package func bytes(maximumByteCount: Int) throws(ImageLoadingError) -> [UInt8] {
        guard byteCount <= maximumByteCount else { throw .tooLarge(maximumByteCount) }
        return try withArchive { file throws(ImageLoadingError) in
            switch place {
            case .plain(let offset):
                return try Self.read(file, at: offset, count: byteCount)
            case .zip(let header, let packed, let crc32):
                let count = packed ?? byteCount
                guard count <= maximumByteCount else { throw .tooLarge(maximumByteCount) }
                let offset = try dataOffset(file, header: header)
                let bytes = try Self.read(file, at: offset, count: count)
                let content = packed == nil ? bytes : try inflated(bytes)
                guard crc32 == nil || ZipChecksum(of: content).value == crc32 else {
                    throw .damaged(ZipChecksum.mismatch)
                }
                return content
            }
        }
    }

    /// Returns the first `count` bytes of a member, or nil if the member is compressed, has at most
    /// `count` bytes or cannot be read.
    package func prefix(byteCount count: Int) -> [UInt8]? {
        guard byteCount > count else { return nil }
        return try? withArchive { file throws(ImageLoadingError) -> [UInt8]? in
            switch place {
            case .plain(let offset): return try Self.read(file, at: offset, count: count)
            case .zip(let header, nil, _):
                return try Self.read(file, at: dataOffset(file, header: header), count: count)
            case .zip: return nil
            }
        }
    }

    private func withArchive<Result>(
        _ body: (Int32) throws(ImageLoadingError) -> Result
    ) throws(ImageLoadingError) -> Result {
        let outcome: Swift.Result<Result, ImageLoadingError>
        do throws(FileReading.Problem) {
            outcome = try FileReading.withFile(at: path, followsLinks: true) {
                file,
                _ throws(FileReading.Problem) in
                var status = stat()
                guard fstat(file, &status) == 0, stamp.holds(of: status) else {
                    return .failure(.damaged("the archive has changed; open it again"))
                }
                return Swift.Result { () throws(ImageLoadingError) in try body(file) }
            }
        } catch {
            throw ImageLoadingError(error, maximumByteCount: .max)
        }
        return try outcome.get()
    }

    private static func read(
        _ file: Int32,
        at offset: Int,
        count: Int
    ) throws(ImageLoadingError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(FileReading.Problem) {
            bytes = try FileReading.read(file, at: offset, count: count)
        } catch {
            throw ImageLoadingError(error, maximumByteCount: .max)
        }
        guard bytes.count == count else { throw .damaged(cut) }
        return bytes
    }

    private static let cut = "the archive ends before the end of this file"
    static let damage =
        "the file in the archive is damaged or has another length than its directory entry"
    static let mismatch = "the archive does not match its directory"

    /// Returns the offset of the member's data in the archive.
    ///
    /// The data follows the local header, which may be longer than the archive's directory
    /// indicates.
    private func dataOffset(_ file: Int32, header: Int) throws(ImageLoadingError) -> Int {
        let fields = try Self.read(file, at: header, count: ZipLocalHeader.byteCount)
        guard let local = ZipLocalHeader(fields), local.isDeflated == isDeflated else {
            throw .damaged(Self.mismatch)
        }
        guard !local.isEncrypted else { throw .damaged("encrypted") }
        return header + local.wholeByteCount
    }

    private var isDeflated: Bool {
        if case .zip(_, .some, _) = place { true } else { false }
    }

    private func inflated(_ packed: [UInt8]) throws(ImageLoadingError) -> [UInt8] {
        let decoder = ContentDecoder()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        let outcome = packed.withUnsafeBytes { packed in
            decoder.decode(packed) { piece in
                guard bytes.count + piece.count <= byteCount else { return false }
                bytes.append(contentsOf: piece)
                return true
            }
        }
        guard outcome == .wantsMore, decoder.isAtEnd, bytes.count == byteCount else {
            throw .damaged(Self.damage)
        }
        return bytes
    }
}

extension ImageLoadingError {
    /// Returns the error for a member that cannot be read because its archive is damaged.
    fileprivate static func damaged(_ text: String) -> ImageLoadingError {
        ImageLoadingError(stage: .cache, kind: .permanent, reason: .unreadableFile(text))
    }

    fileprivate static func tooLarge(_ limit: Int) -> ImageLoadingError {
        ImageLoadingError(stage: .cache, kind: .permanent, reason: .tooLarge(limit: limit))
    }
}

/// The CRC-32 of a file in a zip archive (APPNOTE 4.4.7), computed incrementally.
struct ZipChecksum {
    static let mismatch = "the file in the archive is damaged: its checksum is wrong"

    private(set) var value: UInt32 = 0

    init(of bytes: [UInt8] = []) {
        add(bytes)
    }

    mutating func add(_ bytes: [UInt8]) {
        value = bytes.withUnsafeBufferPointer { buffer in
            UInt32(truncatingIfNeeded: crc32_z(UInt(value), buffer.baseAddress, buffer.count))
        }
    }
}

/// The local header of a member in a zip archive.
struct ZipLocalHeader {
    /// The length of a header in bytes, without the name and the extra field.
    static let byteCount = 30
    let isEncrypted: Bool
    let isDeflated: Bool
    /// The length of this header in bytes, including the name and the extra field.
    let wholeByteCount: Int

    /// Parses a local header.
    ///
    /// Returns nil if the bytes are not a local header or if the compression method is not
    /// supported.
    init?(_ bytes: [UInt8]) {
        func number(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }
        guard bytes.count >= Self.byteCount, bytes.starts(with: [0x50, 0x4B, 3, 4]),
            [0, 8].contains(number(8))
        else { return nil }
        isEncrypted = number(6) & 0x41 != 0
        isDeflated = number(8) == 8
        wholeByteCount = Self.byteCount + number(26) + number(28)
    }
}
