// The plan of the clients for one measurement.
//
// A value, the same for both servers.
import Net

struct LoadPlan: Sendable {
  enum Work: Sendable {
    /// Every message comes back.
    case echo(connections: Int, bytes: Int)
    /// Every member of a room gets the positions of all, ten times a second.
    case tick(rooms: Int, players: Int)
  }

  let work: Work
  /// The messages a second from all clients, each client in turn; nil: each has one message in flight.
  let messagesPerSecond: Double?
  let warmUpSeconds: Double
  let seconds: Double

  static let echoName = "echo"
  static let tickName = "tick"
  static let workNames = [echoName, tickName]

  var name: String {
    switch work {
    case .echo: Self.echoName
    case .tick: Self.tickName
    }
  }

  var clients: Int {
    switch work {
    case .echo(let connections, _): connections
    case .tick(let rooms, let players): rooms * players
    }
  }

  /// The path of a client. Clients of one room don't follow each other in sending.
  func path(ofClient index: Int) -> String {
    switch work {
    case .echo: "/echo"
    case .tick(let rooms, _): "/room?room=\(index % rooms)"
    }
  }

  /// The frames a second that would reach all clients if the server kept up; nil when the server sets the pace.
  var framesPerSecond: Double? {
    switch work {
    case .echo: messagesPerSecond
    case .tick: Double(clients) * 1_000_000 / Double(TickHeader.periodMicroseconds)
    }
  }
}
