/// The rules for requests to the sites of a long list (`HostPoliteness`).
package struct PolitenessPolicy: Equatable, Sendable {
    /// The condition under which the rules of sites are followed.
    package enum RobotsUse: String, CaseIterable, Sendable {
        /// The rules are followed as soon as a list has more than `longList` entries and at least
        /// `manySites` sites.
        case auto
        /// The rules are followed from the first image.
        case always
        case never
    }

    /// The number of entries above which a list is considered long.
    package static let longList = 1_000
    /// The minimum number of different sites for a list to count as having many sites.
    package static let manySites = 10
    /// The maximum pause, in seconds, between two requests to a site, regardless of the site's
    /// rules.
    package static let longestDelay = 60.0
    /// The pause before a site's rules are requested again if they were unavailable.
    package static let robotsPause = Duration.seconds(5)
    /// The number of stored sites at which `HostPoliteness` discards idle sites.
    package static let mostSites = 10_000
    /// The maximum total size of the rules of all sites, in bytes.
    package static let mostBytes = 16 << 20

    /// The condition under which the rules of sites are followed.
    package var robots = RobotsUse.never
    /// The user agent to look for in the rules of sites.
    package var program = RobotsAnswer.program
    /// The minimum time between two requests to a site.
    package var pause = Duration.zero
    /// The period after the first failed attempt during which a site's unavailable rules are
    /// requested again.
    package var patience = Duration.zero

    /// Creates a policy that ignores the rules of sites and requires no pauses.
    package init() {}

    /// Whether the policy can delay or reject a request.
    package var isOfEffect: Bool { robots != .never || pause > .zero }
}
