import DecoderContracts
import FeedContracts
import Glibc

/// A contract with what helps the fuzzer to reach its depths.
struct FuzzTarget: Sendable {
    let contract: Contract
    /// Whether most mutations keep lengths and checksums of chunks in order.
    var mendsPNG = false

    static let all = (Contract.decoding + [Contract.feeds]).map { contract in
        FuzzTarget(contract: contract, mendsPNG: contract.name.hasPrefix("PNG"))
    }

    /// The one that this process was started for.
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
