// The clients: they send at the plan's pace and count the arriving frames.
//
// Owned by the one shard of the driver and used on its queue. Sending goes by the clock and not by arrivals, so that
// both servers get the same work. A message carries the time at which it was due.
import Net
import WebSocket

/// One connection to the server.
private final class Client {
  let index: Int
  var connection: Connection?
  var sequence: UInt32 = 0

  init(_ index: Int) {
    self.index = index
  }
}

final class LoadService: ShardService {
  /// The most messages at one beat: a delayed pacer catches up in pieces, between which arrivals are read.
  private static let messagesPerBeatMax = 1_024

  private unowned let core: ShardCore
  private let plan: LoadPlan
  private var clients: [Client] = []
  private(set) var openCount = 0
  private(set) var measurement = Measurement()
  /// The number of frames since the start.
  private(set) var framesInAll = 0
  private var began = Timestamp.distantFuture
  private var sentCount = 0
  private var echo: [UInt8]

  init(_ core: ShardCore, _ plan: LoadPlan) {
    self.core = core
    self.plan = plan
    if case .echo(_, let bytes) = plan.work { echo = [UInt8](repeating: 0x5A, count: bytes) } else { echo = [] }
  }

  /// Connects all clients.
  func dial(_ address: ResolvedAddress) throws {
    for index in 0..<plan.clients {
      let client = Client(index)
      let nonce = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
      let path = plan.path(ofClient: index)
      let request = UpgradeRequest(host: address.name, path: path, subprotocols: [], nonce: nonce)
      client.connection = try core.dial(address, request, messageBytesMax: 1 << 20, context: client)
      clients.append(client)
    }
  }

  /// Begins to send.
  func begin() {
    began = core.readClock()
    guard plan.messagesPerSecond == nil else { return }
    for client in clients { send(from: client, due: began) }
  }

  /// Begins a new count.
  func resetMeasurement() {
    let lost = measurement.lost
    measurement = Measurement()
    measurement.lost = lost
  }

  /// Sends the messages that are due.
  func beat() {
    guard let rate = plan.messagesPerSecond, began < .distantFuture else { return }
    let elapsed = Double(core.readClock().microseconds(since: began)) / 1_000_000
    let dueCount = min(Int(elapsed * rate), sentCount + Self.messagesPerBeatMax)
    while sentCount < dueCount {
      let microseconds = began.microseconds + Int64(Double(sentCount) / rate * 1_000_000)
      send(from: clients[sentCount % clients.count], due: Timestamp(microseconds: microseconds))
      sentCount += 1
    }
  }

  private func send(from client: Client, due: Timestamp) {
    guard let connection = client.connection else { return }
    switch plan.work {
    case .echo:
      echo.withUnsafeMutableBytes { bytes in
        bytes.storeBytes(of: due.microseconds, as: Int64.self)
        connection.send(.binary, UnsafeRawBufferPointer(bytes))
      }
    case .tick:
      client.sequence &+= 1
      let row = Row(first: UInt64(client.index), second: UInt64(client.sequence))
      let message = PositionMessage(client: UInt32(client.index), sequence: client.sequence, row: row)
      withUnsafeBytes(of: message) { connection.send(.binary, $0) }
    }
  }

  func opened(_ connection: Connection) {
    openCount += 1
  }

  func received(_ kind: MessageKind, _ bytes: UnsafeRawBufferPointer, on connection: Connection) {
    let now = core.readClock()
    framesInAll += 1
    measurement.frames += 1
    measurement.bytes += bytes.count
    switch plan.work {
    case .echo:
      guard bytes.count == echo.count else { return connection.close(1003, "no echo") }
      let due = Timestamp(microseconds: bytes.loadUnaligned(as: Int64.self))
      measurement.record(latencyMicroseconds: now.microseconds(since: due))
      if plan.messagesPerSecond == nil, let client = connection.context as? Client { send(from: client, due: now) }
    case .tick:
      guard bytes.count >= TickHeader.byteCount else { return connection.close(1003, "no tick") }
      let due = bytes.loadUnaligned(as: TickHeader.self).dueMicroseconds
      // The low halves wrap; their difference does not while messages are less than an hour late.
      measurement.record(latencyMicroseconds: Int64(UInt32(truncatingIfNeeded: now.microseconds) &- due))
    }
  }

  func closed(_ connection: Connection) {
    guard let client = connection.context as? Client else { return }
    client.connection = nil
    measurement.lost += 1
  }

  // Clients serve nothing.

  func respond(to head: RequestHead, from address: SocketAddress) -> HTTPResponse {
    preconditionFailure("clients don't listen")
  }

  func admit(_ head: RequestHead, on connection: Connection) -> Admission {
    preconditionFailure("clients don't listen")
  }

  func deadlinePassed(_ connection: Connection) {}

  func timerFired(_ token: UInt64) {}
}
