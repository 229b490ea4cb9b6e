// Reports, each in one call, and players whose reports count.
import Game
import MadangProtocol
import Store
import TestSupport

extension TestPlayer {
  static func report(_ reasons: [WireReport.Reason] = [.spam], _ configure: (inout WireReport) -> Void) -> WireReport {
    var report = WireReport()
    report.reasons = reasons
    configure(&report)
    return report
  }

  static func report(_ post: WirePost) -> WireClientMessage.OneOf_Body {
    .report(report { $0.postID = post.postID })
  }

  static func report(_ comment: WireComment) -> WireClientMessage.OneOf_Body {
    .report(report { $0.commentID = comment.commentID })
  }

  static func report(_ capsule: WireCapsule) -> WireClientMessage.OneOf_Body {
    .report(report { $0.capsuleID = capsule.capsuleID })
  }

  /// The next warning.
  func warning() throws -> WireWarning {
    try first { if case .warning = $0.body { true } else { false } }.warning
  }

  /// The number of received warnings, when all earlier ones have come.
  func warningCount() throws -> Int {
    _ = try request(.time(WireTimeRequest()))
    return inbox.count { if case .warning = $0.body { true } else { false } }
  }

  static func seeWarning(_ id: String) -> WireClientMessage.OneOf_Body {
    var see = WireSeeWarning()
    see.warningID = id
    return .seeWarning(see)
  }
}

extension TestServer {
  /// A player with an account of old, who connects from the network 127.0.N.0/24.
  func account(_ name: String, fromNetwork network: UInt8) throws -> TestPlayer {
    let player = try TestPlayer(port: port, from: 0x7F00_0001 | UInt32(network) << 8)
    let id = try player.helloID(name)
    let change = AccountChange.register(id, email: "\(id)@example.com", passwordHash: "hash", nickname: name)
    let box = Box<Result<[Outcome], StoreFailure>>()
    store.commit(Batch(at: Instant(milliseconds: 0), changes: [change.change])) { box.put($0) }
    guard try box.take().get() == [.account(.ok)] else { throw TestFailure("no account: \(name)") }
    return player
  }

  /// Accounts of old from three networks.
  func reporters() throws -> [TestPlayer] {
    try (1...3).map { try account("신고 \($0)", fromNetwork: $0) }
  }
}
