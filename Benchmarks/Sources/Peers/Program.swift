/// A program that prints images as characters, and its options: 40×20 cells, half blocks in 24-bit
/// color, defaults otherwise.
public struct Program: Sendable {
    /// The name in tables.
    public let name: String
    /// The command without the images.
    public let command: [String]
    /// Whether the program accepts several images in one run.
    public let takesSeveral: Bool

    /// termgallery, as `make release` builds it.
    public static let termgallery = termgallery(size: "40x20", symbols: "half")

    /// Returns termgallery with other cells and characters.
    public static func termgallery(size: String, symbols: String) -> Program {
        Program(
            name: "termgallery",
            command: [
                "../.build/release/termgallery", "print", "--size", size, "--columns", "1",
                "--colors", "24bit", "--symbols", symbols,
            ]
        )
    }

    /// timg on one thread, its default.
    public static let timg = Program(name: "timg", command: ["timg", "-g40x20", "-ph"])
    /// chafa on one thread, which takes less CPU time than its default of one thread per core.
    ///
    /// `vhalf` is only the upper and lower half block; `half` also includes left and right halves.
    public static let chafa = Program(
        name: "chafa",
        command: ["chafa", "--threads", "1", "-c", "full", "--symbols", "vhalf", "-s", "40x20"]
    )
    /// catimg, which counts half cells.
    public static let catimg = Program(
        name: "catimg",
        command: ["catimg", "-r", "2", "-w", "80"],
        takesSeveral: false
    )

    /// The programs to compare with.
    public static let peers = [timg, chafa, catimg]

    /// termgallery in 256 colors with each dithering method, and the other programs in 256 colors.
    public static let in256Colors =
        ["none", "ordered", "diffusion"].map { way in
            let options = ["--colors", "256", "--dither", way]
            return Program(name: way, command: termgallery.command + options)
        } + [timg.adding(["--color8"]), chafa.adding(["-c", "256"]), catimg.adding(["-t"])]

    /// Creates a program.
    public init(name: String, command: [String], takesSeveral: Bool = true) {
        self.name = name
        self.command = command
        self.takesSeveral = takesSeveral
    }

    /// Returns the program with additional options.
    public func adding(_ options: [String]) -> Program {
        Program(name: name, command: command + options, takesSeveral: takesSeveral)
    }
}
