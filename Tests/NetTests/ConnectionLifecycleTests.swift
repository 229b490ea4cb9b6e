// The transitions of a connection between states, without sockets: each legal one, and the peers' events in every
// state.
import Net
import TestSupport
import Testing
import WebSocket

@Suite("A connection's states")
struct ConnectionLifecycleTests {
  private static let start = LifecycleStage.start
  private static let later = start.advanced(seconds: 3)

  /// An event of this program, legal in some states only.
  private struct Step: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let from: LifecycleStage
    let to: LifecycleStage
    /// Whether the new state has its own time.
    let restartsDeadline: Bool
    let take: @Sendable (inout ConnectionLifecycle) throws -> Void

    init(
      _ name: String,
      _ from: LifecycleStage,
      _ to: LifecycleStage,
      restartsDeadline: Bool = true,
      _ take: @escaping @Sendable (inout ConnectionLifecycle) throws -> Void
    ) {
      testDescription = "\(from) \(name)"
      (self.from, self.to, self.restartsDeadline, self.take) = (from, to, restartsDeadline, take)
    }
  }

  private static let steps: [Step] = [
    Step("connected", .dialling, .responseHead) { $0.connected(hasTLS: false, at: later) },
    Step("connected for TLS", .dialling, .clientHandshake) { $0.connected(hasTLS: true, at: later) },
    Step("header taken", .proxyHeader, .requestHead, restartsDeadline: false) { $0.proxyHeaderEnded() },
    Step("handshake begun", .serverHandshake, .serverHandshake, restartsDeadline: false) { $0.handshakeBegan(nil) },
    Step("handshake ended", .serverHandshake, .requestHead, restartsDeadline: false) { $0.handshakeEnded(at: later) },
    Step("handshake ended", .clientHandshake, .responseHead) { $0.handshakeEnded(at: later) },
    Step("requested", .requestHead, .awaitingAnswer) { $0.requested(try LifecycleStage.head(), at: later) },
    Step("answered", .awaitingAnswer, .requestHead) { $0.answered(at: later) },
    Step("body ended", .receivingBody, .awaitingAnswer) { $0.bodyEnded(at: later) },
    Step("piece queued", .streamingAnswer, .streamingAnswer) { $0.pieceQueued(at: later) },
    Step("answered", .streamingAnswer, .requestHead) { $0.answered(at: later) },
    Step("answer left", .requestHead, .requestHead) { $0.answerLeft(at: later) },
    Step("opened", .requestHead, .open) { $0.opened(at: later) },
    Step("opened", .responseHead, .open) { $0.opened(at: later) },
    Step("departs", .open, .departing, restartsDeadline: false) { $0.depart(Departure { _ in }) },
    Step("departs", .suspended, .departing, restartsDeadline: false) { $0.depart(Departure { _ in }) },
  ]

  @Test(
    "Each action of the program leads to its state, with a new deadline or with the rest of the old one",
    arguments: steps
  )
  private func legalStep(_ step: Step) throws {
    var lifecycle = try step.from.lifecycle()
    try step.take(&lifecycle)
    #expect(lifecycle.stage == step.to)
    #expect(lifecycle.began == (step.restartsDeadline ? Self.later : Self.start))
  }

  /// The events of peers, time and services, legal in any state.
  enum Event: CaseIterable {
    case peerEnds, peerEndsBeforeAllIsSent, peerEndsWhileSuspended, peerCloses
    case close, linger, suspend, resume, leave, end

    fileprivate func happens(to lifecycle: inout ConnectionLifecycle, at now: Timestamp) {
      switch self {
      case .peerEnds: _ = lifecycle.peerEnded(hasUnsent: false, at: now)
      case .peerEndsBeforeAllIsSent: _ = lifecycle.peerEnded(hasUnsent: true, at: now)
      case .peerEndsWhileSuspended: _ = lifecycle.peerEndedWhileSuspended()
      case .peerCloses: _ = lifecycle.peerClosed(1000, at: now)
      case .close: _ = lifecycle.close(1001, at: now)
      case .linger: lifecycle.linger(at: now)
      case .suspend: _ = lifecycle.suspend()
      case .resume: _ = lifecycle.resume()
      case .leave: _ = lifecycle.departed()
      case .end: _ = lifecycle.end()
      }
    }

    /// The states that the event leaves, with the states that follow.
    fileprivate var ways: [LifecycleStage: LifecycleStage] {
      switch self {
      case .peerEnds, .peerEndsWhileSuspended: [:]
      case .peerEndsBeforeAllIsSent: [.requestHead: .lingering]
      case .peerCloses: [.open: .lingering, .suspended: .lingering, .closing: .lingering]
      case .close: [.open: .closing, .suspended: .closing]
      case .linger: Self.all(but: .departing, .gone, to: .lingering)
      case .suspend: [.open: .suspended]
      case .resume: [.suspended: .open]
      case .leave: [.departing: .gone]
      case .end: Self.all(to: .gone)
      }
    }

    private static func all(but others: LifecycleStage..., to next: LifecycleStage) -> [LifecycleStage: LifecycleStage]
    {
      let stages = LifecycleStage.allCases.filter { !others.contains($0) }
      return Dictionary(uniqueKeysWithValues: stages.map { ($0, next) })
    }
  }

  @Test("Events of peers, time and services leave the states that they apply to, and do nothing in others")
  func everyEventInEveryState() throws {
    for event in Event.allCases {
      for stage in LifecycleStage.allCases {
        var lifecycle = try stage.lifecycle()
        event.happens(to: &lifecycle, at: Self.later)
        #expect(lifecycle.stage == event.ways[stage] ?? stage, "\(event) while \(stage)")
      }
    }
  }

  @Test("Two events in a row have the effects of each by itself")
  func twoEvents() throws {
    for stage in LifecycleStage.allCases {
      for first in Event.allCases {
        for second in Event.allCases {
          var lifecycle = try stage.lifecycle()
          first.happens(to: &lifecycle, at: Self.later)
          let between = lifecycle.stage
          second.happens(to: &lifecycle, at: Self.later)
          #expect(lifecycle.stage == second.ways[between] ?? between, "\(stage), \(first), \(second)")
        }
      }
    }
  }
}
