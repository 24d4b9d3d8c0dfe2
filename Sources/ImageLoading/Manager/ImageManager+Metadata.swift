public import Decoders

extension ImageManager {
    /// Reads the metadata of an image file, or of an XMP sidecar: EXIF, IPTC, XMP, and the texts of
    /// PNG files.
    ///
    /// `file` is the content of the file. It is read on a decode thread, in a helper process if
    /// decoders are isolated. If something can't be read, `ImageMetadata.problem` has the reason.
    /// If the task is cancelled, the result is empty.
    public func metadata(of file: [UInt8]) async -> ImageMetadata {
        let engine = engine
        let result = try? await engine.decoding.pool.run(priority: .normal) { _ in
            engine.metadata(of: file)
        }
        return result ?? ImageMetadata()
    }

    /// Reads the format and the size of an image from the header of its file, which `file` contains.
    ///
    /// Like `metadata(of:)`, this uses a decode thread and, if possible, a helper process. Throws the
    /// reason if the file is not an image or no decoder can read it.
    public func properties(
        of file: [UInt8]
    ) async throws(ImageDecodingError) -> ImageProperties {
        let registry = engine.decoding.registry
        let result = try? await engine.decoding.pool.run(priority: .normal) { _ in
            Result { () throws(ImageDecodingError) in try registry.probe(file) }
        }
        guard let result else { throw .cancelled }
        return try result.get()
    }
}

extension LoadEngine {
    /// Reads metadata on the calling thread.
    fileprivate func metadata(of file: [UInt8]) -> ImageMetadata {
        do throws(ImageDecodingError) {
            if let found = try helpers?.metadata(of: file, limits: decoding.limits) { return found }
            return file.withUnsafeBufferPointer(MetadataReader.read)
        } catch {
            var nothing = ImageMetadata()
            nothing.problem = error.description
            return nothing
        }
    }
}
