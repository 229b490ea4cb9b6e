// What a player meets of operators, each held to what operators have done.
import MadangProtocol
import Net

extension Player {
  /// Nobody is let in while banned.
  func checkLetIn(at now: Timestamp) throws(BrokenRule) {
    let mustNot = marks.ban.mustMeet(answeredAskedAt, answeredAt: now)
    try BrokenRule.unless(!mustNot, .sanctionsHold, "player \(number) is banned, and was let in")
  }

  /// No chat is taken while muted.
  func checkChatTaken(at now: Timestamp) throws(BrokenRule) {
    let mustNot = marks.mute.mustMeet(answeredAskedAt, answeredAt: now)
    try BrokenRule.unless(!mustNot, .sanctionsHold, "player \(number) is muted, and has chatted")
  }

  /// What operators' doing may have a request answered with.
  func refusalsByOperators(of request: Request) -> [WireErrorCode] {
    switch request {
    case .hello, .resume:
      return marks.ban.mayMeet(answeredAskedAt) ? [.banned] : []
    case .chat:
      return (marks.mute.mayMeet(answeredAskedAt) ? [.muted] : []) + refusalsInClosedRoom
    case .leaveRoom, .startGame, .playAgain, .move, .readChat:
      return refusalsInClosedRoom
    default:
      return []
    }
  }

  private var refusalsInClosedRoom: [WireErrorCode] { world.operators.hasClosedRooms ? [.notInRoom] : [] }

  func takeRoomClosed() throws(BrokenRule) {
    guard let code = copy?.code else {
      throw BrokenRule(rule: .onlyOwn, detail: "player \(number), in no room, was told that it is closed")
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
    try BrokenRule.unless(isNew, .onlyOwn, "player \(number) heard \(announcement.text) twice")
    world.report.announcementsHeard += 1
  }
}
