import Feeds

/// A command-line option that a configuration may contain under the same name.
///
/// This table is the only list of these options. Any other name is reported as an unknown key. A
/// test checks that no option of any command is missing.
struct ConfigurationOption: Equatable {
    /// The kind of an option's value.
    enum Kind: Equatable {
        /// A Boolean: true means `--name`, and false means `--no-name` if that option exists.
        case flag(hasOpposite: Bool)
        case number
        case text
        /// The path of a file or directory.
        ///
        /// A leading `~/` refers to the home directory.
        case path
        /// A number, or a string such as "64M".
        case byteCount
        /// An array of names, or a string of names separated by commas.
        case names
    }

    /// A group of options shared by commands.
    enum Group: Equatable {
        case screen, feed, loading, disk, gallery, thumbnails
    }

    let name: String
    let kind: Kind
    let group: Group

    private init(_ name: String, _ kind: Kind, group: Group) {
        (self.name, self.kind, self.group) = (name, kind, group)
    }

    static let all = [
        ConfigurationOption("colors", .text, group: .screen),
        ConfigurationOption("symbols", .text, group: .screen),
        ConfigurationOption("dither", .text, group: .screen),
        ConfigurationOption("pixels", .text, group: .screen),
        ConfigurationOption("theme", .text, group: .screen),
        ConfigurationOption("url-key", .text, group: .feed),
        ConfigurationOption("caption-key", .text, group: .feed),
        ConfigurationOption("url-column", .text, group: .feed),
        ConfigurationOption("caption-column", .text, group: .feed),
        ConfigurationOption("encoding", .text, group: .feed),
        ConfigurationOption("plain", .flag(hasOpposite: true), group: .gallery),
        ConfigurationOption("autoscroll", .flag(hasOpposite: true), group: .gallery),
        ConfigurationOption("prefetch", .text, group: .gallery),
        ConfigurationOption("tile-width", .number, group: .gallery),
        ConfigurationOption("crop", .flag(hasOpposite: true), group: .gallery),
        ConfigurationOption("justify", .flag(hasOpposite: true), group: .gallery),
        ConfigurationOption("lanes", .flag(hasOpposite: true), group: .gallery),
        ConfigurationOption("cancel", .flag(hasOpposite: true), group: .gallery),
        ConfigurationOption("remember", .flag(hasOpposite: true), group: .gallery),
        ConfigurationOption("refresh-every", .text, group: .gallery),
        ConfigurationOption("labels", .path, group: .gallery),
        ConfigurationOption("label-names", .names, group: .gallery),
        ConfigurationOption("opener", .text, group: .gallery),
        ConfigurationOption("exact", .flag(hasOpposite: true), group: .thumbnails),
        ConfigurationOption("transfers", .number, group: .loading),
        ConfigurationOption("proxy", .text, group: .loading),
        ConfigurationOption("offline", .flag(hasOpposite: true), group: .loading),
        ConfigurationOption("timeout", .number, group: .loading),
        ConfigurationOption("patience", .number, group: .loading),
        ConfigurationOption("max-bytes", .byteCount, group: .loading),
        ConfigurationOption("max-pixels", .number, group: .loading),
        ConfigurationOption("isolate", .text, group: .loading),
        ConfigurationOption("memory-cache", .byteCount, group: .loading),
        ConfigurationOption("no-disk-cache", .flag(hasOpposite: false), group: .loading),
        ConfigurationOption("desktop-thumbnails", .flag(hasOpposite: true), group: .loading),
        ConfigurationOption("log", .path, group: .loading),
        ConfigurationOption("trace", .path, group: .loading),
        ConfigurationOption("disk-cache", .byteCount, group: .disk),
        ConfigurationOption("cache-dir", .path, group: .disk),
    ]

    /// Returns the option groups of a command.
    ///
    /// Returns an empty array if the command doesn't use a configuration.
    static func groups(ofCommand name: String) -> [Group] {
        switch name {
        case "gallery": [.screen, .feed, .loading, .disk, .gallery, .thumbnails]
        case "demo": [.screen, .loading, .disk, .gallery, .thumbnails]
        case "print": [.screen, .feed, .loading, .disk, .thumbnails]
        case "preview": [.screen, .loading, .disk]
        case "fetch": [.feed, .loading, .disk]
        case "compare", "info": [.loading, .disk]
        case "cache": [.disk]
        case "doctor": [.screen]
        default: []
        }
    }

    /// Returns the command-line argument that sets the option to a value, as a single word, or nil
    /// if no argument is needed.
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
