// One connection that is held: says hello, and then idles, or sits in a room and moves.
//
// Owned by one shard. Small, for there are tens of thousands.
import MadangProtocol
import Net

final class HoldBot {
  let index: Int
  unowned let service: HoldService
  /// The room to sit in; nil for who idles.
  let room: HoldRoom?
  var connection: Connection?
  /// What it has to do with durable commands; nil where that is nothing.
  var commands: BotCommands?
  private(set) var isOpened = false
  private(set) var isIdle = false
  /// Refused, or lost.
  private(set) var isGivenUp = false
  private var nextID: UInt32 = 0

  init(_ service: HoldService, index: Int, room: HoldRoom?) {
    self.service = service
    self.index = index
    self.room = room
  }

  func opened() {
    isOpened = true
    service.results.opened += 1
    var hello = WireHello()
    hello.nickname = "bot \(index + 1)"
    hello.deviceSecret = "loadtest-\(service.plan.runID)-\(index)"
    request(.hello(hello))
  }

  @discardableResult
  func request(_ body: WireClientMessage.OneOf_Body) -> UInt32 {
    nextID += 1
    send(body, id: nextID)
    return nextID
  }

  func send(_ body: WireClientMessage.OneOf_Body, id: UInt32? = nil) {
    guard let connection else { return }
    service.plan.target.send(body, id: id, on: connection)
  }

  func receive(_ message: WireServerMessage) {
    if let commands { service.commands?.received(message, by: commands) }
    switch message.body {
    case .welcome:
      if let room { room.welcomed(self) } else { settle() }
    case .room(let state):
      settle()
      room?.entered(code: state.code)
    case .tick(let tick):
      service.results.ticksIn += 1
      room?.received(tick, isMaker: index == room?.maker)
    case .error(let error):
      service.results.errors[error.code.name, default: 0] += 1
      // What does not come to be settled by an error will not come to it by waiting.
      giveUp()
    case .ok, .time, .verdict, .closing, .results, .records, .badge, .path, .run, .lands, .landRanking, .playerLands,
      .roomGames, .schools, .tapped, .ranking, .announcement, .roomClosed, nil:
      break
    }
  }

  func closed(code: UInt16?) {
    connection = nil
    if isOpened {
      service.results.disconnects[code, default: 0] += 1
      giveUp()
    } else {
      refused("closed before it was a WebSocket")
    }
  }

  /// No WebSocket came about.
  func refused(_ why: String) {
    isGivenUp = true
    service.results.refusals[why, default: 0] += 1
  }

  private func settle() {
    guard !isIdle, !isGivenUp else { return }
    isIdle = true
    service.results.settled += 1
  }

  private func giveUp() {
    guard !isIdle, !isGivenUp else { return }
    isGivenUp = true
    service.results.givenUp += 1
  }
}
