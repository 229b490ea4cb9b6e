// The phones of one room: one makes it, the others come, all play until the server ends the game.
//
// Owned by one shard, as are all its phones.
import MadangProtocol
import Net

final class PhoneRoom {
  private unowned let context: PhoneContext
  let index: Int
  private(set) var phones: [Phone] = []
  private var code: String?
  private var entered = 0
  /// The room's first land; nil in other modes.
  private var ring: LandRing?
  private var hasBegun = false
  private var hasBoard = false

  init(_ context: PhoneContext, index: Int) {
    self.context = context
    self.index = index
    phones = (0..<context.plan.players).map { Phone(context, of: self, index: $0) }
  }

  func dialFirst(afterMs ms: Int64) {
    phones[0].dial(afterMs: ms)
  }

  func welcomed(_ phone: Phone) {
    if phone.index == 0 {
      phone.request(.createRoom(context.plan.wish(index)))
    } else if let code {
      var join = WireJoinRoom()
      join.code = code
      phone.request(.joinRoom(join))
    }
  }

  func entered(_ phone: Phone, _ state: WireRoom) {
    entered += 1
    if phone.index == 0 {
      code = state.code
      ring = state.lands.first.flatMap(LandRing.init)
      for other in phones.dropFirst() { other.dial() }
    }
    if entered == phones.count { phones[0].request(.startGame(WireStartGame())) }
  }

  /// The server has begun the game, at this time of its clock. The first phone that learns it tells the others.
  func began(startMs: Int64) {
    guard !hasBegun else { return }
    hasBegun = true
    context.usage.roomBegan()
    for phone in phones {
      phone.begin(context.plan.script(index, phone.index, ring), startMs: startMs)
    }
  }

  /// A phone has its result.
  func finished() {
    guard isFinished, !hasBoard else { return }
    hasBoard = true
    context.usage.roomEnded()
    let outcomes = phones.map(\.outcome).sorted { ($0.points ?? 0) > ($1.points ?? 0) }
    let rows = outcomes.enumerated().map { rank, outcome in
      Results.Row(
        rank: UInt32(rank + 1),
        course: outcome.name,
        points: outcome.points ?? 0,
        distanceM: outcome.distanceM ?? 0
      )
    }
    context.results.boards.append(Results.Board(room: index, rows: rows))
    context.results.phones += outcomes
  }

  var isFinished: Bool { phones.allSatisfy(\.isFinished) }
}
