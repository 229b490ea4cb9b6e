// Requests about capsules, each in one call.
import MadangProtocol
import TestSupport

extension TestPlayer {
  static func capsule(atM northM: Double) -> WireBuryCapsule {
    var bury = WireBuryCapsule()
    bury.title = "첫눈"
    bury.text = "여기 있었다."
    bury.memoryDate = "2026-01-12"
    bury.latE7 = TestFences.place(northM: northM).latE7
    bury.lngE7 = TestFences.origin.lngE7
    return bury
  }

  func bury(atM northM: Double, _ configure: (inout WireBuryCapsule) -> Void = { _ in }) throws -> WireCapsule {
    var bury = Self.capsule(atM: northM)
    configure(&bury)
    let answer = try request(.buryCapsule(bury))
    guard case .capsule(let capsule) = answer else { throw TestFailure("no capsule: \(answer)") }
    return capsule
  }

  func buryRefusal(_ configure: (inout WireBuryCapsule) -> Void) throws -> WireErrorCode {
    var bury = Self.capsule(atM: 0)
    configure(&bury)
    return try refusal(of: .buryCapsule(bury)).code
  }

  private static func opening(_ capsule: WireCapsule) -> WireClientMessage.OneOf_Body {
    var open = WireOpenCapsule()
    open.capsuleID = capsule.capsuleID
    return .openCapsule(open)
  }

  func open(_ capsule: WireCapsule) throws -> WireOpenedCapsule {
    let answer = try request(Self.opening(capsule))
    guard case .openedCapsule(let opened) = answer else { throw TestFailure("not opened: \(answer)") }
    return opened
  }

  func openRefusal(_ capsule: WireCapsule) throws -> WireErrorCode {
    try refusal(of: Self.opening(capsule)).code
  }

  /// The titles of a scope's capsules.
  func list(_ scope: WireCapsuleScope, _ sort: WireCapsuleSort = .latest) throws -> [String] {
    try listed(scope, sort).map(\.title)
  }

  /// A scope's capsules, over all pages of four.
  func listed(_ scope: WireCapsuleScope, _ sort: WireCapsuleSort = .latest) throws -> [WireCapsule] {
    var list = WireListCapsules()
    (list.scope, list.sort, list.limit) = (scope, sort, 4)
    list.latE7 = TestFences.origin.latE7
    list.lngE7 = TestFences.origin.lngE7
    var capsules: [WireCapsule] = []
    repeat {
      let answer = try request(.listCapsules(list))
      guard case .capsules(let page) = answer else { throw TestFailure("no capsules: \(answer)") }
      capsules += page.capsules
      list.cursor = page.nextCursor
    } while !list.cursor.isEmpty
    return capsules
  }

  /// Waits for the next capsules that can be opened, and takes their titles.
  func openables() throws -> [String] {
    let message = try first { if case .openable = $0.body { true } else { false } }
    return message.openable.capsules.map(\.title)
  }

  /// Takes the titles of all capsules that can be opened and have been told.
  func allOpenables() throws -> [String] {
    _ = try request(.time(WireTimeRequest()))
    return takeAll { if case .openable(let told) = $0.body { told.capsules.map(\.title) } else { nil } }.flatMap { $0 }
  }

  /// Whether capsules that can be opened have been told and were not taken.
  func hasOpenables() throws -> Bool {
    _ = try request(.time(WireTimeRequest()))
    return inbox.contains { if case .openable = $0.body { true } else { false } }
  }

  /// Takes the capsules that can no longer be opened.
  func closedCapsules() throws -> [String] {
    _ = try request(.time(WireTimeRequest()))
    return takeAll { if case .closed(let closed) = $0.body { closed.capsuleIds } else { nil } }.flatMap { $0 }
  }
}
