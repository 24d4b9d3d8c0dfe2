// FUZZ_TARGET=NAME Fuzz [libFuzzer's arguments]: checks a contract on ever new bytes.
import CLibFuzzer
import Glibc

// By the environment, because libFuzzer starts itself again with arguments of its own.
guard let chosen = FuzzTarget.chosen else {
    print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
    exit(getenv("FUZZ_TARGET") == nil ? 0 : 2)
}

var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
    LLVMFuzzerRunDriver(&argumentCount, &arguments) { start, count in
        FuzzTarget.chosen?.check(UnsafeBufferPointer(start: start, count: count))
        return 0
    }
)
