// The data of a connection's states and their durations, without sockets.
import Net
import TestSupport
import Testing

@Suite("Data of a connection's states")
struct ConnectionStateTests {
  private static let start = LifecycleStage.start
  private static let later = start.advanced(seconds: 3)

  @Test("A handshake's place is given back once, however the handshake ends")
  func handshakePlace() throws {
    let quota = HandshakeQuota(NetLimits())
    let ends: [(inout ConnectionLifecycle) -> Void] = [
      { $0.handshakeEnded(at: Self.later) }, { $0.linger(at: Self.later) }, { _ = $0.end() },
    ]
    for end in ends {
      var lifecycle = try LifecycleStage.serverHandshake.lifecycle()
      lifecycle.handshakeBegan(quota.begin(IPAddress(v4: 0x0A00_0001)))
      #expect(quota.count == 1)
      _ = lifecycle.close(1000, at: Self.later)
      #expect(quota.count == 1)
      end(&lifecycle)
      #expect(quota.count == 0)
      _ = lifecycle.end()
      #expect(quota.count == 0)
    }
  }

  @Test("Messages can be sent on an open connection, also while it is suspended")
  func isOpen() throws {
    for stage in LifecycleStage.allCases {
      #expect(try stage.lifecycle().state.isOpen == [.open, .suspended].contains(stage), "\(stage)")
    }
  }

  @Test("A connection begins with a proxy header only from a trusted proxy that sends one")
  func begins() throws {
    let proxy = IPAddress(v4: 0x0A00_0001)
    let trusted = TrustedProxies([try IPNetwork("10.0.0.0/8")])
    func stage(_ configuration: ListenerConfiguration, from address: IPAddress) -> LifecycleStage {
      let reading = RequestReading(configuration, NetLimits())
      return LifecycleStage(ConnectionState(accepting: reading, from: address))
    }
    var configuration = ListenerConfiguration(trustedProxies: trusted, expectsProxyHeader: true)
    #expect(stage(configuration, from: proxy) == .proxyHeader)
    #expect(stage(configuration, from: IPAddress(v4: 0x0B00_0001)) == .requestHead)
    configuration.expectsProxyHeader = false
    #expect(stage(configuration, from: proxy) == .requestHead)
    let certificate = try TestCertificate()
    configuration.certificate = try TLSCertificate(
      certificate: certificate.certificateFile,
      key: certificate.keyFile
    )
    #expect(stage(configuration, from: proxy) == .serverHandshake)
    configuration.expectsProxyHeader = true
    #expect(stage(configuration, from: proxy) == .proxyHeader)
    var lifecycle = ConnectionLifecycle(.proxyHeader(RequestReading(configuration, NetLimits())), at: Self.start)
    lifecycle.proxyHeaderEnded()
    #expect(lifecycle.stage == .serverHandshake)
  }

  @Test("Each state has its deadline, and a long answer extends it")
  func deadlines() throws {
    let limits = NetLimits()
    for stage in LifecycleStage.allCases {
      let lifecycle = try stage.lifecycle()
      let seconds: Int64?
      let secondsWithUnsent: Int64?
      switch stage {
      case .dialling, .proxyHeader, .serverHandshake, .clientHandshake, .responseHead, .requestHead, .awaitingAnswer:
        (seconds, secondsWithUnsent) = (limits.handshakeSeconds, limits.handshakeSeconds)
      case .receivingBody: (seconds, secondsWithUnsent) = (limits.bodyStallSeconds, limits.bodyStallSeconds)
      // 64 KiB at 2 KiB a second, and the time of a stall.
      case .streamingAnswer: (seconds, secondsWithUnsent) = (42, 42)
      case .closing: (seconds, secondsWithUnsent) = (limits.closeSeconds, limits.closeSeconds)
      case .lingering: (seconds, secondsWithUnsent) = (limits.lingerSeconds, limits.stallSeconds)
      case .open, .suspended, .departing, .gone: (seconds, secondsWithUnsent) = (nil, nil)
      }
      for (hasUnsent, seconds) in [(false, seconds), (true, secondsWithUnsent)] {
        let deadline = seconds.map { Self.start.advanced(seconds: $0) } ?? .distantFuture
        #expect(lifecycle.deadline(limits, hasUnsent: hasUnsent) == deadline, "\(stage)")
      }
    }
    let reading = RequestReading(ListenerConfiguration(), limits)
    reading.answerSeconds = 20
    var lifecycle = ConnectionLifecycle(.requestHead(reading), at: Self.start)
    #expect(
      lifecycle.deadline(limits, hasUnsent: true) == Self.start.advanced(seconds: limits.handshakeSeconds + 20)
    )
    #expect(lifecycle.deadline(limits, hasUnsent: false) == Self.start.advanced(seconds: limits.handshakeSeconds))
    lifecycle.linger(at: Self.later)
    #expect(lifecycle.deadline(limits, hasUnsent: true) == Self.later.advanced(seconds: limits.stallSeconds + 20))
    #expect(lifecycle.deadline(limits, hasUnsent: false) == Self.later.advanced(seconds: limits.lingerSeconds))
  }

  @Test("A forbidden transition traps")
  func brokenInvariants() async {
    await #expect(processExitsWith: .failure) {
      var lifecycle = try LifecycleStage.open.lifecycle()
      lifecycle.opened(at: LifecycleStage.start)
    }
    await #expect(processExitsWith: .failure) {
      var lifecycle = try LifecycleStage.closing.lifecycle()
      lifecycle.depart(Departure { _ in })
    }
    await #expect(processExitsWith: .failure) {
      var lifecycle = try LifecycleStage.requestHead.lifecycle()
      lifecycle.answered(at: LifecycleStage.start)
    }
    await #expect(processExitsWith: .success) {
      var lifecycle = try LifecycleStage.requestHead.lifecycle()
      lifecycle.opened(at: LifecycleStage.start)
    }
  }
}
