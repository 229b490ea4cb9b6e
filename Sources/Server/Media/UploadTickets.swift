// The tickets of uploads: who may upload what, and how far each upload has come.
//
// All shards share them; guarded by a lock that is held for a few steps. They are forgotten with the process: a client
// asks for a new ticket then. A ticket has one upload at a time. Each request that goes on with it is a run, and a run
// that has been replaced counts no more. The announced bytes of open tickets are a bound that networks share.
// Decisions: 127 (docs/decisions).
import Game
import Gateway
import Locks
import MadangProtocol
import Net

/// The secret of a ticket.
struct UploadTicketID: WideID {
  let value: UInt128

  init(_ value: UInt128) {
    self.value = value
  }
}

/// One request that sends bytes of a ticket's file.
struct UploadRun: Sendable {
  let ticket: UploadTicketID
  let number: UInt64
  let player: PlayerID
  /// The network that has asked for the ticket.
  let network: SharingNetwork
  let format: PictureFormat
  /// The name of the file.
  let file: String
  /// The request is one of tus, and sends a part of the file.
  let isPart: Bool
  /// The first byte that the request sends.
  let offset: Int
  /// Of the whole file.
  let byteCount: Int
}

/// The state of a ticket's upload.
struct UploadStatus: Sendable {
  let offset: Int
  let byteCount: Int
  /// The picture, once it is kept; or the reason why it is not.
  let outcome: Result<MediaID, PictureRefusal>?
}

final class UploadTickets: Sendable {
  fileprivate enum Stage {
    case open
    /// Bytes come by a run.
    case receiving
    /// The file is whole, and is worked on.
    case working
    case over(Result<MediaID, PictureRefusal>)
  }

  private struct Ticket {
    let player: PlayerID
    let network: SharingNetwork
    let format: PictureFormat
    let file: String
    let byteCount: Int
    var offset = 0
    var stage = Stage.open
    var run: UInt64 = 0
    var lastByteAt: Timestamp
    var expiresAt: Timestamp
  }

  private struct State {
    var tickets: [UploadTicketID: Ticket] = [:]
    /// The bytes that open tickets are for.
    var openBytes = NetworkShares(bound: UploadTickets.openBytesMax)

    mutating func close(_ ticket: Ticket) {
      if !ticket.stage.isOver { openBytes.giveBack(ticket.byteCount, of: ticket.network) }
    }
  }

  enum Admission {
    /// The ticket is good until then.
    case until(Timestamp)
    case spent(Budget)
  }

  /// The time after which a ticket without any byte is forgotten; seconds.
  static let unbegunSeconds: Int64 = 300
  /// The time without progress after which an upload that has begun is forgotten, or after its end; seconds.
  static let lifeSeconds: Int64 = 3_600
  /// The bytes that all open tickets may be for: of the disk.
  static let openBytesMax = 2 << 30
  /// The time after which another request may go on where one has stopped to send; its connection is gone then.
  static let takeoverSeconds: Int64 = 5

  private let state = OrderedMutex(.leaf, State())

  /// The bound of a network beside which nobody has open tickets.
  static let openBytesMaxOfNetwork = NetworkShares(bound: openBytesMax).boundOfNetwork

  /// The bytes that open tickets are for: of all, and of the network with the most.
  var openBytes: (inAll: Int, ofNetwork: Int) {
    state.withLock { ($0.openBytes.used, $0.openBytes.usedByNetwork) }
  }

  /// The tickets that wait for their file, or for a part of it.
  var openCount: Int { state.withLock { $0.tickets.values.count { !$0.stage.isOver } } }

  /// Adds a ticket, unless too many bytes are announced already.
  func add(
    _ id: UploadTicketID,
    of player: PlayerID,
    at network: SharingNetwork,
    for format: PictureFormat,
    byteCount: Int,
    file: String,
    at now: Timestamp
  ) -> Admission {
    state.withLock { state in
      switch state.openBytes.take(byteCount, for: network) {
      case .taken: break
      case .spent: return .spent(.openUploadBytes)
      case .spentByNetwork: return .spent(.openUploadBytesOfAddress)
      }
      let expiresAt = now.advanced(seconds: Self.unbegunSeconds)
      state.tickets[id] = Ticket(
        player: player,
        network: network,
        format: format,
        file: file,
        byteCount: byteCount,
        lastByteAt: now,
        expiresAt: expiresAt
      )
      return .until(expiresAt)
    }
  }

