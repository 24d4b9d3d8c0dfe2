import Glibc
import TerminalUI
import Testing

extension EndToEnd {
    /// How the program starts in unusual surroundings.
    @Suite struct StartTests {
        private let program = TestProgram()

        // The Swift runtime searches for the arguments in front of the environment, which setenv moves.
        @Test func `a preloaded library that calls setenv does not hide the arguments`() throws {
            defer { program.remove() }
            let source = try program.write(
                """
                #include <stdlib.h>
                __attribute__((constructor)) static void start(void) { setenv("A", "b", 1); }
                """.utf8,
                to: "preloaded.c"
            )
            let library = "\(program.home)/preloaded.so"
            let compiler = try ProgramRun(
                "/usr/bin/env",
                ["clang", "-shared", "-fPIC", "-o", library, source],
                environment: ["PATH": String(cString: getenv("PATH"))]
            )
            try #require(compiler.status == .exited(0), "\(compiler.errors)")

            var environment = program.environment()
            environment["LD_PRELOAD"] = library
            let run = try ProgramRun(
                program.path,
                ["print", program.pictureFolder(count: 1)],
                environment: environment
            )

            #expect(run.status == .exited(0) && run.text.contains("picture 1.png"))
        }

        @Test func `a stack limit that is too low is an error`() throws {
            defer { program.remove() }
            let run = try ProgramRun(
                "/bin/sh",
                ["-c", "ulimit -s 128; exec \(program.path) print /"],
                environment: program.environment()
            )

            #expect(run.status == .exited(71) && run.errors.contains("ulimit -s 8192"))
        }

        @Test func `the version is printed alone`() throws {
            defer { program.remove() }
            let run = try program.run(["--version"])

            #expect(run.status == .exited(0) && run.lines.count == 1)
        }
    }
}
