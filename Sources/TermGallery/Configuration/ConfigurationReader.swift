import GalleryCore
import ImageLoading
import TerminalUI

/// Converts a TOML document to a configuration.
///
/// The reader continues after an error to report all errors at once.
struct ConfigurationReader {
    private(set) var configuration = Configuration()
    private(set) var faults: [TextFault] = []
    private let home: String?

    init(home: String?) {
        self.home = home
    }

    private static let sections = ["keys", "colors", "hosts"]

    mutating func read(_ document: TOMLTable) {
        for entry in document.entries {
            switch (entry.key, entry.value.table) {
            case ("keys", let table?): readKeys(table)
            case ("colors", let table?): readColors(table)
            case ("hosts", let table?): readHosts(table)
            case (_, let table):
                if table != nil, ConfigurationOption.all.allSatisfy({ $0.name != entry.key }) {
                    refuse(entry.position, what: "section", name: entry.key, known: Self.sections)
                } else {
                    readOption(entry)
                }
            }
        }
    }

    private mutating func complain(_ position: TextPosition, _ text: String) {
        faults.append(TextFault(position: position, text: text))
    }

    private mutating func refuse(
        _ position: TextPosition,
        what: String,
        name: String,
        known: [String]
    ) {
        complain(position, "unknown \(what) \"\(name)\"" + Spelling.hint(for: name, among: known))
    }

    private mutating func readOption(_ entry: TOMLTable.Entry) {
        guard let option = ConfigurationOption.all.first(where: { $0.name == entry.key }) else {
            if Self.sections.contains(entry.key) {
                return complain(entry.value.position, "[\(entry.key)] is a table")
            }
            let names = ConfigurationOption.all.map(\.name)
            return refuse(entry.position, what: "key", name: entry.key, known: names)
        }
        do throws(TextFault) {
            guard let argument = try option.argument(entry.value, home: home) else { return }
            configuration.options.append(
                Configuration.Option(
                    name: option.name,
                    argument: argument,
                    position: entry.value.position
                )
            )
        } catch {
            faults.append(error)
        }
    }

    // MARK: Keys

    private mutating func readKeys(_ table: TOMLTable) {
        let actions = KeyChanges.actionNames
        for entry in table.entries {
            guard actions.contains(entry.key) else {
                refuse(entry.position, what: "action", name: entry.key, known: actions)
                continue
            }
            guard let names = entry.value.strings else {
                complain(entry.value.position, "\(entry.key) takes a key or an array of keys")
                continue
            }
            configuration.keys.keys[entry.key] = names.compactMap { key(of: $0) }
        }
        if let conflict = configuration.keys.conflict,
            let entry = table.entries.first(where: { $0.key == conflict.second })
        {
            let text = "\(conflict.key) is both \(conflict.first) and \(conflict.second)"
            complain(entry.position, text)
        }
    }

    private mutating func key(of value: TOMLValue) -> Key? {
        guard let name = value.string else { return nil }
        if let key = Key(configurationName: name) { return key }
        complain(
            value.position,
            "no key is called \"\(name)\"; a key is a character such as \"j\", or a name such as "
                + "\"space\", "
                + "\"ctrl-d\", \"page-down\""
        )
        return nil
    }

    // MARK: Colors

    private mutating func readColors(_ table: TOMLTable) {
        for entry in table.entries {
            guard let role = ColorRole(rawValue: entry.key) else {
                refuse(
                    entry.position,
                    what: "color",
                    name: entry.key,
                    known: ColorRole.allCases.map(\.rawValue)
                )
                continue
            }
            guard let color = entry.value.string.flatMap(CellColor.init(hexadecimal:)) else {
                complain(entry.value.position, "\(entry.key) takes a color like \"#7cb7ff\"")
                continue
            }
            configuration.colors[role] = color
        }
    }

    // MARK: Hosts

    private mutating func readHosts(_ table: TOMLTable) {
        for entry in table.entries {
            guard let origin = Self.origin(entry.key) else {
                complain(
                    entry.position,
                    "a host is a name such as \"example.org\", with a port if it has one of its "
                        + "own, and "
                        + "with http:// in front if it has no https"
                )
                continue
            }
            guard let host = entry.value.table else {
                complain(entry.value.position, "[hosts.\"\(entry.key)\"] is a table")
                continue
            }
            for part in host.entries {
                guard part.key == "headers" else {
                    refuse(part.position, what: "key", name: part.key, known: ["headers"])
                    continue
                }
                let fields = headers(part.value)
                configuration.hosts.append(HostFields(origin: origin, fields: fields))
            }
        }
    }

    /// Returns the origin of a host, or nil if the host is invalid.
    ///
    /// The origin is formatted as in a normalized URL: in lowercase, and without the scheme's
    /// default port.
    private static func origin(_ host: String) -> String? {
        let lower = host.lowercased()
        let address = lower.contains("://") ? lower : "https://" + lower
        guard address.hasPrefix("https://") || address.hasPrefix("http://"),
            let url = try? ImageURL(parsing: address + "/", origin: .local),
            let name = url.host, !name.isEmpty, !address.contains("@"),
            url.absoluteString.hasSuffix("/"),
            url.absoluteString.utf8.count(where: { $0 == UInt8(ascii: "/") }) == 3
        else { return nil }
        return String(url.absoluteString.dropLast())
    }

    private mutating func headers(_ value: TOMLValue) -> [HeaderField] {
        guard let table = value.table else {
            complain(value.position, "headers is a table of names and strings")
            return []
        }
        return table.entries.compactMap { entry in
            guard Self.isFieldName(entry.key) else {
                complain(entry.position, "this is not a header field name")
                return nil
            }
            guard !Self.ownNames.contains(entry.key.lowercased()) else {
                complain(entry.position, "the program sets \(entry.key) itself")
                return nil
            }
            // The message omits the value because it is usually a secret.
            guard let text = entry.value.string, Self.isFieldValue(text) else {
                complain(entry.value.position, "\(entry.key) takes a string of one line")
                return nil
            }
            return HeaderField(entry.key, text)
        }
    }

    private static let ownNames: Set<String> = [
        "connection", "content-length", "host", "if-match", "if-modified-since", "if-none-match",
        "if-range", "if-unmodified-since", "range", "te", "transfer-encoding", "upgrade",
    ]

    /// Returns whether a header field name is a valid token (RFC 9110, 5.6.2).
    private static func isFieldName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    private static func isFieldValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F }
    }
}
