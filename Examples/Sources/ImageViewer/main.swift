// An image viewer for terminals: shows the named files one by one.
//
//     swift run ImageViewer photo1.jpg photo2.png …
//
// Space or Right shows the next image, Backspace or Left the previous one, q quits.
import Decoders
import Foundation
import TerminalUI

/// The images and the position among them.
struct Viewer {
    let paths: [String]
    private(set) var index = 0

    /// The current image, or nil and the reason in the caption.
    ///
    /// The image is decoded to at most 2000 x 2000 pixels, which is enough for a terminal.
    func current() -> (image: PixelBuffer?, caption: String) {
        let place = "\(index + 1)/\(paths.count) \(paths[index])"
        do {
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: paths[index])))
            let options = DecodingOptions(targetSize: PixelSize(width: 2000, height: 2000))
            let image = try DecoderRegistry.standard.decode(bytes, options: options)
            let size = image.properties.size
            return (image.pixels, "\(place), \(size.width) x \(size.height) pixels")
        } catch let error as ImageDecodingError {
            return (nil, "\(place): \(error.description)")
        } catch {
            return (nil, "\(place): \(error.localizedDescription)")
        }
    }

    mutating func move(by step: Int) {
        index = min(max(index + step, 0), paths.count - 1)
    }
}

let paths = Array(CommandLine.arguments.dropFirst())
guard !paths.isEmpty else {
    FileHandle.standardError.write(Data("usage: ImageViewer IMAGE…\n".utf8))
    exit(2)
}
do {
    let screen = try ImageScreen()
    var viewer = Viewer(paths: paths)

    func show() {
        let (image, caption) = viewer.current()
        screen.show(image, caption: caption)
    }

    show()
    let ending = screen.run { key in
        switch key {
        case .character("q"), .escape: return .leave
        case .character(" "), .right, .down, .pageDown: viewer.move(by: 1)
        case .backspace, .left, .up, .pageUp: viewer.move(by: -1)
        case .home: viewer.move(by: -paths.count)
        case .end: viewer.move(by: paths.count)
        default: return .stay
        }
        show()
        return .stay
    }
    screen.close()
    if case .signal(let number) = ending { exit(128 + number) }
} catch {
    FileHandle.standardError.write(Data("ImageViewer: \(error.description)\n".utf8))
    exit(1)
}
