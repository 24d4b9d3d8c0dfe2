// A contact sheet: draws thumbnails of images side by side into one PNG.
//
//     swift run ContactSheet sheet.png photo1.jpg https://example.org/photo2.webp …
import Foundation
import ImageLoading

IsolatedDecoding.runIfAsked()

let cell = PixelSize(width: 160, height: 120)
let gap = 8
let columnCount = 5

/// A white image on which thumbnails are drawn.
struct Sheet {
    private(set) var size: PixelSize
    private var bytes: [UInt8]

    init(cellCount: Int) {
        let columns = min(cellCount, columnCount)
        let rows = (cellCount + columnCount - 1) / columnCount
        size = PixelSize(
            width: gap + columns * (cell.width + gap),
            height: gap + rows * (cell.height + gap)
        )
        bytes = Array(repeating: 255, count: size.width * size.height * 4)
    }

    /// Draws an image in the center of a cell; transparent pixels show the white background.
    mutating func draw(_ image: PixelBuffer, inCell index: Int) {
        let left = gap + index % columnCount * (cell.width + gap)
        let top = gap + index / columnCount * (cell.height + gap)
        let x = left + (cell.width - image.size.width) / 2
        let y = top + (cell.height - image.size.height) / 2
        for row in 0..<image.size.height {
            for column in 0..<image.size.width {
                let source = (row * image.size.width + column) * 4
                let target = ((y + row) * size.width + x + column) * 4
                let alpha = Int(image.bytes[source + 3])
                for channel in 0..<3 {
                    let mixed = Int(image.bytes[source + channel]) * alpha + 255 * (255 - alpha)
                    bytes[target + channel] = UInt8(mixed / 255)
                }
            }
        }
    }

    func png() throws -> [UInt8] {
        try PNGEncoder.encode(PixelBuffer(size: size, bytes: bytes, hasAlpha: false))
    }
}

/// Returns the URL of an argument, which may also be the path of a file.
func url(of argument: String) -> String {
    argument.contains("://") ? argument : URL(fileURLWithPath: argument).absoluteString
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard let output = arguments.first, arguments.count > 1 else {
    FileHandle.standardError.write(Data("usage: ContactSheet OUTPUT.png IMAGE…\n".utf8))
    exit(2)
}
let sources = Array(arguments.dropFirst())
let manager = ImageManager.shared
var sheet = Sheet(cellCount: sources.count)

// All images load at the same time; the manager limits the transfers and the decoding threads.
try await withThrowingTaskGroup(of: (Int, Result<PixelBuffer, ImageLoadingError>).self) { group in
    for (index, source) in sources.enumerated() {
        let request = ImageRequest(url: url(of: source), targetSize: cell)
        group.addTask {
            do throws(ImageLoadingError) {
                return (index, .success(try await manager.response(for: request).image.pixels))
            } catch {
                return (index, .failure(error))
            }
        }
    }
    for try await (index, result) in group {
        switch result {
        case .success(let pixels): sheet.draw(pixels, inCell: index)
        case .failure(let error): print("\(sources[index]): \(error.description)")
        }
    }
}
try Data(sheet.png()).write(to: URL(fileURLWithPath: output))
await manager.flush()
