public import Decoders

/// A namespace for functions that append kitty graphics commands to a byte array.
///
///     ESC _ G key=value,… ; base64 ESC \
///
/// All commands suppress the terminal's response (`q=2`) because a response would arrive as typed
/// characters. Before images are sent, queries determine which images the terminal accepts.
/// Identifiers must not be 0.
public enum KittyCommand {
    /// The maximum number of base64 characters in a chunk.
    ///
    /// The number of characters in every chunk except the last must be a multiple of 4.
    static let chunkLength = 4096

    /// Sends the data of the image `id`, and replaces any earlier data with that identifier.
    ///
    /// If `placeholder` is true, the terminal displays the image at its placeholder characters with
    /// a size of `columns` by `rows` cells. Otherwise, `place` displays the image. The data must
    /// not be sixels.
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

    /// The format of the pixels in shared memory; the raw value is the number of bits per pixel.
    public enum MemoryFormat: Int, Sendable, CaseIterable {
        /// Red, green and blue bytes.
        case rgb = 24
        /// Red, green, blue and alpha bytes.
        case rgba = 32
    }

    /// Makes the terminal read an image's data from the shared memory object `name`.
    ///
    /// The terminal then removes the object. The object contains `size.width * size.height` pixels
    /// in `format`. The other parameters are the same as in `transmit`.
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

    /// Displays an image of `columns` by `rows` cells at the cursor, without moving the cursor.
    ///
    /// If a placement with the number `placement` exists, it is moved. If `z` is negative, the
    /// image is displayed below the text.
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

    /// Removes a placement of an image from the screen but keeps the image's data.
    public static func deletePlacement(id: UInt32, placement: UInt32, to bytes: inout [UInt8]) {
        append("a=d,d=i,i=\(id),p=\(placement),q=2", [], to: &bytes)
    }

    /// Deletes all placements of an image and the image's data.
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
        // Konsole accepts a JPEG just like a PNG. kitty rejects JPEGs, so the encoder does not
        // produce them for this protocol.
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
