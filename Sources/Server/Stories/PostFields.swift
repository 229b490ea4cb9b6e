// The fields of requests about posts: checked one by one, each with its own refusal. Pure.
import Game
import MadangProtocol
import Store

/// The reason why a request about a post is refused.
struct StoryRefusal: Error {
  let code: WireErrorCode
  /// Nil for the code's own text.
  let text: String?

  init(_ code: WireErrorCode, _ text: String? = nil) {
    self.code = code
    self.text = text
  }

  init(_ fault: TextFault, in field: String) {
    switch fault {
    case .empty, .onlyWhiteSpace: self.init(.textEmpty, "\(field): \(fault)")
    case .tooLong, .tooManyBytes: self.init(.textTooLong, "\(field): \(fault)")
    case .controlCharacter, .lineBreak: self.init(.outOfRange, "\(field): \(fault)")
    }
  }
}

enum PostField {
  static func id(_ text: String) throws(StoryRefusal) -> PostID {
    guard let id = PostID(text) else { throw StoryRefusal(.postNotFound) }
    return id
  }

  static func title(_ title: String) throws(StoryRefusal) -> String {
    do throws(TextFault) { try StoryRules.check(title: title) } catch { throw StoryRefusal(error, in: "title") }
    return title
  }

  static func text(_ text: String) throws(StoryRefusal) -> String {
    do throws(TextFault) { try StoryRules.check(text: text) } catch { throw StoryRefusal(error, in: "text") }
    return text
  }

  static func comment(_ text: String) throws(StoryRefusal) -> String {
    do throws(TextFault) { try StoryRules.check(comment: text) } catch { throw StoryRefusal(error, in: "text") }
    return text
  }

  /// Countries of the catalogue, each once.
  static func countries(_ codes: [String], in catalogue: CountryCatalogue) throws(StoryRefusal) -> [CountryCode] {
    guard codes.count <= StoryRules.countriesMax else { throw StoryRefusal(.tooManyCountries) }
    var countries: [CountryCode] = []
    for code in codes {
      let country = try country(code, in: catalogue)
      guard !countries.contains(country) else { throw StoryRefusal(.outOfRange, "countries: each once") }
      countries.append(country)
    }
    return countries
  }

  static func country(_ code: String, in catalogue: CountryCatalogue) throws(StoryRefusal) -> CountryCode {
    guard let country = CountryCode(code), catalogue.contains(country) else { throw StoryRefusal(.countryNotFound) }
    return country
  }

  /// The pictures of some identifiers; the commit says whether they are the author's.
  static func media(_ ids: [String]) throws(StoryRefusal) -> [MediaID] {
    guard ids.count <= StoryRules.picturesMax else { throw StoryRefusal(.tooManyPictures) }
    var pictures: [MediaID] = []
    for id in ids {
      guard let picture = MediaID(id) else { throw StoryRefusal(.mediaNotFound) }
      pictures.append(picture)
    }
    return pictures
  }

  /// Both coordinates or none.
  static func place(_ latE7: Int32?, _ lngE7: Int32?) throws(StoryRefusal) -> Coordinate? {
    if latE7 == nil, lngE7 == nil { return nil }
    guard let latE7, let lngE7, PositionRules.isOnMap(Coordinate(latE7: latE7, lngE7: lngE7)) else {
      throw StoryRefusal(.outOfRange, "latE7, lngE7: a place on Earth, up to 85° north and south, or neither")
    }
    return Coordinate(latE7: latE7, lngE7: lngE7)
  }

  static func capsule(_ id: String) throws(StoryRefusal) -> CapsuleID {
    guard let capsule = CapsuleID(id) else { throw StoryRefusal(.capsuleNotFound) }
    return capsule
  }

  /// The new content of a field that holds an identifier: nil leaves it, an empty text takes it away.
  static func replacement<ID>(
    _ text: String?,
    _ read: (String) throws(StoryRefusal) -> ID
  ) throws(StoryRefusal) -> FieldEdit<ID> {
    guard let text else { return .stays }
    return text.isEmpty ? .removed : .replaced(try read(text))
  }

  static func planID(_ id: String) throws(StoryRefusal) -> PlanID {
    guard let id = PlanID(id) else { throw StoryRefusal(.planNotFound) }
    return id
  }

  // Sounds.

  static func soundtrack(_ wire: WireSoundtrack) throws(StoryRefusal) -> Soundtrack {
    guard wire.effects.count <= Soundtrack.effectsMax else { throw StoryRefusal(.tooManySounds) }
    var effects: [Sound] = []
    for effect in wire.effects { effects.append(try sound(effect, of: Soundtrack.effectNames)) }
    let music = wire.hasMusic ? try sound(wire.music, of: Soundtrack.musicNames) : nil
    // What is left: an effect twice.
    guard let soundtrack = Soundtrack(music: music, effects: effects) else {
      throw StoryRefusal(.outOfRange, "effects: each once")
    }
    return soundtrack
  }

  private static func sound(_ wire: WireSound, of names: [String]) throws(StoryRefusal) -> Sound {
    guard let number = names.firstIndex(of: wire.name) else { throw StoryRefusal(.soundNotFound) }
    let volume = wire.hasVolumePercent ? wire.volumePercent : 100
    guard volume <= 100 else { throw StoryRefusal(.outOfRange, "volumePercent: 0 to 100") }
    return Sound(number, volumePercent: Int(volume))
  }
}
