// Reading a profile, and changing one's own.
//
// On the shard's queue. A profile is answered with its picture's addresses, which the store is asked for by `post`. A
// player whom the asker has blocked is to them one that does not exist.
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension Profiles {
  func setProfile(_ wire: WireSetProfile, _ request: PlayerRequest) {
    var edit = ProfileEdit(player: request.player)
    if wire.hasIntroduction {
      do throws(TextFault) {
        try ProfileRules.check(introduction: wire.introduction)
      } catch {
        return refuse(error, request)
      }
      edit.introduction = wire.introduction
    }
    if wire.hasMediaID {
      guard !wire.withoutPicture else {
        return request.refuse(.outOfRange, "mediaId, withoutPicture: one of them, or neither")
      }
      guard let picture = MediaID(wire.mediaID) else { return request.refuse(.mediaNotFound) }
      edit.picture = .replaced(picture)
    } else if wire.withoutPicture {
      edit.picture = .removed
    }
    guard !edit.adds || gateway.allowsWriting(request), pay(for: edit, request) else { return }
    // The connection waits for the outcome; without it nothing else would be answered.
    let giveUp = { request.session.refuseUnwritten(request.id, andClose: true) }
    awaitOutcome(of: ProfileChange.edit(edit), for: request.session, orElse: giveUp) { [self] outcome, session in
      guard session != nil else { return }
      switch outcome {
      case .edited(let profile): reply(profile, to: request)
      case .mediaNotFound: request.refuse(.mediaNotFound)
      case .notFound: request.refuse(.playerNotFound)
      case .unavailable: request.refuseForStore()
      }
    }
  }

  func answerProfile(_ wire: WireProfileRequest, _ request: PlayerRequest) {
    var player = request.player
    if !wire.playerID.isEmpty {
      guard let other = PlayerID(wire.playerID) else {
        return request.refuse(.outOfRange, "playerId: 32 hexadecimal digits")
      }
      player = other
    }
    guard gateway.payForQuery(request) else { return }
    awaitAnswer(for: request) { answer in
      gateway.context.store.profile(of: player, for: request.player, answer)
    } then: { profiles, request, found in
      switch found {
      case .success(let profile?): profiles.reply(profile, to: request)
      case .success(nil): request.refuse(.playerNotFound)
      case .failure: request.refuseForStore()
      }
    }
  }

  private func reply(_ profile: Profile, to request: PlayerRequest) {
    guard let picture = profile.picture else { return request.reply(.profile(WireProfile(profile))) }
    awaitAnswer(for: request) { answer in
      media.pictures([picture], answer)
    } then: { _, request, found in
      // Without the store the profile comes without its picture.
      var wire = WireProfile(profile)
      if let shown = try? found.get().first { wire.picture = shown }
      request.reply(.profile(wire))
    }
  }

  private func refuse(_ fault: TextFault, _ request: PlayerRequest) {
    switch fault {
    case .empty, .onlyWhiteSpace: request.refuse(.textEmpty, "introduction: \(fault)")
    case .tooLong, .tooManyBytes: request.refuse(.textTooLong, "introduction: \(fault)")
    case .controlCharacter, .lineBreak: request.refuse(.outOfRange, "introduction: \(fault)")
    }
  }

  /// The bytes of a change beside its text.
  private static let changeBytes: Int64 = 256

  /// False, and the request is refused, when the player or the address has changed too much.
  private func pay(for edit: ProfileEdit, _ request: PlayerRequest) -> Bool {
    guard gateway.payForChange(request, .profileChanges, ofAddress: .profileChangesOfAddress) else { return false }
    gateway.chargeJournal(of: request.session, bytes: Self.changeBytes + Int64(edit.introduction?.utf8.count ?? 0))
    return true
  }
}

extension ProfileEdit {
  /// Whether others see more by it than before.
  fileprivate var adds: Bool {
    if let introduction, !introduction.isEmpty { return true }
    if case .replaced = picture { return true }
    return false
  }
}
