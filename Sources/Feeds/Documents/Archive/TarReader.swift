/// Reads the headers of a tar archive in the POSIX (ustar, pax) or GNU format.
///
///     header (512)  data, padded to 512  header  data  …  two blocks of zeros
///
/// If another archive follows the zeros, as after `cat 1.tar 2.tar`, it is also read.
///
/// The reader performs no I/O: the caller passes the bytes that start at `position` and can skip
/// the data between headers. Names and sizes in pax headers and long GNU names are supported;
/// sparse files are reported as unreadable.
package struct TarReader: Sendable {
    /// The offset in the archive at which the next step reads.
    package private(set) var position = 0
    private var longName: [UInt8]?
    private var paxName: [UInt8]?
    private var sparseName: [UInt8]?
    private var paxByteCount: Int?
    private var isSparse = false
    private var longTarget: [UInt8]?
    /// The number of consecutive zero bytes before `position`.
    private var zeroByteCount = 0

    private static let blockByteCount = 512
    /// The maximum size of a pax header in bytes; larger headers are skipped.
    private static let maximumPaxByteCount = 256 << 10
    private static let maximumSparseBlocks = 1024
    /// The maximum number of zero bytes between two archives.
    ///
    /// Programs pad an archive to their record size, which is 10 KiB by default.
    private static let maximumZeroByteCount = 1 << 20

    package init() {}

    /// Returns whether the bytes are the start of a tar archive.
    package static func isTar(_ start: some Collection<UInt8>) -> Bool {
        guard start.count >= blockByteCount else { return false }
        return Array(start.prefix(blockByteCount)).withUnsafeBufferPointer { block in
            block[0] != 0 && hasRightSum(block[...])
        }
    }

    /// Reads the next header from `bytes`, which must start at `position`.
    ///
    /// `isEnd` is true if no more bytes follow.
    package mutating func step(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool) -> ArchiveStep {
        let bytes = bytes[...]
        guard bytes.count >= Self.blockByteCount else {
            return isEnd ? .end(isCut: zeroByteCount == 0) : .needs(Self.blockByteCount)
        }
        let header = bytes.prefix(Self.blockByteCount)
        if header.allSatisfy({ $0 == 0 }) { return skipZeros() }
        guard Self.hasRightSum(header), let size = Self.size(in: header) else {
            // Other data may follow the end, such as a signature.
            if zeroByteCount > 0 { return .end(isCut: false) }
            return .damaged("has no header at byte \(position), where the next member should start")
        }
        zeroByteCount = 0
        switch header[156] {
        case UInt8(ascii: "L"), UInt8(ascii: "K"), UInt8(ascii: "x"), UInt8(ascii: "g"):
            return extend(header[156], size: size, bytes: bytes, isEnd: isEnd)
        default:
            return member(header, headerSize: size, bytes: bytes, isEnd: isEnd)
        }
    }

    private mutating func skipZeros() -> ArchiveStep {
        guard zeroByteCount < Self.maximumZeroByteCount else { return .end(isCut: false) }
        zeroByteCount += Self.blockByteCount
        position += Self.blockByteCount
        return .moved
    }

    // MARK: - Extension headers

    private mutating func extend(
        _ type: UInt8,
        size: Int,
        bytes: Slice<UnsafeBufferPointer<UInt8>>,
        isEnd: Bool
    ) -> ArchiveStep {
        let whole = Self.blockByteCount + Self.padded(size)
        let isName = type == UInt8(ascii: "L") || type == UInt8(ascii: "K")
        let isPax = type == UInt8(ascii: "x")
        let limit = isName ? ArchiveMember.maximumNameByteCount : Self.maximumPaxByteCount
        if isName || isPax, size <= limit {
            guard bytes.count >= whole else { return isEnd ? .end(isCut: true) : .needs(whole) }
            let content = bytes.dropFirst(Self.blockByteCount).prefix(size)
            switch type {
            case UInt8(ascii: "L"): longName = Array(content.beforeZero)
            case UInt8(ascii: "K"): longTarget = Array(content.beforeZero)
            default: takePax(content)
            }
        }
        position += whole
        return .moved
    }

    /// Reads records of the form "LENGTH KEY=VALUE\n"; stops at an invalid record.
    private mutating func takePax(_ content: Slice<UnsafeBufferPointer<UInt8>>) {
        var rest = content
        while let space = rest.firstIndex(of: 0x20) {
            guard let length = Int(String(decoding: rest[..<space], as: UTF8.self)),
                length > space - rest.startIndex + 1, length <= rest.count
            else { return }
            let record = rest.prefix(length).dropFirst(space - rest.startIndex + 1).dropLast()
            rest = rest.dropFirst(length)
            guard let sign = record.firstIndex(of: UInt8(ascii: "=")) else { return }
            let value = record[(sign + 1)...]
            switch String(decoding: record[..<sign], as: UTF8.self) {
            case "path": paxName = Array(value.prefix(ArchiveMember.maximumNameByteCount))
            case "linkpath": longTarget = Array(value.prefix(ArchiveMember.maximumNameByteCount))
            case "size":
                let size = Int(String(decoding: value, as: UTF8.self))
                paxByteCount = size.flatMap { (0...(1 << 60)).contains($0) ? $0 : nil }
            case let key where key.hasPrefix("GNU.sparse."):
                isSparse = true
                // "path" contains a substitute name for programs that do not support sparse files.
                if key == "GNU.sparse.name" {
                    sparseName = Array(value.prefix(ArchiveMember.maximumNameByteCount))
                }
            default: break
            }
        }
    }

    // MARK: - Members

    private mutating func member(
        _ header: Slice<UnsafeBufferPointer<UInt8>>,
        headerSize: Int,
        bytes: Slice<UnsafeBufferPointer<UInt8>>,
        isEnd: Bool
    ) -> ArchiveStep {
        let type = header[156]
        var dataOffset = Self.blockByteCount
        if type == UInt8(ascii: "S") {
            isSparse = true
            switch Self.sparseHeaderByteCount(bytes) {
            case .success(let count): dataOffset = count
            case .failure(let lack):
                return isEnd || lack.isTooLong
                    ? .damaged("has a sparse file without an end") : .needs(lack.needed)
            }
        }
        let size = paxByteCount ?? headerSize
        let name = sparseName ?? paxName ?? longName ?? Self.name(in: header)
        let kind = kind(type, name, target: longTarget ?? Array(header[157..<257].beforeZero))
        let member = ArchiveMember(
            name: name,
            kind: kind,
            byteCount: size,
            place: .plain(offset: position + dataOffset)
        )
        position += dataOffset + (Self.hasData(type) ? Self.padded(size) : 0)
        (longName, paxName, sparseName, paxByteCount, isSparse) = (nil, nil, nil, nil, false)
        longTarget = nil
        return .member(member)
    }

    private func kind(
        _ type: UInt8,
        _ name: [UInt8],
        target: [UInt8]
    ) -> ArchiveMember.Kind {
        switch type {
        case _ where isSparse: .unreadable("a sparse file")
        case 0, UInt8(ascii: "0"), UInt8(ascii: "7"):
            name.last == UInt8(ascii: "/") ? .folder : .file
        case UInt8(ascii: "5"): .folder
        case UInt8(ascii: "1"): .hardLink(to: target)
        case UInt8(ascii: "2"): .link
        default: .other
        }
    }

    /// Returns whether a member has data.
    ///
    /// Links, devices, directories and pipes have no data, even if they declare a size.
    private static func hasData(_ type: UInt8) -> Bool {
        !(UInt8(ascii: "1")...UInt8(ascii: "6")).contains(type)
    }

    private struct Lack: Error {
        let needed: Int
        let isTooLong: Bool
    }

    /// Returns the length of a GNU sparse file's header in bytes.
    ///
    /// The map of the sparse file may continue in additional blocks. Each block declares whether
    /// another block follows.
    private static func sparseHeaderByteCount(
        _ bytes: Slice<UnsafeBufferPointer<UInt8>>
    ) -> Result<Int, Lack> {
        var count = blockByteCount
        var goesOn = bytes[482] != 0
        while goesOn {
            let isTooLong = count > maximumSparseBlocks * blockByteCount
            guard !isTooLong, bytes.count >= count + blockByteCount else {
                return .failure(Lack(needed: count + blockByteCount, isTooLong: isTooLong))
            }
            goesOn = bytes[count + 504] != 0
            count += blockByteCount
        }
        return .success(count)
    }

    private static func padded(_ count: Int) -> Int { (count + 511) & ~511 }

    // MARK: - Fields

    private static func name(in header: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
        let name = header[0..<100].beforeZero
        // GNU archives store times in the field that POSIX archives use for the directory.
        let isPOSIX = header[257..<263].elementsEqual(Array("ustar".utf8) + [0])
        let prefix = isPOSIX ? header[345..<500].beforeZero : header[345..<345]
        return prefix.isEmpty ? Array(name) : Array(prefix) + [UInt8(ascii: "/")] + Array(name)
    }

    /// Returns the size of a member in bytes.
    ///
    /// The size is stored in octal digits or, if it is 8 GiB or more, in GNU's binary format.
    private static func size(in header: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let field = header[124..<136]
        if field[124] == 0x80 {
            let value = field.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return value <= 1 << 60 ? Int(value) : nil
        }
        return octal(field)
    }

    private static func octal(_ field: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
        guard digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 << 3 | Int($1 - 0x30) }
    }

    /// Returns whether the checksum of a header is correct.
    ///
    /// The checksum is the sum of all header bytes, with the bytes of the checksum field counted as
    /// spaces. A sum of signed bytes is also accepted, because old programs computed it that way.
    private static func hasRightSum(_ header: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let sum = octal(header[148..<156]) else { return false }
        var (unsigned, signed) = (8 * 0x20, 8 * 0x20)
        for index in header.indices where !(148..<156).contains(index) {
            unsigned += Int(header[index])
            signed += Int(Int8(bitPattern: header[index]))
        }
        return sum == unsigned || sum == signed
    }
}
