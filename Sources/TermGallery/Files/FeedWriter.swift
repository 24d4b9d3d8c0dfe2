import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// Writes lists of images as feeds that the program can read again.
///
/// Writing is done on a separate thread. A file is written completely or not at all. An existing
/// file is replaced only on request.
final class FeedWriter: Sendable {
    private let pool = WorkerPool(name: "write", threadCount: 1)
    private let mailbox: Mailbox<GalleryMail>
    private static let pieceByteCount = 1 << 20

    init(mailbox: Mailbox<GalleryMail>) {
        self.mailbox = mailbox
    }

    /// Writes items in the specified order, and posts a message about the result.
    func write(_ order: ItemOrder, of feed: Feed, to name: String, overwrites: Bool) {
        let path = AbsolutePath.of(AbsolutePath.expandingHome(name))
        pool.submit(priority: .high) { [mailbox] in
            let list = (order, feed)
            do throws(NewFile.Problem) {
                let (counts, isRenamed) = try Self.write(list, to: path, overwrites: overwrites)
                let written = isRenamed ? SafeFileName.portable(name) : name
                mailbox.post(Self.remark(counts, FileText.shown(written)))
            } catch {
                mailbox.post(.notice("\(FileText.shown(name)): \(error.reason)", .failure))
            }
        }
    }

    private static func remark(
        _ counts: (written: Int, leftOut: Int),
        _ name: String
    ) -> GalleryMail {
        let pictures = counts.written == 1 ? "1 image" : "\(counts.written) images"
        guard counts.leftOut > 0 else { return .notice("wrote \(pictures) to \(name)") }
        return .notice(
            "wrote \(pictures) to \(name), \(counts.leftOut) unusable ones left out",
            .warning
        )
    }

    /// Writes a file, and returns the numbers of written and omitted items and whether the file was
    /// renamed.
    ///
    /// If the file system rejects the name, `SafeFileName.portable` provides another one.
    static func write(
        _ list: (order: ItemOrder, feed: Feed),
        to path: String,
        overwrites: Bool,
        opening: NewFile.Opening = NewFile.systemOpen
    ) throws(NewFile.Problem) -> (counts: (written: Int, leftOut: Int), isRenamed: Bool) {
        func write(_ path: String) throws(NewFile.Problem) -> (written: Int, leftOut: Int) {
            try Self.write(
                list.order,
                of: list.feed,
                to: path,
                overwrites: overwrites,
                opening: opening
            )
        }
        do throws(NewFile.Problem) {
            return (try write(path), false)
        } catch {
            let portable = SafeFileName.portable(path)
            guard error.mayBeName, portable != path else { throw error }
            return (try write(portable), true)
        }
    }

    /// Writes a file, and returns the numbers of written and omitted items.
    ///
    /// An item is omitted if it can't be written as a line.
    static func write(
        _ order: ItemOrder,
        of feed: Feed,
        to path: String,
        overwrites: Bool,
        opening: NewFile.Opening = NewFile.systemOpen
    ) throws(NewFile.Problem) -> (written: Int, leftOut: Int) {
        // If the path is a symbolic link, the link's target is replaced, not the link itself.
        let target = overwrites ? realPath(path) : path
        let place = overwrites ? "\(target).\(UInt32.random(in: 0 ... .max))" : target
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = opening(place, flags, 0o666)
        if file < 0, errno == EEXIST, !overwrites {
            throw NewFile.Problem(reason: "the file exists; use :write! to overwrite it")
        }
        guard file >= 0 else { throw .last }
        do throws(NewFile.Problem) {
            let counts = try write(order, of: feed, to: file)
            // Some file systems report a full disk only in this call.
            guard fsync(file) == 0 || errno == EINVAL else { throw .last }
            if overwrites, rename(FileText.path(place), FileText.path(target)) != 0 { throw .last }
            close(file)
            return counts
        } catch {
            close(file)
            unlink(FileText.path(place))
            throw error
        }
    }

    private static func write(
        _ order: ItemOrder,
        of feed: Feed,
        to file: Int32
    ) throws(NewFile.Problem) -> (written: Int, leftOut: Int) {
        var (counts, bytes) = ((written: 0, leftOut: 0), [UInt8]())
        for position in 0..<order.count {
            if let line = feed[order[position]].feedLine {
                bytes += line
                counts.written += 1
            } else {
                counts.leftOut += 1
            }
            guard bytes.count >= pieceByteCount else { continue }
            guard OutputBytes.write(bytes, to: file) else { throw .last }
            bytes.removeAll(keepingCapacity: true)
        }
        guard counts.written > 0 else {
            throw NewFile.Problem(
                reason: "the list contains no image that can be written to a feed"
            )
        }
        guard OutputBytes.write(bytes, to: file) else { throw .last }
        return counts
    }

    private static func realPath(_ path: String) -> String {
        guard let real = realpath(FileText.path(path), nil) else { return path }
        defer { free(real) }
        return FileText.text(cString: real)
    }
}
