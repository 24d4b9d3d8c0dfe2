import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// The picked images, as written to standard output.
///
/// Each image is on its own line or followed by a NUL byte.
struct PickedPictures {
    private(set) var bytes: [UInt8] = []
    /// The number of names that were omitted because they contain a line break.
    ///
    /// Another program would read such a name as two wrong names.
    private(set) var leftOutCount = 0

    /// Creates the output for the images.
    ///
    /// A local file is written as its path, byte for byte. Any other image is written as its
    /// unchanged URL.
    init(urls: some Sequence<String>, endingWithZero: Bool, isForTerminal: Bool = false) {
        let end: UInt8 = endingWithZero ? 0 : UInt8(ascii: "\n")
        for url in urls {
            let name = PictureAddress.path(ofURL: url) ?? Array(url.utf8)
            guard !name.contains(end) else {
                leftOutCount += 1
                continue
            }
            // On a terminal, names are escaped for the user. A program receives them unchanged.
            bytes +=
                isForTerminal
                ? Array(TerminalText(FileText.text(name)).text.utf8) : name
            bytes.append(end)
        }
    }

    /// Writes JSON objects to standard output, one per line.
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

    /// Writes all images to standard output.
    ///
    /// Throws an error, which determines the exit code, if there are no images, if writing fails,
    /// or if names were omitted.
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
