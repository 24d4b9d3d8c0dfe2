import Glibc
import Testing

extension EndToEnd {
    /// `doctor --verify` in an installation whose checksums `sha256sum` has written and
    /// `ssh-keygen` has signed.
    @Suite struct VerifyTests {
        private let program = TestProgram()

        private var docs: String { "\(program.home)/usr/share/doc/termgallery" }

        /// Runs a script of the shell in the folder of the installation.
        private func shell(_ script: String) throws {
            let run = try ProgramRun(
                "/bin/sh",
                ["-ec", "mkdir -p '\(program.home)/usr'; cd '\(program.home)/usr'; \(script)"],
                environment: ["PATH": String(cString: getenv("PATH")), "HOME": program.home]
            )
            try #require(run.status == .exited(0), "\(run.errors)")
        }

        private func install() throws {
            try shell("mkdir -p bin '\(docs)'; cp '\(program.path)' bin/termgallery")
        }

        private func sum() throws {
            try shell("cd bin && sha256sum termgallery >'\(docs)/SHA256SUMS'")
        }

        private func verify() throws -> ProgramRun {
            var environment = program.environment()
            environment["PATH"] = String(cString: getenv("PATH"))
            return try ProgramRun(
                "\(program.home)/usr/bin/termgallery",
                ["doctor", "--verify"],
                environment: environment
            )
        }

        @Test func `a program with the checksum of its package is confirmed`() throws {
            defer { program.remove() }
            try install()
            #expect(try verify().errors.contains("SHA256SUMS is missing"))
            try sum()

            let run = try verify()
            #expect(run.status == .exited(0) && run.text.contains("has the checksum"))
            #expect(run.text.contains("not signed"))
        }

        @Test func `a changed program is reported`() throws {
            defer { program.remove() }
            try install()
            try sum()
            try shell("printf x >>bin/termgallery")

            let run = try verify()
            #expect(run.status == .exited(71))
            #expect(run.errors.contains("is not the released program"))
        }

        @Test func `a signature by another key is refused`() throws {
            defer { program.remove() }
            try install()
            try sum()
            try shell(
                """
                for key in one two; do ssh-keygen -q -t ed25519 -N '' -C '' -f $key; done
                ssh-keygen -q -Y sign -f one -n termgallery '\(docs)/SHA256SUMS'
                echo "termgallery $(cat one.pub)" >'\(docs)/allowed_signers'
                """
            )
            let signed = try verify()
            #expect(signed.status == .exited(0) && signed.text.contains("Good"))
            #expect(signed.text.contains("has the checksum"))

            try shell("echo \"termgallery $(cat two.pub)\" >'\(docs)/allowed_signers'")
            #expect(try verify().status != .exited(0))
        }
    }
}
