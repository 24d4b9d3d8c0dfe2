import Glibc

/// A shared memory object with one pixel in it, for the question whether the terminal reads such.
///
/// A terminal that does removes it; who asks removes what is left.
final class SharedMemoryPixel {
    /// Its name, with the slash.
    let name: String
    private var exists: Bool

    /// Makes the object; where that isn't possible the name is that of nothing.
    init() {
        name = "/termgallery-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let descriptor = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0o600)
        exists = descriptor >= 0
        guard exists else { return }
        let pixel: [UInt8] = [0, 0, 0]
        _ = write(descriptor, pixel, pixel.count)
        close(descriptor)
    }

    deinit {
        remove()
    }

    /// Removes it, if the terminal hasn't.
    func remove() {
        if exists { shm_unlink(name) }
        exists = false
    }
}

/// Binary data in printable characters (RFC 4648).
enum Base64 {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".unicodeScalars
    )

    static func encode(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var encoded = String.UnicodeScalarView()
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let bits = (0..<3).reduce(0) { bits, index in
                bits << 8 | (index < part.count ? Int(part[start + index]) : 0)
            }
            for place in 0..<4 {
                let digit = digits[bits >> (18 - 6 * place) & 63]
                encoded.append(place <= part.count ? digit : "=")
            }
        }
        return String(encoded)
    }
}
