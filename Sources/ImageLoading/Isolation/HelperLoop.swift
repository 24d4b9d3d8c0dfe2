internal import CSandbox
internal import Decoders
internal import Glibc

/// The main loop of a helper process.
///
/// It decodes one image at a time on one thread, until there are no more requests.
struct HelperLoop {
    let decoders: DecoderRegistry
    let purpose: HelperPurpose

    func run() -> Never {
        csandbox_begin()
        decoders.prepare(group: purpose.group)
        if purpose.group == MetadataReader.helperGroup { MetadataReader.prepare() }
        guard let page = csandbox_map_control(), let bodies = csandbox_map_bodies() else {
            csandbox_exit(1)
        }
        var greeting = giveUp()
        let size = MemoryLayout.size(ofValue: greeting)
        guard csandbox_send(Int32(csandbox_socket), &greeting, size, -1) == 0 else {
            csandbox_exit(1)
        }
        var request = csandbox_request()
        var body: Int32 = -1
        while csandbox_take_request(&request, &body) {
            let count = Int(request.byte_count)
            let own = body < 0 ? nil : csandbox_map_body(body, count)
            guard let start = body < 0 ? bodies : own else { break }
            let bytes = UnsafeRawBufferPointer(start: start, count: count)
            var answer = bytes.withMemoryRebound(to: UInt8.self) { bytes in
                self.answer(to: request, bytes, page)
            }
            if let own { csandbox_free_body(own, count) }
            let size = MemoryLayout.size(ofValue: answer)
            guard csandbox_send(Int32(csandbox_socket), &answer, size, -1) == 0 else { break }
        }
        csandbox_exit(0)
    }

    private func giveUp() -> csandbox_greeting {
        let folders = decoders.readableFolders(group: purpose.group).map { strdup($0) } + [nil]
        defer { for folder in folders { free(folder) } }
        let paths = folders.map { UnsafePointer($0) }
        return csandbox_give_up(
            UInt64(purpose.limits.byteCount),
            UInt64(purpose.limits.seconds),
            purpose.group != nil,
            paths
        )
    }

    private func answer(
        to request: csandbox_request,
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ page: UnsafeRawPointer
    ) -> csandbox_answer {
        var answer = csandbox_answer()
        answer.number = request.number
        do throws(ImageDecodingError) {
            guard request.work != .read_metadata else {
                answer.first = Int64(try Self.write(MetadataReader.read(bytes).bytes, at: 0))
                return answer
            }
            guard let image = try image(from: bytes, request, page) else {
                throw .isolationUnavailable("IsolatedDecoding.runIfAsked() has no decoder for it")
            }
            try Self.write(image)
            answer.set(image)
        } catch {
            answer.set(error)
        }
        return answer
    }

    /// Decodes the bytes, or only reads their header.
    ///
    /// Returns nil if no decoder recognizes the bytes.
    private func image(
        from bytes: UnsafeBufferPointer<UInt8>,
        _ request: csandbox_request,
        _ page: UnsafeRawPointer
    ) throws(ImageDecodingError) -> DecodedImage? {
        if request.work == .read_header {
            let properties = try decoders.probe(inPlace: bytes)
            return properties.map { DecodedImage(pixels: .empty, properties: $0) }
        }
        let number = request.number
        // Proof for nonisolated(unsafe): the page stays mapped for the life of the process, and it
        // is read atomically.
        nonisolated(unsafe) let page = page
        let options = DecodingOptions(request) { csandbox_is_cancelled(page, number) }
        return try decoders.decode(inPlace: bytes, options: options)
    }

    /// Writes all pixels and then the frame durations to the memory that the program reads.
    private static func write(_ image: DecodedImage) throws(ImageDecodingError) {
        let frames = image.animation?.frames ?? []
        let buffers = frames.isEmpty ? [image.pixels] : frames.map(\.pixels)
        var offset = 0
        for buffer in buffers { offset += try write(buffer.bytes, at: offset) }
        _ = try write(
            frames.map { Int64(clamping: Int(($0.duration / .nanoseconds(1)))) },
            at: offset
        )
    }

    /// Writes an array to the memory that the program reads, and returns its number of bytes.
    private static func write<Element: BitwiseCopyable>(
        _ array: [Element],
        at offset: Int
    ) throws(ImageDecodingError) -> Int {
        let (byteCount, isWritten) = array.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return (0, true) }
            return (bytes.count, csandbox_write_answer(start, bytes.count, Int64(offset)))
        }
        guard isWritten else { throw .tooMuchMemory(byteCount: offset + byteCount, limit: 0) }
        return byteCount
    }
}
