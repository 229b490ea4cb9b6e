// The feature of countries on one shard: the catalogue that ships with the server, and where to go.
//
// Owned by one shard and used on its queue. The catalogue is constant; only recommendations ask the store.
import Game
import Gateway
import MadangProtocol
import Net
import Store

package final class Countries: Feature {
  package unowned let gateway: ShardGateway
  private let find: @Sendable (ShardCore) -> Countries
  let catalogue: CountryCatalogue
  private let photos: SharedPhotos

  init(_ gateway: ShardGateway, _ context: ServerContext, _ find: @escaping @Sendable (ShardCore) -> Countries) {
    self.gateway = gateway
    self.find = find
    catalogue = context.countries
    photos = context.photos
    gateway.handleQuery { [unowned self] in searchCountries($0, $1) }
    gateway.handleQuery { [unowned self] in answerCountry($0, $1) }
    gateway.handleQuery { [unowned self] in recommendCountries($0, $1) }
  }

  package static let name: String? = "countries"

  package var shards: ServiceShards<Countries> { ServiceShards(gateway.core.siblings, find) }

  private func searchCountries(_ wire: WireSearchCountries, _ request: PlayerRequest) {
    guard wire.query.utf8.count <= Limits.countryQueryBytesMax else {
      return request.refuse(.textTooLong, "query: at most \(Limits.countryQueryBytesMax) bytes")
    }
    guard wire.continent == .unspecified || Continent(wire.continent) != nil else {
      return refuseContinent(request)
    }
    guard gateway.payForQuery(request) else { return }
    var answer = WireCountries()
    answer.countries = catalogue.search(wire.query, in: Continent(wire.continent)).map { WireCountry($0, photos) }
    request.reply(.countries(answer))
  }

  private func answerCountry(_ wire: WireCountryRequest, _ request: PlayerRequest) {
    guard let code = CountryCode(wire.code), let country = catalogue[code] else {
      return request.refuse(.countryNotFound)
    }
    guard gateway.payForQuery(request) else { return }
    request.reply(.country(WireCountry(country, photos)))
  }

  // Recommendations.

  /// Posts of this time decide which countries are recommended.
  private static let recommendedSince = Duration.seconds(30 * 86_400)
  /// The countries that the apps recommend where posts don't say enough.
  private static let appsOwn = ["PH", "TW", "IT", "NL", "MX"].compactMap { CountryCode($0) }

  private func recommendCountries(_ wire: WireRecommendedCountries, _ request: PlayerRequest) {
    guard let continent = Continent(wire.continent) else { return refuseContinent(request) }
    let (catalogue, photos, codes) = (catalogue, photos, catalogue.codes(of: continent))
    let since = gateway.now - Self.recommendedSince
    answerFromStore(request, orElse: .countryNotFound) { store, _, finish in
      store.countries(mostLikedSince: since, among: codes, limit: Limits.recommendedCountriesMax) { found in
        finish(
          found.map { liked in
            let others = Self.appsOwn.filter { codes.contains($0) && !liked.contains($0) }
            var answer = WireCountries()
            answer.countries = (liked + others).prefix(Limits.recommendedCountriesMax).compactMap { code in
              catalogue[code].map { WireCountry($0, photos) }
            }
            return .countries(answer)
          }
        )
      }
    }
  }

  private func refuseContinent(_ request: PlayerRequest) {
    request.refuse(.outOfRange, "continent: \(Continent.allCases.map(\.name).joined(separator: ", "))")
  }
}
