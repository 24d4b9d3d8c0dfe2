import GalleryCore
import Glibc
import ImageLoading

/// The pictures that were picked, for the program that reads standard output: a line for each, or with
/// a zero behind each.
struct PickedPictures {
    private(set) var bytes: [UInt8] = []
    /// Names with a line break in them: as lines they would be two names, neither of which is meant.
    private(set) var leftOutCount = 0

    /// Files are paths, byte for byte; other pictures are URLs.
    init(urls: some Sequence<String>, endingWithZero: Bool, isForTerminal: Bool = false) {
        let end: UInt8 = endingWithZero ? 0 : UInt8(ascii: "\n")
        for url in urls {
            let name = PictureAddress.path(ofURL: url) ?? Array(Self.name(of: url).utf8)
            guard !name.contains(end) else {
                leftOutCount += 1
                continue
            }
            // A person sees names, a program gets them.
            bytes +=
                isForTerminal
                ? Array(EscapedText.of(FileText.shown(FileText.text(name))).utf8) : name
            bytes.append(end)
        }
    }

    /// As it is, with a login that the other program may need; the place in an archive is nobody's.
    private static func name(of url: String) -> String {
        PictureAddress.isInArchive(url) ? PictureAddress.of(url) : url
    }

    /// Writes objects of JSON to standard output, a line each.
    static func deliver(records: [String]) throws(ProgramFailure) {
        guard !records.isEmpty else { throw ProgramFailure(.someFailed) }
        try write(records.flatMap { Array((EscapedText.of($0) + "\n").utf8) })
    }

    private static func write(_ bytes: [UInt8]) throws(ProgramFailure) {
        guard OutputBytes.write(bytes, to: STDOUT_FILENO) else {
            let reason = String(cString: strerror(errno))
            throw ProgramFailure(.systemFailure, "cannot write the picked images: \(reason)")
        }
    }

    /// Writes all of them to standard output; throws what the exit code tells.
    static func deliver(_ urls: [String], endingWithZero: Bool) throws(ProgramFailure) {
        guard !urls.isEmpty else { throw ProgramFailure(.someFailed) }
        let pictures = PickedPictures(
            urls: urls,
            endingWithZero: endingWithZero,
            isForTerminal: !endingWithZero && isatty(STDOUT_FILENO) == 1
        )
        try write(pictures.bytes)
        guard pictures.leftOutCount == 0 else {
            let count = pictures.leftOutCount
            let names = count == 1 ? "1 name has" : "\(count) names have"
            let reason = "\(names) a line break in it and is left out; use --print0 for such names"
            throw ProgramFailure(.someFailed, reason)
        }
    }
}
