import Glibc
import ImageLoading
import SystemSupport

/// Verifies an installed program against the checksums from its package.
///
/// The checksums have the format of `sha256sum` output. They may be signed with `ssh-keygen -Y
/// sign`.
struct ProgramVerification: Equatable {
    /// The path of the program.
    let program: String

    /// The `share/doc/termgallery` directory of the program's package.
    var folder: String {
        let parts = program.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        return parts.joined(separator: "/") + "/share/doc/termgallery"
    }

    /// The path of the checksum file.
    var sums: String { folder + "/SHA256SUMS" }

    /// Returns the program that is running.
    static func running() throws(ProgramFailure) -> Self {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard readlink("/proc/self/exe", &path, path.count - 1) > 0 else {
            throw Self.failure("cannot read /proc/self/exe")
        }
        return ProgramVerification(program: FileText.text(cString: path))
    }

    /// Throws an error unless the program's checksum matches the one listed in the `sums` file.
    func check() throws(ProgramFailure) {
        let list: [UInt8]
        do {
            list = try Self.contents(of: sums)
        } catch {
            throw Self.failure(
                """
                \(sums) is missing; it is part of the released packages. A program that you have \
                built yourself has no checksum.
                """
            )
        }
        guard let expected = Self.checksum(of: "termgallery", in: list) else {
            throw Self.failure("\(sums) has no line for termgallery; install the package again")
        }
        guard let bytes = try? Self.contents(of: program) else {
            throw Self.failure("cannot read \(program)")
        }
        guard let found = BodyDigest.sha256(bytes) else {
            throw Self.failure("checksums need libcrypto.so.3: install libssl3")
        }
        guard found == expected else {
            throw Self.failure(
                """
                \(program) is not the released program: its SHA-256 is \(found), not \(expected). \
                Install the package again.
                """
            )
        }
    }

    /// Replaces this process with `ssh-keygen`, which verifies the signature of the checksums.
    ///
    /// Returns only if there is no signature.
    func checkSignature() throws(ProgramFailure) {
        let signature = sums + ".sig"
        guard access(FileText.path(signature), F_OK) == 0 else { return }
        let file = open(FileText.path(sums), O_RDONLY | O_CLOEXEC)
        guard file >= 0, dup2(file, STDIN_FILENO) >= 0 else {
            throw Self.failure("cannot read \(sums)")
        }
        let words = [
            "ssh-keygen", "-Y", "verify", "-f", folder + "/allowed_signers", "-I", "termgallery",
            "-n", "termgallery", "-s", signature,
        ]
        var arguments = words.map { strdup(FileText.path($0)) }
        arguments.append(nil)
        // `execvp` discards the output that this process has buffered.
        fflush(nil)
        execvp("ssh-keygen", arguments)
        throw Self.failure("the signature needs ssh-keygen: install openssh-client")
    }

    /// Returns the checksum of a file from a list, in lowercase, or nil if the list does not
    /// contain the file.
    static func checksum(of name: String, in list: [UInt8]) -> String? {
        for line in list.split(separator: UInt8(ascii: "\n")) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            // A star before the name marks a binary file.
            guard words.count == 2, words[1] == name || words[1] == "*" + name else { continue }
            return words[0].lowercased()
        }
        return nil
    }

    private static func failure(_ text: String) -> ProgramFailure {
        ProgramFailure(.systemFailure, text)
    }

    private static func contents(of path: String) throws(FileReading.Problem) -> [UInt8] {
        try FileReading.withFile(at: path, followsLinks: true) {
            file,
            facts throws(FileReading.Problem) in
            try FileReading.read(file, count: facts.byteCount)
        }
    }
}
