// One connection through the simulated network: a connected pair of sockets, of which the server has one end, and what is
// under way in either direction.
//
// Owned by the network. Bytes keep their order; when they arrive is the network's to draw.
import Net

final class Link {
  /// What travels one way.
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

    /// Sends a piece off, to arrive at `due` but never before what was sent earlier.
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

    /// Puts back what could not be delivered.
    mutating func putBack(_ bytes: [UInt8], due: Timestamp) {
      pieces.replaceSubrange(0..<head, with: [(due, .bytes(bytes))])
      head = 0
    }

    mutating func clear() {
      pieces.removeAll(keepingCapacity: true)
      head = 0
    }
  }

  /// How far the connection is there.
  enum Condition: Equatable {
    case whole
    /// The next bytes that the server sends are left unread and the connection is reset.
    case resetting
    /// Nothing arrives any more, and nobody is told.
    case vanished
    /// The network's end is closed.
    case closed
  }

  let number: Int
  /// The network's end of the pair.
  let far: Int32
  /// Whose it is; nil when they have given it up.
  weak var player: Player?
  var condition = Condition.whole
  var toServer = Pipe()
  var toPlayer = Pipe()
  /// The player takes nothing until then.
  var stalledUntil: Timestamp?
  /// Bytes arrive in pieces as short as one.
  var drips = false
  /// The server has sent its last byte.
  var hasServerEnded = false
  /// The server was lost.
  var isCrashed = false
  /// Since when the server may know that the connection is over.
  var overSince: Timestamp?

  init(_ number: Int, far: Int32, player: Player) {
    self.number = number
    self.far = far
    self.player = player
  }

  /// Nothing is under way, and nothing is kept from arriving.
  var isIdle: Bool { condition == .whole && stalledUntil == nil && toServer.isEmpty && toPlayer.isEmpty }
}
