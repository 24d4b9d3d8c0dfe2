/// A URL as the disk cache sees it: the name of its files, and what tells it from another URL
/// whose files have the same name.
struct DiskKey: Sendable {
    let url: ImageURL
    let file: CacheFileName
    let owner: MessageDigest

    init(_ url: ImageURL, naming: CacheFileNaming) {
        self.url = url
        file = CacheFileName(url, naming: naming)
        owner = MessageDigest.sha256(url.fileKey)
    }

    func name(_ kind: EntryName.Kind) -> EntryName { EntryName(file, kind) }

    var body: EntryName { name(.body) }
    var partial: EntryName { name(.partial) }
}
