import GalleryCore
import Glibc
import TerminalUI

/// The built program and an environment in which nothing of the machine's shows.
struct TestProgram {
    /// The path of `termgallery`, which is built beside the test runner.
    let path: String
    /// A temporary home, removed with `remove`.
    let home: String

    init() {
        var link = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &link, link.count)
        let bytes = link.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        let runner = String(decoding: bytes, as: UTF8.self)
        let folder = runner.split(separator: "/").dropLast().joined(separator: "/")
        path = "/\(folder)/termgallery"
        var template = Array("/tmp/termgallery-test-XXXXXX".utf8CString)
        home = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
        // Four by two images at 80×24, as if the user had chosen them.
        for folder in [".local", ".local/state", ".local/state/termgallery"] {
            mkdir("\(home)/\(folder)", 0o700)
        }
        _ = try? write("17\n".utf8, to: ".local/state/termgallery/tile-width")
    }

    /// The environment for a terminal of a type; `more` is added and wins.
    func environment(
        term: String = "xterm-256color",
        colorTerm: String? = nil,
        locale: String = "C.UTF-8",
        adding more: [String: String] = [:]
    ) -> [String: String] {
        var variables = [
            "TERM": term, "LANG": locale, "HOME": home, "XDG_CACHE_HOME": "\(home)/.cache",
            "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no",
            // An object alive at exit keeps the record of its weak references behind a coded
            // pointer, which the leak checker can't follow.
            "ASAN_OPTIONS": "detect_leaks=0",
        ]
        variables["COLORTERM"] = colorTerm
        return variables.merging(more) { $1 }
    }

    /// Deletes the home.
    func remove() {
        var pending = [home]
        var folders: [String] = []
        while let folder = pending.popLast() {
            folders.append(folder)
            guard let stream = opendir(folder) else { continue }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                let name = entry.name
                let path = "\(folder)/\(name)"
                if name == "." || name == ".." { continue }
                if entry.pointee.d_type == UInt8(DT_DIR) {
                    pending.append(path)
                } else {
                    unlink(path)
                }
            }
        }
        for folder in folders.reversed() { rmdir(folder) }
    }
}

extension TestProgram {
    /// Starts the program in a terminal with 24-bit color, or in a specified one.
    func openGallery(
        _ arguments: [String],
        size: ScreenSize = ScreenSize(columns: 80, rows: 24),
        environment: [String: String]? = nil
    ) throws -> PseudoTerminal {
        try PseudoTerminal(
            path,
            arguments,
            environment: environment ?? self.environment(colorTerm: "truecolor"),
            size: size
        )
    }

    /// Runs the program to its end without a terminal.
    func run(_ arguments: [String]) throws -> ProgramRun {
        try ProgramRun(path, arguments, environment: environment())
    }
}

/// The names of the files under a folder, at any depth.
func fileNames(under folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = entry.name
        if name == "." || name == ".." { continue }
        let isFolder = entry.pointee.d_type == UInt8(DT_DIR)
        names += isFolder ? fileNames(under: "\(folder)/\(name)") : [name]
    }
    return names
}

extension UnsafeMutablePointer<dirent> {
    /// What `readdir` gives is only as long as its name: `d_name` must not be copied with its 256 bytes.
    fileprivate var name: String {
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        let start = UnsafeRawPointer(self).advanced(by: offset)
        return String(cString: start.assumingMemoryBound(to: CChar.self))
    }
}
