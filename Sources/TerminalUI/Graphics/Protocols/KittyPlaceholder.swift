/// The characters that a terminal with kitty's protocol replaces with parts of an image.
///
/// A cell contains U+10EEEE and combining marks for its row and column in the image. If the highest
/// byte of the image's identifier is not 0, it is represented by a third combining mark. The lower
/// three bytes of the identifier are the text color. Like other text, the characters scroll and can
/// be overwritten and erased.
public enum KittyPlaceholder {
    /// The base character, to which the combining marks are added.
    public static let base: Unicode.Scalar = "\u{10EEEE}"

    /// The maximum number of rows and columns, which is the number of available combining marks.
    public static var limit: Int { marks.count }

    /// Returns the scalars of the cell at `row` and `column` of an image, or nil if either is not
    /// less than `limit`.
    ///
    /// Before writing the scalars, set the text color to `foreground(id:)`.
    public static func cell(id: UInt32, row: Int, column: Int) -> [Unicode.Scalar]? {
        guard marks.indices.contains(row), marks.indices.contains(column) else { return nil }
        let high = Int(id >> 24)
        return [base, marks[row], marks[column]] + (high > 0 ? [marks[high]] : [])
    }

    /// Returns the text color that identifies the image.
    public static func foreground(id: UInt32) -> (red: UInt8, green: UInt8, blue: UInt8) {
        (UInt8(id >> 16 & 255), UInt8(id >> 8 & 255), UInt8(id & 255))
    }

    /// The combining marks; the mark at index `n` represents row `n`, column `n` or byte value `n`.
    private static let marks: [Unicode.Scalar] = markRanges.flatMap { $0 }
        .compactMap(Unicode.Scalar.init)

    /// The ranges of the combining marks that kitty uses.
    ///
    /// The marks are the combining characters of Unicode 6.0 that are drawn above a letter (class
    /// 230), have no decomposition, and are not combined with a letter by normalization.
    private static let markRanges: [ClosedRange<UInt32>] = [
        0x0305...0x0305, 0x030D...0x030E, 0x0310...0x0310, 0x0312...0x0312, 0x033D...0x033F,
        0x0346...0x0346, 0x034A...0x034C, 0x0350...0x0352, 0x0357...0x0357, 0x035B...0x035B,
        0x0363...0x036F, 0x0483...0x0487, 0x0592...0x0595, 0x0597...0x0599, 0x059C...0x05A1,
        0x05A8...0x05A9, 0x05AB...0x05AC, 0x05AF...0x05AF, 0x05C4...0x05C4, 0x0610...0x0617,
        0x0657...0x065B, 0x065D...0x065E, 0x06D6...0x06DC, 0x06DF...0x06E2, 0x06E4...0x06E4,
        0x06E7...0x06E8, 0x06EB...0x06EC, 0x0730...0x0730, 0x0732...0x0733, 0x0735...0x0736,
        0x073A...0x073A, 0x073D...0x073D, 0x073F...0x0741, 0x0743...0x0743, 0x0745...0x0745,
        0x0747...0x0747, 0x0749...0x074A, 0x07EB...0x07F1, 0x07F3...0x07F3, 0x0816...0x0819,
        0x081B...0x0823, 0x0825...0x0827, 0x0829...0x082D, 0x0951...0x0951, 0x0953...0x0954,
        0x0F82...0x0F83, 0x0F86...0x0F87, 0x135D...0x135F, 0x17DD...0x17DD, 0x193A...0x193A,
        0x1A17...0x1A17, 0x1A75...0x1A7C, 0x1B6B...0x1B6B, 0x1B6D...0x1B73, 0x1CD0...0x1CD2,
        0x1CDA...0x1CDB, 0x1CE0...0x1CE0, 0x1DC0...0x1DC1, 0x1DC3...0x1DC9, 0x1DCB...0x1DCC,
        0x1DD1...0x1DE6, 0x1DFE...0x1DFE, 0x20D0...0x20D1, 0x20D4...0x20D7, 0x20DB...0x20DC,
        0x20E1...0x20E1, 0x20E7...0x20E7, 0x20E9...0x20E9, 0x20F0...0x20F0, 0x2CEF...0x2CF1,
        0x2DE0...0x2DFF, 0xA66F...0xA66F, 0xA67C...0xA67D, 0xA6F0...0xA6F1, 0xA8E0...0xA8F1,
        0xAAB0...0xAAB0, 0xAAB2...0xAAB3, 0xAAB7...0xAAB8, 0xAABE...0xAABF, 0xAAC1...0xAAC1,
        0xFE20...0xFE26, 0x10A0F...0x10A0F, 0x10A38...0x10A38, 0x1D185...0x1D189,
        0x1D1AA...0x1D1AD, 0x1D242...0x1D244,
    ]
}
