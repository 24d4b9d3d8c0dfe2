public import Decoders

/// A way to send pixels to a terminal.
public enum GraphicsProtocol: String, Sendable, CaseIterable {
    /// Kitty's protocol, the picture shown wherever its placeholder characters stand.
    case kittyPlaceholders
    /// Kitty's protocol, the picture placed at the cursor.
    case kitty
    /// iTerm2's inline images.
    case iterm
    /// DEC's sixels: six rows of pixels a character, in up to 256 colours.
    case sixel
}

/// What an encoded picture may cost.
public struct GraphicsBudget: Sendable, Hashable {
    /// The bytes that may go over the line, base64 and commands included.
    public var byteLimit: Int
    /// The colours a sixel picture may have, 2 to 256: the colour registers of the terminal.
    public var colorLimit: Int

    /// Makes a budget.
    public init(byteLimit: Int, colorLimit: Int = 256) {
        self.byteLimit = byteLimit
        self.colorLimit = colorLimit
    }

    /// For a terminal on this machine: 60 kB a picture.
    public static let local = GraphicsBudget(byteLimit: 60_000)

    /// For a terminal at the other end of a network: 20 kB a picture.
    public static let remote = GraphicsBudget(byteLimit: 20_000)

    /// The budget of a picture of so many pixels: this one for a thumbnail of 190×220, and for larger
    /// ones as much more as they have more pixels.
    public func scaled(toPixels pixelCount: Int) -> GraphicsBudget {
        let thumbnails = max(1, Double(pixelCount) / (190 * 220))
        return GraphicsBudget(
            byteLimit: Int(Double(byteLimit) * thumbnails),
            colorLimit: colorLimit
        )
    }

    /// `colorLimit` within what sixel encoders and terminals can do.
    var sixelColorLimit: Int { min(max(2, colorLimit), 256) }
}

/// A picture in the form in which it goes to the terminal.
public struct EncodedPicture: Sendable, Hashable {
    /// How the pixels are written.
    public enum Form: String, Sendable, CaseIterable {
        /// R, G, B bytes.
        case rgb
        /// A zlib stream of R, G, B bytes.
        case zlibRGB
        /// A PNG file.
        case png
        /// A JPEG file.
        case jpeg
        /// A whole sixel control string, from its introducer to its terminator.
        case sixel
    }

    /// The bytes, without base64; of a sixel picture all that is to be written.
    public let payload: [UInt8]
    /// How they are to be read.
    public let form: Form
    /// The pixels in it: half as many each way as asked for where the budget allows no more and the
    /// terminal can enlarge them.
    public let size: PixelSize

    /// Makes a picture of what an encoder wrote.
    public init(payload: [UInt8], form: Form, size: PixelSize) {
        self.payload = payload
        self.form = form
        self.size = size
    }

    /// The bytes that go over the line, as base64 in commands unless the picture is in sixels.
    public var byteCountOnLine: Int {
        form == .sixel ? payload.count : Self.byteCountOnLine(payload: payload.count)
    }

    /// The same for `count` bytes that are not sixels: base64, a frame for each 4096 characters of
    /// it, and the keys of the first.
    static func byteCountOnLine(payload count: Int) -> Int {
        let characters = Base64.count(of: count)
        let chunks = (characters + KittyCommand.chunkLength - 1) / KittyCommand.chunkLength
        return characters + chunks * 9 + 48
    }
}