  /// Begins a run. Without `offset` the file comes anew and whole, in `length` bytes; else a part of it.
  func begin(
    _ id: UploadTicketID,
    offset: Int?,
    length: Int,
    at now: Timestamp
  ) -> Result<UploadRun, PictureRefusal> {
    state.withLock { state in
      guard var ticket = state.tickets[id], ticket.stage.isOver || now < ticket.expiresAt else {
        return .failure(PictureRefusal(.ticketNotFound))
      }
      switch ticket.stage {
      case .open: break
      case .receiving:
        guard now >= ticket.lastByteAt.advanced(seconds: Self.takeoverSeconds) else {
          return .failure(PictureRefusal(.uploadRunning))
        }
      case .working, .over: return .failure(PictureRefusal(.ticketUsed))
      }
      if let offset, offset != ticket.offset { return .failure(PictureRefusal(.uploadOffsetDiffers)) }
      let fits = offset.map { $0 + length <= ticket.byteCount } ?? (length == ticket.byteCount)
      guard fits else { return .failure(PictureRefusal(.uploadLengthDiffers)) }
      ticket.offset = offset ?? 0
      ticket.run += 1
      ticket.stage = .receiving
      ticket.lastByteAt = now
      state.tickets[id] = ticket
      return .success(
        UploadRun(
          ticket: id,
          number: ticket.run,
          player: ticket.player,
          network: ticket.network,
          format: ticket.format,
          file: ticket.file,
          isPart: offset != nil,
          offset: ticket.offset,
          byteCount: ticket.byteCount
        )
      )
    }
  }

  /// Whether a run still counts.
  func isCurrent(_ run: UploadRun) -> Bool {
    state.withLock { $0.tickets[run.ticket].map { $0.run == run.number } ?? false }
  }

  /// The reason why a run counts no more: its ticket is forgotten, or another run has taken over.
  func refusal(of run: UploadRun) -> PictureRefusal {
    PictureRefusal(state.withLock { $0.tickets[run.ticket] == nil } ? .ticketNotFound : .uploadRunning)
  }

  /// A run's bytes are written up to an offset; false where the run counts no more.
  func advance(_ run: UploadRun, to offset: Int, at now: Timestamp) -> Bool {
    change(run) { ticket in
      ticket.offset = offset
      ticket.lastByteAt = now
      ticket.expiresAt = now.advanced(seconds: Self.lifeSeconds)
    }
  }

  /// A run has sent its last byte. Whether the file is whole, and is to be worked on; nil where the run counts no more.
  func end(_ run: UploadRun) -> Bool? {
    var isWhole = false
    let isCurrent = change(run) { ticket in
      isWhole = ticket.offset == ticket.byteCount
      ticket.stage = isWhole ? .working : .open
    }
    return isCurrent ? isWhole : nil
  }

  /// A run has broken off, or its file can't be worked on now.
  func reopen(_ run: UploadRun) {
    _ = change(run) { $0.stage = .open }
  }

  /// The ticket is used up.
  func complete(_ run: UploadRun, _ outcome: Result<MediaID, PictureRefusal>, at now: Timestamp) {
    state.withLock { state in
      guard let ticket = state.tickets[run.ticket], !ticket.stage.isOver else { return }
      state.close(ticket)
      state.tickets[run.ticket]?.stage = .over(outcome)
      state.tickets[run.ticket]?.expiresAt = now.advanced(seconds: Self.lifeSeconds)
    }
  }

  func status(of id: UploadTicketID) -> UploadStatus? {
    state.withLock { state in
      state.tickets[id].map { ticket in
        let outcome: Result<MediaID, PictureRefusal>? =
          if case .over(let outcome) = ticket.stage { outcome } else { nil }
        return UploadStatus(offset: ticket.offset, byteCount: ticket.byteCount, outcome: outcome)
      }
    }
  }

  /// Forgets tickets that are over, or made no progress for long; returns the files to delete.
  func sweep(at now: Timestamp) -> [String] {
    drop { now >= $0.expiresAt && !$0.stage.isAtWork }
  }

  /// Forgets a player's tickets; returns the files to delete.
  func forget(_ player: PlayerID) -> [String] {
    drop { $0.player == player }
  }

  private func change(_ run: UploadRun, _ body: (inout Ticket) -> Void) -> Bool {
    state.withLock { state in
      guard var ticket = state.tickets[run.ticket], ticket.run == run.number, !ticket.stage.isOver else { return false }
      body(&ticket)
      state.tickets[run.ticket] = ticket
      return true
    }
  }

  private func drop(_ isDropped: (Ticket) -> Bool) -> [String] {
    state.withLock { state in
      let dropped = state.tickets.filter { isDropped($0.value) }
      for (id, ticket) in dropped {
        state.tickets[id] = nil
        state.close(ticket)
      }
      return dropped.values.map(\.file)
    }
  }
}

extension UploadTickets.Stage {
  fileprivate var isOver: Bool { if case .over = self { true } else { false } }

  /// Whether something goes on that ends by itself.
  fileprivate var isAtWork: Bool {
    switch self {
    case .receiving, .working: true
    case .open, .over: false
    }
  }
}
