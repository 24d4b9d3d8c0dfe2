/// An option of the command line that a configuration may hold, under the same name.
///
/// The one table of them: what it lacks is an unknown key, and a test walks all options of all
/// commands, so that none is forgotten.
struct ConfigurationOption: Equatable {
    /// What stands behind the equals sign.
    enum Kind: Equatable {
        /// true for `--name`, false for `--no-name` if there is such an option.
        case flag(hasOpposite: Bool)
        case number
        case text
        /// A name of a file or folder, in which `~/` is the home.
        case path
        /// A number, or a text such as "64M".
        case byteCount
        /// Names, in an array or with commas between them.
        case names
    }

    /// Options that commands have together.
    enum Group: Equatable {
        case screen, feed, loading, disk, gallery, thumbnails
    }

    let name: String
    let kind: Kind
    let group: Group

    private init(_ name: String, _ kind: Kind, _ group: Group) {
        (self.name, self.kind, self.group) = (name, kind, group)
    }

    static let all = [
        ConfigurationOption("colors", .text, .screen),
        ConfigurationOption("symbols", .text, .screen),
        ConfigurationOption("dither", .text, .screen),
        ConfigurationOption("pixels", .text, .screen),
        ConfigurationOption("theme", .text, .screen),
        ConfigurationOption("url-key", .text, .feed),
        ConfigurationOption("caption-key", .text, .feed),
        ConfigurationOption("url-column", .text, .feed),
        ConfigurationOption("caption-column", .text, .feed),
        ConfigurationOption("encoding", .text, .feed),
        ConfigurationOption("plain", .flag(hasOpposite: true), .gallery),
        ConfigurationOption("autoscroll", .flag(hasOpposite: true), .gallery),
        ConfigurationOption("prefetch", .text, .gallery),
        ConfigurationOption("tile-width", .number, .gallery),
        ConfigurationOption("remember", .flag(hasOpposite: true), .gallery),
        ConfigurationOption("refresh-every", .text, .gallery),
        ConfigurationOption("labels", .path, .gallery),
        ConfigurationOption("label-names", .names, .gallery),
        ConfigurationOption("opener", .text, .gallery),
        ConfigurationOption("exact", .flag(hasOpposite: true), .thumbnails),
        ConfigurationOption("transfers", .number, .loading),
        ConfigurationOption("proxy", .text, .loading),
        ConfigurationOption("offline", .flag(hasOpposite: true), .loading),
        ConfigurationOption("timeout", .number, .loading),
        ConfigurationOption("patience", .number, .loading),
        ConfigurationOption("max-bytes", .byteCount, .loading),
        ConfigurationOption("max-pixels", .number, .loading),
        ConfigurationOption("isolate", .text, .loading),
        ConfigurationOption("memory-cache", .byteCount, .loading),
        ConfigurationOption("no-disk-cache", .flag(hasOpposite: false), .loading),
        ConfigurationOption("desktop-thumbnails", .flag(hasOpposite: true), .loading),
        ConfigurationOption("log", .path, .loading),
        ConfigurationOption("trace", .path, .loading),
        ConfigurationOption("disk-cache", .byteCount, .disk),
        ConfigurationOption("cache-dir", .path, .disk),
    ]

    /// Which options a command has; none for one that takes nothing from a configuration.
    static func groups(ofCommand name: String) -> [Group] {
        switch name {
        case "gallery": [.screen, .feed, .loading, .disk, .gallery, .thumbnails]
        case "demo": [.screen, .loading, .disk, .gallery, .thumbnails]
        case "print": [.screen, .feed, .loading, .disk, .thumbnails]
        case "fetch": [.feed, .loading, .disk]
        case "cache": [.disk]
        case "doctor": [.screen]
        default: []
        }
    }

    /// The argument that says the same, as one word; nil if there is nothing to say.
    func argument(_ value: TOMLValue, home: String?) throws(TextFault) -> String? {
        switch (kind, value.content) {
        case (.flag(let hasOpposite), .boolean(let isSet)):
            isSet ? "--\(name)" : hasOpposite ? "--no-\(name)" : nil
        case (.number, .integer(let number)), (.byteCount, .integer(let number)):
            "--\(name)=\(number)"
        case (.text, .string(let text)), (.byteCount, .string(let text)): "--\(name)=\(text)"
        case (.path, .string(let path)): "--\(name)=\(Self.expanded(path, home))"
        case (.names, _):
            "--\(name)=\(try names(value).joined(separator: ","))"
        default:
            throw TextFault(
                position: value.position,
                text: "\(name) is \(kindName), not \(value.kindName)"
            )
        }
    }

    private func names(_ value: TOMLValue) throws(TextFault) -> [String] {
        guard let values = value.strings else {
            throw TextFault(position: value.position, text: "\(name) is \(kindName)")
        }
        return values.compactMap(\.string)
    }

    private static func expanded(_ path: String, _ home: String?) -> String {
        guard path.hasPrefix("~/"), let home else { return path }
        return home + path.dropFirst()
    }

    private var kindName: String {
        switch kind {
        case .flag: "true or false"
        case .number: "a whole number"
        case .text, .path: "a string"
        case .byteCount: "a number or a string like \"64M\""
        case .names: "an array of strings"
        }
    }
}
