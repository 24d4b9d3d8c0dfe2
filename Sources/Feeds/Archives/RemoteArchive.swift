package import ImageLoading

/// A remote archive that is requested in parts.
///
/// This class requests the directory, and the image loading engine requests the images. The methods
/// block. Don't call them on the cooperative thread pool.
package final class RemoteArchive: ArchiveSource, Sendable {
    package let url: String
    private let name: String
    private let network: NetworkReader
    private let isZip: Bool
    /// The part that was received first.
    private let first: NetworkReader.Part
    private let firstOffset: Int
    /// The total size of the archive in bytes.
    package let byteCount: Int

    /// The result of requesting the first part.
    package enum Opening {
        case archive(RemoteArchive)
        /// The server doesn't support range requests and sent the whole archive.
        case whole([UInt8], isFromPrivateAddress: Bool)
    }

    /// The size of the first part in bytes.
    ///
    /// The part is large enough for the directory of a few hundred files, or for the first headers
    /// of a tar archive and the bytes between them.
    private static let firstByteCount = 64 << 10

    /// The error text for an archive that changed while its directory was being read.
    static let change = "the archive has changed on its server; open it again"

    /// Opens a remote archive by requesting the end of a zip archive or the start of a tar archive.
    ///
    /// The suffix of `url` determines the format.
    package static func open(
        _ url: String,
        name: String,
        _ network: NetworkReader
    ) -> Result<Opening, ImageLoadingError> {
        let isZip = ArchiveFormat.isZip(named: url)
        let range = isZip ? "bytes=-\(firstByteCount + 1024)" : "bytes=0-\(firstByteCount - 1)"
        return part(of: url, range: range, validator: nil, network).map { part in
            guard let offset = part.offset, let byteCount = part.totalByteCount else {
                return .whole(part.bytes, isFromPrivateAddress: part.isFromPrivateAddress)
            }
            return .archive(
                RemoteArchive(
                    url,
                    name: name,
                    network: network,
                    isZip: isZip,
                    first: part,
                    offset: offset,
                    byteCount: byteCount
                )
            )
        }
    }

    private init(
        _ url: String,
        name: String,
        network: NetworkReader,
        isZip: Bool,
        first: NetworkReader.Part,
        offset: Int,
        byteCount: Int
    ) {
        (self.url, self.name, self.network, self.isZip) = (url, name, network, isZip)
        (self.first, firstOffset, self.byteCount) = (first, offset, byteCount)
    }

    /// The origin of the archive, which determines the resources that its URLs may refer to.
    package var origin: RequestOrigin { first.isFromPrivateAddress ? .privateFeed : .remoteFeed }

    /// The prefix and suffix of the images' URLs, or nil if no path can be appended to the
    /// archive's URL.
    package var base: ArchiveBase? {
        ArchiveBase(url: url, validator: first.validator, byteCount: byteCount)
    }

    /// The version of the archive, or nil if the server sends no validator.
    package var version: ArchiveVersion? {
        first.validator.map { .remote(url: url, validator: $0, byteCount: byteCount) }
    }

    /// The bytes that were received first, or an empty array if they are not the start of the
    /// archive.
    ///
    /// The first request is for the first 64 KiB (`firstByteCount`) of a tar archive, or for the
    /// end of a zip archive.
    package var start: [UInt8] { firstOffset == 0 ? first.bytes : [] }

    /// Returns a new, empty listing for the archive's directory, or nil if the file is not an
    /// archive.
    ///
    /// `charset` is the character set of names in a zip archive that are not in UTF-8, or nil for
    /// code page 437.
    package func listing(charset: Charset?) -> ArchiveListing? {
        if isZip { return ArchiveListing(zipOf: byteCount, charset: charset) }
        guard ArchiveListing.isTar(start) else { return nil }
        return ArchiveListing(tarOf: byteCount, isWhole: start.count == byteCount)
    }

    /// The block size: 4 MiB for zip archives and 8 KiB for tar archives.
    ///
    /// The directory of a zip archive is read completely. In a tar archive, a block contains a
    /// header, and possibly small files between headers.
    package var blockByteCount: Int { isZip ? 4 << 20 : 8 << 10 }

    package var longBlockByteCount: Int { isZip ? blockByteCount : 1 << 20 }

    /// The number of steps: 1,000 for zip archives and 100 for tar archives.
    ///
    /// The number is smaller for tar archives because each header may need a request.
    package var stepCount: Int { isZip ? 1000 : 100 }

    package func read(at offset: Int, count: Int) throws(FeedError) -> [UInt8] {
        guard offset < byteCount else { return [] }
        let end = offset + min(count, byteCount - offset)
        let known = firstOffset..<firstOffset + first.bytes.count
        // The first part contains the whole range, so no request is needed.
        if known.contains(offset), end <= known.upperBound {
            return Array(first.bytes[(offset - firstOffset)..<(end - firstOffset)])
        }
        let part = Self.part(
            of: url,
            range: "bytes=\(offset)-\(end - 1)",
            validator: first.validator,
            network
        )
        switch part {
        case .failure(let error): throw FeedError("\(name): \(error.description)")
        case .success(let part)
        where part.offset == offset && part.bytes.count == end - offset
            && part.totalByteCount == byteCount
            && EntityValidator.isSame(part.validator, as: first.validator):
            return part.bytes
        case .success:
            var error = FeedError("\(name): \(Self.change)")
            error.isOfChangedArchive = true
            throw error
        }
    }

    private static func part(
        of url: String,
        range: String,
        validator: String?,
        _ network: NetworkReader
    ) -> Result<NetworkReader.Part, ImageLoadingError> {
        waitFor {
            do throws(ImageLoadingError) {
                return .success(try await network.part(of: url, range: range, validator: validator))
            } catch {
                return .failure(error)
            }
        }
    }
}
