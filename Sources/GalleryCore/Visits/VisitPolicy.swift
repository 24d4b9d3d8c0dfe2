/// How the sites of a long list are treated (`HostVisits`).
public struct VisitPolicy: Equatable, Sendable {
    /// When the rules of sites are asked for.
    public enum RobotsUse: String, CaseIterable, Sendable {
        /// In a list that is long and names many sites, from where that is seen.
        case auto
        /// From the first picture on.
        case always
        /// Not at all.
        case never
    }

    /// Entries after which a list is long.
    public static let longList = 1_000
    /// Sites that are many.
    public static let manySites = 10
    /// Seconds between two visits at most, whatever a site asks for.
    static let longestDelay = 60.0
    /// Between two requests for rules that can't be read.
    static let robotsPause = Duration.seconds(5)
    /// Sites of which something is known; of more the idle ones are forgotten.
    static let mostSites = 10_000
    /// Bytes of rules, of all sites.
    static let mostBytes = 16 << 20

    /// When the rules of sites are asked for.
    public var robots = RobotsUse.never
    /// The program that rules are looked for.
    public var program = RobotsAnswer.program
    /// The time between two visits to a site, if it asks for no longer one.
    public var pause = Duration.zero
    /// How long rules are asked for again that can't be read.
    public var patience = Duration.zero

    /// Makes a policy without rules and pauses.
    public init() {}

    /// Whether it can ever keep anything from being asked for.
    var isOfEffect: Bool { robots != .never || pause > .zero }
}
