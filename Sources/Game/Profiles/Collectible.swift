// The twelve collectibles, and what earns each. Pure; the store knows which ones a player already has.
// Decisions: 120 (docs/decisions).

/// Something that a player wins once, and keeps. The raw value is stored, and is the number on the wire.
package enum Collectible: Int, CaseIterable, Comparable, Sendable {
  // A post about a country of the continent.
  case asia = 1
  case europe, africa, oceania, northAmerica, southAmerica
  /// The six before.
  case allContinents
  /// Ten posts that are there at one time.
  case tenPosts
  /// A post that a hundred players like.
  case likedPost
  /// A post with a music and three effects.
  case fullSoundtrack
  /// A plan that ten other players have taken over.
  case takenOverPlan
  /// Ten capsules of others, opened.
  case tenCapsules

  /// The collectible of a post about a country of this continent.
  package init(_ continent: Continent) {
    switch continent {
    case .asia: self = .asia
    case .europe: self = .europe
    case .africa: self = .africa
    case .oceania: self = .oceania
    case .northAmerica: self = .northAmerica
    case .southAmerica: self = .southAmerica
    }
  }

  /// Those of the six continents.
  package static let ofContinents = Set(Continent.allCases.map { Collectible($0) })

  /// The name on the wire.
  package var name: String {
    switch self {
    case .asia: "ASIA_POST"
    case .europe: "EUROPE_POST"
    case .africa: "AFRICA_POST"
    case .oceania: "OCEANIA_POST"
    case .northAmerica: "NORTH_AMERICA_POST"
    case .southAmerica: "SOUTH_AMERICA_POST"
    case .allContinents: "ALL_CONTINENTS"
    case .tenPosts: "TEN_POSTS"
    case .likedPost: "LIKED_POST"
    case .fullSoundtrack: "FULL_SOUNDTRACK"
    case .takenOverPlan: "TAKEN_OVER_PLAN"
    case .tenCapsules: "TEN_CAPSULES"
    }
  }

  package static func < (left: Collectible, right: Collectible) -> Bool { left.rawValue < right.rawValue }
}

package enum CollectibleRules {
  /// The posts of one author at one time.
  package static let postsMin: Int64 = 10
  /// The likes of one post.
  package static let likesMin: Int64 = 100
  /// The players, the author apart, who have taken one plan over.
  package static let takersMin: Int64 = 10
  /// The capsules of others that a player has opened, each once.
  package static let openingsMin: Int64 = 10

  /// The collectibles that a post earns its author as it is written or edited, in order. `posts` is the number of the
  /// author's posts with this one, and `known` what the author already has. A country that the catalogue does not have
  /// earns nothing.
  package static func earned(
    byPostAbout countries: [CountryCode],
    _ soundtrack: Soundtrack,
    posts: Int64,
    known: Set<Collectible>,
    in catalogue: CountryCatalogue = .shipped
  ) -> [Collectible] {
    var earned = Set(countries.compactMap { catalogue[$0]?.continent }.map { Collectible($0) })
    if known.union(earned).isSuperset(of: Collectible.ofContinents) { earned.insert(.allContinents) }
    if posts >= postsMin { earned.insert(.tenPosts) }
    if soundtrack.isFull { earned.insert(.fullSoundtrack) }
    return earned.subtracting(known).sorted()
  }
}
