internal import CSandbox
internal import Glibc

/// The resources of a helper that is being started.
struct HelperParts {
    let process: csandbox_process
    let socket: Int32
    let answers: Int32
    let page: UnsafeMutableRawPointer
    let bodies: UnsafeMutableRawPointer

    /// The environment variables passed to the helper.
    ///
    /// They contain library locations and sanitizer settings.
    private static let passedOn = [
        "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
    ]

    init(_ program: HelperProgram, _ purpose: HelperPurpose) throws(HelperAbsence) {
        var (mine, theirs): (Int32, Int32) = (-1, -1)
        guard csandbox_make_sockets(&mine, &theirs) else { throw Self.absence(errno) }
        var (page, bodies): (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?)
        let control = csandbox_make_control(&page)
        let memory = csandbox_make_bodies(&bodies)
        let answers = csandbox_make_memory("image-answers")
        var error = errno
        // Only the helper uses these descriptors.
        defer {
            for descriptor in [theirs, control, memory] where descriptor >= 0 { close(descriptor) }
        }
        if let page, let bodies, answers >= 0 {
            let descriptors = [theirs, answers, memory, control]
            let process = Self.start(program, purpose, descriptors)
            if process.process >= 0 {
                (self.process, socket, self.answers) = (process, mine, answers)
                (self.page, self.bodies) = (page, bodies)
                return
            }
            error = process.error
        }
        Self.release(mine, answers, page, bodies)
        throw Self.absence(error)
    }

    /// Releases the resources of a helper that failed to start.
    func release() { Self.release(socket, answers, page, bodies) }

    private static func release(
        _ socket: Int32,
        _ answers: Int32,
        _ page: UnsafeMutableRawPointer?,
        _ bodies: UnsafeMutableRawPointer?
    ) {
        close(socket)
        if answers >= 0 { close(answers) }
        if let page { csandbox_free_control(page) }
        if let bodies { csandbox_free_bodies(bodies) }
    }

    private static func absence(_ error: Int32) -> HelperAbsence {
        HelperAbsence(
            reason: "cannot start a helper process: \(String(cString: strerror(error)))",
            isLasting: [ENOENT, EACCES, EPERM, ENOSYS, EINVAL].contains(error)
        )
    }

    private static func start(
        _ program: HelperProgram,
        _ purpose: HelperPurpose,
        _ given: [Int32]
    ) -> csandbox_process {
        let passed = passedOn.compactMap { name in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        let variables =
            passed + [
                "\(IsolatedDecoding.variable)=\(purpose.text)",
                // Printing a backtrace after a crash would start another program.
                "SWIFT_BACKTRACE=enable=no",
            ]
        var environment = variables.map { strdup($0) } + [nil]
        var arguments = [strdup("image-decoder"), nil]
        defer { for text in environment + arguments { free(text) } }
        return csandbox_start(
            program.path,
            &arguments,
            &environment,
            given[0],
            given[1],
            given[2],
            given[3]
        )
    }
}
