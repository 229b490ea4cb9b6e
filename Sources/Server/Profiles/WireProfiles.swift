// Profiles and what players have earned on the wire. Pure.
import Game
import MadangProtocol
import Store

extension WireProfile {
  /// A profile without its picture.
  init(_ profile: Profile) {
    self.init()
    playerID = profile.player.description
    nickname = profile.nickname
    introduction = profile.introduction
    experience = UInt32(clamping: profile.experience)
    grade = WireGrade(Grade(experience: profile.experience))
    collectibles = profile.collectibles.map { WireCollectible($0) }
    posts = UInt32(clamping: profile.posts)
  }
}

extension WireCollectible {
  init(_ awarded: AwardedCollectible) {
    self.init()
    kind = WireCollectibleKind(awarded.collectible)
    awardedAtMs = awarded.awardedAt.milliseconds
  }
}

extension ProgressNews {
  var player: PlayerID {
    switch self {
    case .collectible(let player, _), .grade(let player, _, experience: _): player
    }
  }

  var wire: WireServerMessage.OneOf_Body {
    switch self {
    case .collectible(_, let awarded): return .collectible(WireCollectible(awarded))
    case .grade(_, let grade, let experience):
      var change = WireGradeChange()
      change.grade = WireGrade(grade)
      change.experience = UInt32(clamping: experience)
      return .grade(change)
    }
  }
}

extension WireGrade {
  init(_ grade: Grade) {
    switch grade {
    case .economy: self = .economy
    case .business: self = .business
    case .first: self = .first
    case .master: self = .master
    }
  }
}

extension WireCollectibleKind {
  init(_ collectible: Collectible) {
    switch collectible {
    case .asia: self = .asiaPost
    case .europe: self = .europePost
    case .africa: self = .africaPost
    case .oceania: self = .oceaniaPost
    case .northAmerica: self = .northAmericaPost
    case .southAmerica: self = .southAmericaPost
    case .allContinents: self = .allContinents
    case .tenPosts: self = .tenPosts
    case .likedPost: self = .likedPost
    case .fullSoundtrack: self = .fullSoundtrack
    case .takenOverPlan: self = .takenOverPlan
    case .tenCapsules: self = .tenCapsules
    }
  }
}
