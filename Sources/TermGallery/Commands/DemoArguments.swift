import ArgumentParser
import DemoServer

/// How the demo server behaves; shared by `demo` and `serve`.
struct DemoArguments: ParsableArguments {
    @Option(help: ArgumentHelp("Pictures in its feed.", valueName: "count"))
    var count = 1000

    @Option(help: ArgumentHelp("Wait so long before each answer.", valueName: "milliseconds"))
    var latency = 300

    @Option(
        help: ArgumentHelp(
            "Bytes a second on each connection (k, M; 0: no limit).",
            valueName: "bytes"
        )
    )
    var bandwidth = ByteCountArgument(value: 200 << 10)

    @Option(help: ArgumentHelp("Percent of the pictures that go wrong.", valueName: "percent"))
    var failures = 3

    @Option(help: ArgumentHelp("Another seed makes other pictures.", valueName: "number"))
    var seed: UInt64 = 1

    func validate() throws {
        guard (1...1_000_000).contains(count) else {
            throw ValidationError("--count takes a number from 1 to 1000000.")
        }
        guard (0...600_000).contains(latency) else {
            throw ValidationError("--latency takes milliseconds from 0 to 600000.")
        }
        guard (0...100).contains(failures) else {
            throw ValidationError("--failures takes a percentage from 0 to 100.")
        }
    }

    func configuration(port: Int) -> DemoConfiguration {
        DemoConfiguration(
            count: count,
            latency: .milliseconds(latency),
            bandwidth: bandwidth.value > 0 ? bandwidth.value : nil,
            failureRate: Double(failures) / 100,
            seed: seed,
            port: port
        )
    }

    /// Starts the server on `port`, 0 for any.
    func start(port: Int) throws -> DemoServer {
        do {
            return try DemoServer.start(configuration(port: port))
        } catch {
            throw ProgramFailure(
                .systemFailure,
                "the demo server can't listen on 127.0.0.1:\(port): \(error)"
            )
        }
    }
}
