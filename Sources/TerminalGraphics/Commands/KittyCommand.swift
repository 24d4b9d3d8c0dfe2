public import Decoders

/// The commands of kitty's graphics protocol, appended to bytes.
///
///     ESC _ G key=value,… ; base64 ESC \
///
/// The terminal answers none of them (`q=2`): an answer would come as typed characters, and an image
/// that it doesn't take is told by queries before. Identifiers are not 0.
public enum KittyCommand {
    /// The base64 characters of a chunk; more is not allowed, and all but the last have a multiple
    /// of 4.
    static let chunkLength = 4096

    /// Sends a picture's data under `id`, which may have had other data before.
    ///
    /// With `placeholder` it is shown, `columns` by `rows` cells large, where its placeholder
    /// characters stand; else where `place` puts it. The data must not be sixels.
    public static func transmit(
        id: UInt32,
        picture: EncodedPicture,
        columns: Int,
        rows: Int,
        placeholder: Bool,
        to bytes: inout [UInt8]
    ) {
        precondition(picture.form != .sixel, "sixels have no place in this protocol")
        var keys = "\(action(columns: columns, rows: rows, placeholder: placeholder)),i=\(id),q=2"
        keys += format(of: picture)
        let chunkByteCount = chunkLength / 4 * 3
        let payload = picture.payload
        var start = 0
        repeat {
            let end = min(start + chunkByteCount, payload.count)
            let isLast = end == payload.count
            if start > 0 { keys = "q=2" }
            if start > 0 || !isLast { keys += isLast ? ",m=0" : ",m=1" }
            append(keys, payload[start..<end], to: &bytes)
            start = end
        } while start < payload.count
    }

    /// The bytes a pixel takes in shared memory.
    public enum MemoryFormat: Int, Sendable, CaseIterable {
        /// R, G, B.
        case rgb = 24
        /// R, G, B, A.
        case rgba = 32
    }

    /// Has the terminal read a picture's data from the shared memory object `name`, which it removes.
    ///
    /// The object has `size.width * size.height` pixels of `format`. The rest is as in `transmit`.
    public static func transmitSharedMemory(
        id: UInt32,
        name: String,
        size: PixelSize,
        format: MemoryFormat,
        columns: Int,
        rows: Int,
        placeholder: Bool,
        to bytes: inout [UInt8]
    ) {
        let action = action(columns: columns, rows: rows, placeholder: placeholder)
        let keys =
            "\(action),i=\(id),q=2,t=s,f=\(format.rawValue),s=\(size.width),v=\(size.height)"
        append(keys, Array(name.utf8)[...], to: &bytes)
    }

    /// Shows a picture at the cursor, which stays where it is, `columns` by `rows` cells large.
    ///
    /// The same `placement` again moves the picture. Below text if `z` is negative.
    public static func place(
        id: UInt32,
        placement: UInt32,
        columns: Int,
        rows: Int,
        z: Int = 0,
        to bytes: inout [UInt8]
    ) {
        var keys = "a=p,i=\(id),p=\(placement),c=\(columns),r=\(rows),C=1,q=2"
        if z != 0 { keys += ",z=\(z)" }
        append(keys, [], to: &bytes)
    }

    /// Takes one placement away; the data stays.
    public static func deletePlacement(id: UInt32, placement: UInt32, to bytes: inout [UInt8]) {
        append("a=d,d=i,i=\(id),p=\(placement),q=2", [], to: &bytes)
    }

    /// Takes all placements of a picture away, and its data.
    public static func deleteImage(id: UInt32, to bytes: inout [UInt8]) {
        append("a=d,d=I,i=\(id),q=2", [], to: &bytes)
    }

    // MARK: - Keys

    private static func action(columns: Int, rows: Int, placeholder: Bool) -> String {
        placeholder ? "a=T,U=1,c=\(columns),r=\(rows)" : "a=t"
    }

    private static func format(of picture: EncodedPicture) -> String {
        switch picture.form {
        case .rgb: ",f=24,s=\(picture.size.width),v=\(picture.size.height)"
        case .zlibRGB: ",f=24,o=z,s=\(picture.size.width),v=\(picture.size.height)"
        // Konsole takes a JPEG as it takes a PNG; kitty refuses it, so the encoder makes none.
        case .png, .jpeg, .sixel: ",f=100"
        }
    }

    private static func append(
        _ keys: String,
        _ payload: ArraySlice<UInt8>,
        to bytes: inout [UInt8]
    ) {
        bytes.append("\u{1B}_G")
        bytes.append(keys)
        if !payload.isEmpty {
            bytes.append(UInt8(ascii: ";"))
            Base64.append(payload, to: &bytes)
        }
        bytes.append("\u{1B}\\")
    }
}
