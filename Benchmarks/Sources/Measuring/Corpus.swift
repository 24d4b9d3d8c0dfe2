internal import Glibc

/// The kinds of images that `corpus.sh` makes; the raw value is the folder of the kind.
public enum PictureKind: String, CaseIterable, Sendable {
    /// Baseline JPEG of 4000×3000.
    case jpegLarge = "jpeg-12mp"
    /// Baseline JPEG of 1200×800.
    case jpegWeb = "jpeg-web"
    /// The images of 4000×3000 as progressive JPEG.
    case progressiveLarge = "progressive-12mp"
    /// The images of 1200×800 as progressive JPEG.
    case progressiveWeb = "progressive-web"
    /// Photographs of 1000×700.
    case pngRGB = "png-rgb"
    /// The photographs of 1000×700, fading out toward the corners.
    case pngRGBA = "png-rgba"
    /// Drawings of 1000×700 with transparency.
    case pngFlat = "png-flat"
    /// Drawings of 41×41 to 88×31 with hard edges, such as buttons and icons.
    case pngSmall = "png-small"
    /// The photographs of 1000×700, interlaced.
    case pngAdam7 = "png-adam7"
    /// Photographs of 6000×4000.
    case pngLarge = "png-24mp"
    /// Rendered images of 6000×4000.
    case pngLargeSmooth = "png-24mp-smooth"
    /// 30000×30000 black pixels.
    case giant
    /// A single pixel: the remaining cost is the start and end of the program.
    case dot

    /// The kinds named on the command line, or all.
    public static var chosen: [PictureKind] {
        let named = CommandLine.arguments.dropFirst().compactMap(PictureKind.init)
        return named.isEmpty ? allCases : named
    }
}

/// The images under `.corpus`, relative to the folder in which `run.sh` starts the benchmarks.
public enum Corpus {
    /// Returns the paths of the images of a kind, sorted by name.
    ///
    /// Ends the process with a message if the folder contains no such images.
    public static func files(_ kind: PictureKind) -> [String] {
        let folder = ".corpus/pictures/\(kind.rawValue)"
        let files = Folder.names(in: folder).filter { $0.hasSuffix(".jpg") || $0.hasSuffix(".png") }
            .sorted().map { "\(folder)/\($0)" }
        guard !files.isEmpty else {
            print("no pictures in \(folder): run Benchmarks/corpus.sh")
            exit(1)
        }
        return files
    }
}

/// A folder of the file system.
public enum Folder {
    /// Returns the names of the entries, except those that begin with a dot; empty if the folder
    /// cannot be read.
    public static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
