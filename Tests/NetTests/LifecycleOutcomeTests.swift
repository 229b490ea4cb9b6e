// The outcomes of events in each state of a connection, without sockets: answers, codes, and the service's calls.
import Net
import Testing

@Suite("Outcomes of events in a connection's states")
struct LifecycleOutcomeTests {
  private static let later = LifecycleStage.start.advanced(seconds: 3)

  @Test("An end of stream keeps a connection with pending or unsent answers; others end")
  func peerEnds() throws {
    for stage in LifecycleStage.allCases {
      for hasUnsent in [false, true] {
        var lifecycle = try stage.lifecycle()
        let waits = lifecycle.peerEnded(hasUnsent: hasUnsent, at: Self.later)
        let mayWait: Set<LifecycleStage> =
          hasUnsent
          ? [.awaitingAnswer, .streamingAnswer, .requestHead, .lingering] : [.awaitingAnswer, .streamingAnswer]
        #expect(waits == mayWait.contains(stage), "\(stage), \(hasUnsent)")
        #expect(lifecycle.state.hasPeerEnded == waits)
      }
    }
  }

  @Test("An end of stream before an answer is remembered after it")
  func peerEndIsKept() throws {
    var lifecycle = try LifecycleStage.awaitingAnswer.lifecycle()
    _ = lifecycle.peerEnded(hasUnsent: false, at: Self.later)
    lifecycle.linger(at: Self.later)
    #expect(lifecycle.state.hasPeerEnded)
  }

  @Test("A close frame is answered on an open connection, and not after one was sent")
  func peerCloses() throws {
    for stage in LifecycleStage.allCases {
      var lifecycle = try stage.lifecycle()
      let isAnswered = [1, 2].map { _ in lifecycle.peerClosed(1000, at: Self.later) }
      #expect(isAnswered == [[.open, .suspended].contains(stage), false], "\(stage)")
    }
  }

  @Test("A close starts the closing handshake if open, abandons an unopened connection, and does nothing later")
  func closes() throws {
    let abandoned: Set<LifecycleStage> = [
      .dialling, .proxyHeader, .serverHandshake, .clientHandshake, .responseHead, .requestHead, .awaitingAnswer,
      .receivingBody, .streamingAnswer,
    ]
    for stage in LifecycleStage.allCases {
      var lifecycle = try stage.lifecycle()
      let close = lifecycle.close(1000, at: Self.later)
      switch stage {
      case .open: #expect(close == .handshake(wasSuspended: false))
      case .suspended: #expect(close == .handshake(wasSuspended: true))
      default: #expect(close == (abandoned.contains(stage) ? .abandon : .nothing), "\(stage)")
      }
    }
  }

  @Test("The service is notified once of a peer that ends while a message is handled")
  func peerEndIsReportedOnce() throws {
    var lifecycle = try LifecycleStage.suspended.lifecycle()
    let isNotified = [lifecycle.peerEndedWhileSuspended(), lifecycle.peerEndedWhileSuspended()]
    #expect(isNotified == [true, false])
    let goesOn = [lifecycle.resume(), lifecycle.resume()]
    #expect(goesOn == [true, false])
    let isNotifiedWhileOpen = lifecycle.peerEndedWhileSuspended()
    #expect(!isNotifiedWhileOpen)
    let isSuspended = [lifecycle.suspend(), lifecycle.suspend()]
    #expect(isSuspended == [true, false])
    let isNotifiedAgain = lifecycle.peerEndedWhileSuspended()
    #expect(isNotifiedAgain)
  }

  @Test("A connection leaves its shard once, and hands over its pending data")
  func departs() throws {
    let departure = Departure { _ in }
    var lifecycle = try LifecycleStage.open.lifecycle()
    lifecycle.depart(departure)
    #expect(!lifecycle.state.isOpen)
    let departures = [lifecycle.departed(), lifecycle.departed()]
    #expect(departures[0] === departure)
    #expect(departures[1] == nil)
    let hasEnded = lifecycle.end()
    #expect(!hasEnded)
    #expect(!lifecycle.state.ending.isKnownToService)
  }

  @Test("A connection that fails before its move does not move")
  func departsNoMore() throws {
    var lifecycle = try LifecycleStage.departing.lifecycle()
    let (hasEnded, departure) = (lifecycle.end(), lifecycle.departed())
    #expect(hasEnded && departure == nil)
    #expect(lifecycle.state.ending.isKnownToService)
  }

  @Test("The code of an end is that of the first close frame, from either side")
  func closeCodes() throws {
    func code(_ stage: LifecycleStage, _ change: (inout ConnectionLifecycle) -> Void) throws -> UInt16? {
      var lifecycle = try stage.lifecycle()
      change(&lifecycle)
      _ = lifecycle.end(4002)
      return lifecycle.state.ending.closeCode
    }
    #expect(try code(.open) { _ in } == 4002)
    #expect(try code(.open) { _ = $0.close(1001, at: Self.later) } == 1001)
    #expect(try code(.open) { _ = $0.peerClosed(1000, at: Self.later) } == 1000)
    #expect(try code(.open) { _ = $0.peerClosed(nil, at: Self.later) } == 4002)
    #expect(try code(.closing) { _ = $0.peerClosed(1000, at: Self.later) } == 1001)
    #expect(try code(.closing) { $0.linger(at: Self.later) } == 1001)
    #expect(try code(.closing) { _ = $0.close(1000, at: Self.later) } == 1001)
    #expect(try code(.gone) { _ in } == nil)
  }

  @Test("The service is notified of the end of dialled and announced connections, and of no others")
  func isKnownToService() throws {
    let unknown: Set<LifecycleStage> = [
      .proxyHeader, .serverHandshake, .requestHead, .awaitingAnswer, .receivingBody, .streamingAnswer, .gone,
    ]
    for stage in LifecycleStage.allCases {
      var lifecycle = try stage.lifecycle()
      let hasEnded = lifecycle.end()
      #expect(hasEnded == (stage != .gone))
      #expect(lifecycle.state.ending.isKnownToService == !unknown.contains(stage), "\(stage)")
      guard stage != .departing, stage != .gone else { continue }
      lifecycle = try stage.lifecycle()
      lifecycle.linger(at: Self.later)
      _ = lifecycle.end()
      #expect(lifecycle.state.ending.isKnownToService == !unknown.contains(stage), "\(stage), by lingering")
    }
  }
}
