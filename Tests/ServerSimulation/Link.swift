// One connection through the simulated network: a connected pair of sockets, one end of which is the server's, and the
// bytes under way in either direction.
//
// Owned by the network. Bytes keep their order; the network draws the time of their arrival.
import Net

/// The player's end of a connection.
protocol LinkEnd: AnyObject {
  /// The player's number.
  var number: Int { get }

  func receive(_ bytes: [UInt8], on link: Link, at now: Timestamp) throws(BrokenRule)
  /// The server has sent its last byte.
  func receiveEnd(of link: Link, at now: Timestamp) throws(BrokenRule)
  /// Notes that the player will learn of the connection's end at `time`.
  func noticeEnd(of link: Link, at time: Timestamp)
}

final class Link {
  /// The bytes under way in one direction.
  struct Pipe {
    enum Piece {
      case bytes([UInt8])
      /// Nothing follows.
      case end
    }

    private var pieces: [(due: Timestamp, piece: Piece)] = []
    private var head = 0
    private var lastDue = Timestamp(microseconds: 0)

    var isEmpty: Bool { head == pieces.count }
    var nextDue: Timestamp? { isEmpty ? nil : pieces[head].due }

    /// Sends a piece off, to arrive at `due` but never before earlier pieces.
    mutating func append(_ piece: Piece, due: Timestamp) {
      lastDue = max(lastDue, due)
      pieces.append((lastDue, piece))
    }

    mutating func popDue(at now: Timestamp) -> Piece? {
      guard head < pieces.count, pieces[head].due <= now else { return nil }
      defer {
        head += 1
        if head == pieces.count { clear() }
      }
      return pieces[head].piece
    }

    /// Puts back bytes that could not be delivered.
    mutating func putBack(_ bytes: [UInt8], due: Timestamp) {
      pieces.replaceSubrange(0..<head, with: [(due, .bytes(bytes))])
      head = 0
    }

    mutating func clear() {
      pieces.removeAll(keepingCapacity: true)
      head = 0
    }
  }

  /// The condition of the connection.
  enum Condition: Equatable {
    case whole
    /// The server's next bytes are left unread, and the connection is reset.
    case resetting
    /// Nothing arrives any more, and neither end is notified.
    case vanished
    /// The network's end is closed.
    case closed
  }

  let number: Int
  /// The network's end of the pair.
  let far: Int32
  /// The player at the other end; nil once they have given it up.
  weak var player: (any LinkEnd)?
  var condition = Condition.whole
  var toServer = Pipe()
  var toPlayer = Pipe()
  /// The time until which the player takes nothing.
  var stalledUntil: Timestamp?
  /// Whether bytes arrive in pieces as short as one.
  var drips = false
  /// Whether the server has sent its last byte.
  var hasServerEnded = false
  /// Whether the server was lost.
  var isCrashed = false
  /// The time since which the server may know that the connection is over.
  var overSince: Timestamp?

  init(_ number: Int, far: Int32, player: any LinkEnd) {
    self.number = number
    self.far = far
    self.player = player
  }

  /// Whether nothing is under way, and nothing is kept from arriving.
  var isIdle: Bool { condition == .whole && stalledUntil == nil && toServer.isEmpty && toPlayer.isEmpty }
}
