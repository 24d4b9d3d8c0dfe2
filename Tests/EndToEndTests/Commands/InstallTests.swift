import Glibc
import TerminalUI
import Testing

extension EndToEnd {
    /// What `make install` puts where shells and `man` look for it.
    @Suite struct InstallTests {
        private let program = TestProgram()

        private var script: String {
            let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
            return "/\(root)/Scripts/install.sh"
        }

        private func shell(_ command: String) throws -> ProgramRun {
            try ProgramRun("/bin/bash", ["-c", command], environment: program.environment())
        }

        @Test
        func
            `program, manual and completions are where they are found, and uninstall removes them`()
            throws
        {
            defer { program.remove() }
            let prefix = "\(program.home)/local"
            let install = try shell("\(script) install \(program.path) \(prefix)")
            #expect(install.status == .exited(0), "\(install.errors)")

            let share = "\(prefix)/share"
            let files = [
                "\(prefix)/bin/termgallery", "\(share)/man/man1/termgallery.1",
                "\(share)/bash-completion/completions/termgallery",
                "\(share)/zsh/site-functions/_termgallery",
                "\(share)/fish/vendor_completions.d/termgallery.fish",
                "\(share)/doc/termgallery/LICENSE", "\(share)/doc/termgallery/THIRD-PARTY.md",
            ]
            for file in files {
                var status = stat()
                #expect(stat(file, &status) == 0 && status.st_size > 1000, "\(file)")
            }
            #expect(try shell("\(files[0]) --version").status == .exited(0))
            let bash = try shell("source \(files[2]) && complete -p termgallery")
            #expect(bash.status == .exited(0) && bash.text.contains("-F"), "\(bash.errors)")
            for file in files[2...4] {
                let text = try shell("cat \(file)").text
                #expect(text.contains("tile-width") && text.contains("no-config"), "\(file)")
            }
            #expect(try shell("head -n 1 \(files[3])").text == "#compdef termgallery\n")

            let uninstall = try shell("\(script) uninstall \(program.path) \(prefix)")
            #expect(uninstall.status == .exited(0))
            #expect(uninstall.text.contains("the disk cache and the configuration stay"))
            #expect(try shell("find \(prefix) -mindepth 1").output.isEmpty)
        }

        @Test func `below usr, zsh finds the completions in Debian's folder`() throws {
            defer { program.remove() }
            let prefix = "\(program.home)/usr"
            let isDebian = access("/etc/debian_version", F_OK) == 0
            let folder = isDebian ? "vendor-completions" : "site-functions"

            let install = try shell("\(script) install \(program.path) \(prefix)")

            #expect(install.status == .exited(0), "\(install.errors)")
            #expect(access("\(prefix)/share/zsh/\(folder)/_termgallery", F_OK) == 0)
        }

        @Test func `a package chooses the folders below its staging folder`() throws {
            defer { program.remove() }
            let stage = "\(program.home)/stage"
            let variables =
                "DESTDIR=\(stage) MANDIR=/doc/man BASHDIR=/shells/bash ZSHDIR=/shells/zsh "
                + "FISHDIR=/shells/fish"
            let files = [
                "/usr/bin/termgallery", "/doc/man/man1/termgallery.1", "/shells/bash/termgallery",
                "/shells/zsh/_termgallery", "/shells/fish/termgallery.fish",
                "/usr/share/doc/termgallery/LICENSE", "/usr/share/doc/termgallery/THIRD-PARTY.md",
            ]

            let install = try shell("\(variables) \(script) install \(program.path) \(stage)/usr")
            #expect(install.status == .exited(0), "\(install.errors)")
            let found = try shell("cd \(stage) && find -type f -printf '/%P\\n'").lines
            #expect(found.map(String.init).sorted() == files.sorted())

            let uninstall = try shell(
                "\(variables) \(script) uninstall \(program.path) \(stage)/usr"
            )
            #expect(uninstall.status == .exited(0))
            #expect(try shell("find \(stage) -type f").output.isEmpty)
        }
    }
}
