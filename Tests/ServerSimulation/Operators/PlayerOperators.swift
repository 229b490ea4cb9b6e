// The effects of operators on a player, each checked against the operators' actions.
import MadangProtocol
import Net

extension Player {
  /// Checks that a banned player is not admitted.
  func checkAdmission(at now: Timestamp) throws(BrokenRule) {
    let mustNot = marks.ban.mustApply(answeredAskedAt, answeredAt: now)
    try BrokenRule.unless(!mustNot, .sanctionsHold, "player \(number) is banned, and was accepted")
  }

  /// Checks that no chat of a muted player is accepted.
  func checkChatTaken(at now: Timestamp) throws(BrokenRule) {
    let mustNot = marks.mute.mustApply(answeredAskedAt, answeredAt: now)
    try BrokenRule.unless(!mustNot, .sanctionsHold, "player \(number) is muted, and has chatted")
  }

  /// The errors by which a request may be refused because of operators.
  func refusalsByOperators(of request: PlayerRequest) -> [WireErrorCode] {
    switch request {
    case .hello, .resume:
      return marks.ban.mayApply(answeredAskedAt) ? [.banned] : []
    case .chat:
      return (marks.mute.mayApply(answeredAskedAt) ? [.muted] : []) + refusalsInClosedRoom
    case .joinRoom:
      return marks.mayBeRemoved ? [.barred] : []
    case .leaveRoom, .startGame, .playAgain, .move, .readChat, .setPace:
      return refusalsInClosedRoom
    default:
      return []
    }
  }

  private var refusalsInClosedRoom: [WireErrorCode] { world.operators.hasClosedRooms ? [.notInRoom] : [] }

  func takeRoomClosed() throws(BrokenRule) {
    guard let code = copy?.code else {
      throw BrokenRule(rule: .onlyOwn, detail: "player \(number), in no room, was notified of its close")
    }
    try BrokenRule.unless(world.operators.closedRooms.contains(code), .onlyOwn, "nobody has closed \(code)")
    let isWritten = !world.written.open.contains { $0.code.description == code }
    try BrokenRule.unless(isWritten, .writtenFirst, "\(code) is closed, and not in the store")
    world.report.roomsClosed += 1
    copy = nil
  }

  func take(_ announcement: WireAnnouncement) throws(BrokenRule) {
    let isMade = world.operators.announced.contains(announcement.text)
    try BrokenRule.unless(isMade, .onlyOwn, "nobody has announced \(announcement.text)")
    let isNew = heardAnnouncements.insert(announcement.text).inserted
    try BrokenRule.unless(isNew, .onlyOwn, "player \(number) got \(announcement.text) twice")
    world.report.announcementsReceived += 1
  }
}
