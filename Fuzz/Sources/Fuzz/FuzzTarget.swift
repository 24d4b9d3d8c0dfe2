import CLibFuzzer
import DecoderContracts
import FeedContracts
import Glibc

/// A contract, with the help that the fuzzer needs to reach deep code.
struct FuzzTarget: Sendable {
    let contract: Contract
    /// Whether most mutations keep lengths and checksums of chunks valid.
    var mendsPNG = false

    private static let documents = [
        Contract.feeds, .json, .tables, .archives, .pages, .multipart,
    ]

    static let all = (Contract.decoding + documents).map { contract in
        FuzzTarget(contract: contract, mendsPNG: contract.name.hasPrefix("PNG"))
    }

    /// The target that this process was started for.
    static let chosen = getenv("FUZZ_TARGET").flatMap { name in
        all.first { $0.name == String(cString: name) }
    }

    var name: String { contract.name }

    /// Traps if the contract does not hold, so that libFuzzer keeps the bytes.
    func check(_ bytes: UnsafeBufferPointer<UInt8>) {
        do throws(BrokenContract) {
            try contract.check(Array(bytes))
        } catch {
            fatalError("\(name) is broken: \(error)")
        }
    }
}

/// Mutates an input; libFuzzer finds this function by its name.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
    _ start: UnsafeMutablePointer<UInt8>,
    _ count: Int,
    _ maximumCount: Int,
    _ seed: UInt32
) -> Int {
    guard FuzzTarget.chosen?.mendsPNG == true, !seed.isMultiple(of: 8) else {
        return LLVMFuzzerMutate(start, count, maximumCount)
    }
    let file = Array(UnsafeBufferPointer(start: start, count: count))
    let mutated = ChunkMutation(seed: seed).applied(to: file)
    guard mutated.count <= maximumCount else {
        return LLVMFuzzerMutate(start, count, maximumCount)
    }
    start.update(from: mutated, count: mutated.count)
    return mutated.count
}

/// A change to one chunk of a PNG; the rest of the file stays valid, so that the decoder gets past
/// the checksums.
struct ChunkMutation {
    private var seed: Int

    init(seed: UInt32) { self.seed = Int(seed) / 8 }

    func applied(to file: [UInt8]) -> [UInt8] {
        var mutation = self
        return mutation.apply(to: file)
    }

    private mutating func apply(to file: [UInt8]) -> [UInt8] {
        var chunks = PNGChunk.split(file)
        guard !chunks.isEmpty else { return PNGChunk.joined([]) }
        let index = choice(of: chunks.count)
        switch choice(of: 16) {
        case 0: chunks.insert(chunks[index], at: choice(of: chunks.count))
        case 1: chunks.remove(at: index)
        case 2: chunks.swapAt(index, choice(of: chunks.count))
        case 3: chunks[index].type = Self.mutated(chunks[index].type, room: 0)
        case 4: split(&chunks, at: index)
        default: chunks[index].data = Self.mutatedData(chunks[index])
        }
        return PNGChunk.joined(chunks)
    }

    /// Splits a chunk into two, as encoders do with the pixels.
    private mutating func split(_ chunks: inout [PNGChunk], at index: Int) {
        let place = choice(of: chunks[index].data.count + 1)
        var rest = chunks[index]
        rest.data.removeFirst(place)
        chunks[index].data.removeLast(rest.data.count)
        chunks.insert(rest, at: index + 1)
    }

    /// Returns the next of the choices that the seed encodes.
    private mutating func choice(of count: Int) -> Int {
        defer { seed /= count }
        return seed % count
    }

    /// Returns mutated data; pixels stored without compression are changed inside their stream.
    private static func mutatedData(_ chunk: PNGChunk) -> [UInt8] {
        if chunk.type == Array("IDAT".utf8), let bytes = StoredZlib.unwrap(chunk.data) {
            return StoredZlib.wrap(mutated(bytes, room: 64))
        }
        return mutated(chunk.data, room: 64)
    }

    private static func mutated(_ bytes: [UInt8], room: Int) -> [UInt8] {
        let byteCount = bytes.count
        var bytes = bytes + [UInt8](repeating: 0, count: room)
        let count = bytes.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { LLVMFuzzerMutate($0, byteCount, buffer.count) } ?? 0
        }
        return Array(bytes.prefix(count))
    }
}
