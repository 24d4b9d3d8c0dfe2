import Decoders
import Feeds
import GalleryCore
import ImageLoading
import SystemSupport

/// Writes the metadata of one file after the other, for the `info` command.
struct InfoRun {
    enum Style: Equatable {
        case lines
        case json(isNumeric: Bool)
    }

    private let manager: ImageManager
    private let reader: InformationReader
    private let style: Style
    private(set) var output = ResultOutput()
    private(set) var failedCount = 0
    private var isFirst = true

    init(manager: ImageManager, style: Style) {
        self.manager = manager
        reader = InformationReader(manager: manager)
        self.style = style
    }

    mutating func tell(_ files: [String]) {
        for file in files where output.isOpen { tell(file) }
        if style != .lines { output.write(Array((isFirst ? "[]\n" : "]\n").utf8)) }
    }

    /// Writes the metadata of a file; reports the reason on standard error if it can't be read.
    private mutating func tell(_ path: String) {
        do throws(Failure) {
            let text = try text(of: path)
            let separator = style == .lines ? (isFirst ? "" : "\n") : isFirst ? "[" : ",\n"
            isFirst = false
            output.write(Array(separator.utf8) + text)
        } catch {
            failedCount += 1
            printError("termgallery: \(path): \(error.reason)")
        }
    }

    private struct Failure: Error {
        let reason: String
    }

    private func text(of path: String) throws(Failure) -> [UInt8] {
        let file: FileStart
        do throws(FileReading.Problem) {
            file = try FileStart(of: path, count: InformationReader.maximumByteCount)
        } catch {
            throw Failure(reason: error.text)
        }
        let reader = reader
        let found = waitFor { await reader.metadata(of: file, at: path) }
        let image: ImageProperties?
        do throws(ImageDecodingError) {
            image = try properties(of: file)
        } catch {
            // exiv2 also reads some files that are not shown, such as sidecars.
            guard !found.metadata.fields.isEmpty else { throw Failure(reason: error.description) }
            image = nil
        }
        switch style {
        case .lines: return lines(path, image, reader.information(of: file, found))
        case .json(let isNumeric): return record(path, image, found, isNumeric: isNumeric)
        }
    }

    private func properties(
        of file: FileStart
    ) throws(ImageDecodingError) -> ImageProperties {
        let manager = manager
        let result = waitFor { () async -> Result<ImageProperties, ImageDecodingError> in
            do throws(ImageDecodingError) {
                return .success(try await manager.properties(of: file.bytes))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func lines(
        _ path: String,
        _ image: ImageProperties?,
        _ found: PictureInformation
    ) -> [UInt8] {
        var all = PictureInformation()
        if let image {
            all.add("size", "\(image.size.width)×\(image.size.height)", to: "Image")
            all.add("format", image.format.displayName, to: "Image")
            if image.frameCount > 1 { all.add("frames", "\(image.frameCount)", to: "Image") }
        }
        let lines = [path] + all.joined(with: found).titledLines
        return lines.flatMap { Array((TerminalText($0).text + "\n").utf8) }
    }

    private func record(
        _ path: String,
        _ image: ImageProperties?,
        _ found: FileMetadata,
        isNumeric: Bool
    ) -> [UInt8] {
        var record = ExifToolRecord(
            path: path,
            facts: PhotoFacts(metadata: found.metadata),
            isNumeric: isNumeric
        )
        if let image { record.add(image, of: path) }
        record.addTags()
        return record.line(sidecar: found.sidecar)
    }
}
