import GalleryCore
import ImageLoading

/// An archive on a server, of which only parts are asked for: its directory here, its pictures by the
/// engine.
///
/// Blocks; never on Swift's pool.
final class RemoteArchive: ArchiveSource, Sendable {
    /// Where it is.
    let url: String
    private let name: String
    private let manager: ImageManager
    private let isZip: Bool
    /// The part that came first.
    private let first: ImageManager.FetchedPart
    private let firstOffset: Int
    /// How long the archive is.
    let byteCount: Int

    /// What asking for the first part came to.
    enum Opening {
        case archive(RemoteArchive)
        /// The server sends no parts, and sent the whole.
        case whole([UInt8], isFromPrivateAddress: Bool)
    }

    /// Enough for the directory of some hundred files, or the first headers of tar and what lies between.
    private static let firstByteCount = 64 << 10

    /// Asks for the end of a zip archive or the start of a tar archive, as its name says.
    static func open(
        _ url: String,
        name: String,
        manager: ImageManager
    ) -> Result<Opening, ImageLoadingError> {
        let isZip = ArchiveFormat.isZip(named: url)
        let range = isZip ? "bytes=-\(firstByteCount + 1024)" : "bytes=0-\(firstByteCount - 1)"
        return part(of: url, range: range, validator: nil, manager).map { part in
            guard let offset = part.offset, let byteCount = part.totalByteCount else {
                return .whole(part.bytes, isFromPrivateAddress: part.isFromPrivateAddress)
            }
            return .archive(
                RemoteArchive(url, name, manager, isZip, part, offset: offset, byteCount: byteCount)
            )
        }
    }

    private init(
        _ url: String,
        _ name: String,
        _ manager: ImageManager,
        _ isZip: Bool,
        _ first: ImageManager.FetchedPart,
        offset: Int,
        byteCount: Int
    ) {
        (self.url, self.name, self.manager, self.isZip) = (url, name, manager, isZip)
        (self.first, firstOffset, self.byteCount) = (first, offset, byteCount)
    }

    /// Who wrote it, for where its server may lead.
    var origin: RequestOrigin { first.isFromPrivateAddress ? .privateFeed : .remoteFeed }

    /// What its pictures' addresses have in common.
    var base: ArchiveBase? {
        ArchiveBase(url: url, validator: first.validator, byteCount: byteCount)
    }

    /// Which one it is; nil where its server doesn't tell versions apart.
    var version: ArchiveVersion? {
        first.validator.map { .remote(url: url, validator: $0, byteCount: byteCount) }
    }

    /// The first bytes, if they came.
    var start: [UInt8] { firstOffset == 0 ? first.bytes : [] }

    /// What makes its directory; nil if it is no archive.
    var listing: ArchiveListing? {
        if isZip { return ArchiveListing(zipOf: byteCount) }
        return ArchiveListing.isTar(start) ? ArchiveListing(tarOf: byteCount) : nil
    }

    /// The directory of zip is read as a whole; of tar the headers, and small files between them.
    var blockByteCount: Int { isZip ? 4 << 20 : 8 << 10 }

    var longBlockByteCount: Int { isZip ? blockByteCount : 1 << 20 }

    /// Of tar each header may be a request.
    var stepCount: Int { isZip ? 1000 : 100 }

    func read(at offset: Int, count: Int) throws(FeedError) -> [UInt8] {
        guard offset < byteCount else { return [] }
        let end = offset + min(count, byteCount - offset)
        let known = firstOffset..<firstOffset + first.bytes.count
        // A block may be shorter than asked for where the next header is known to be here.
        if known.contains(offset), end <= known.upperBound {
            return Array(first.bytes[(offset - firstOffset)..<(end - firstOffset)])
        }
        let part = Self.part(
            of: url,
            range: "bytes=\(offset)-\(end - 1)",
            validator: first.validator,
            manager
        )
        switch part {
        case .failure(let error): throw FeedError("\(name): \(error.description)")
        case .success(let part)
        where part.offset == offset && part.bytes.count == end - offset
            && part.totalByteCount == byteCount
            && ArchiveValidator.isSame(part.validator, as: first.validator):
            return part.bytes
        case .success: throw FeedError("\(name): \(ArchiveValidator.mismatch)")
        }
    }

    private static func part(
        of url: String,
        range: String,
        validator: String?,
        _ manager: ImageManager
    ) -> Result<ImageManager.FetchedPart, ImageLoadingError> {
        waitFor {
            do throws(ImageLoadingError) {
                return .success(try await manager.part(of: url, range: range, validator: validator))
            } catch {
                return .failure(error)
            }
        }
    }
}
