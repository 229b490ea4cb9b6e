// Some of one shard's watchers of the ranking, and each one's last seen version.
//
// Owned by one shard's `RankingTicks`. Watchers are grouped by school, then by number of rows and encoding: a group
// gets the same bytes. So a tick costs the changes, and one look at each watched school.
// Decisions: 059 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import WebSocket

final class RankingBoard {
  /// A school with watching players, or none: for watchers without a school.
  final class Watched {
    let school: SchoolID?
    unowned let board: RankingBoard
    fileprivate var index: Int
    fileprivate var audiences: [Audience] = []
    fileprivate var place: CommittedRanking.Place?
    /// The school's part of the message, made for the first receiver that needs it.
    fileprivate var jsonPart: [UInt8]?
    fileprivate var protoPart: [UInt8]?

    fileprivate init(_ school: SchoolID?, on board: RankingBoard, index: Int) {
      self.school = school
      self.board = board
      self.index = index
    }
  }

  /// Watchers who get the same bytes.
  final class Audience {
    unowned let watched: Watched
    fileprivate let head: Head
    fileprivate var sessions: [Session] = []
    /// Some have missed the last message.
    fileprivate var hasLaggards = false

    fileprivate init(_ watched: Watched, _ head: Head) {
      self.watched = watched
      self.head = head
    }
  }

  /// The part of the message that is the same for all schools: one for each number of rows and each encoding.
  fileprivate final class Head {
    let subprotocol: Subprotocol
    let top: Int
    var bytes: [UInt8] = []
    var hasChanged = false
    var audienceCount = 0

    init(_ subprotocol: Subprotocol, top: Int) {
      self.subprotocol = subprotocol
      self.top = top
    }
  }

  /// A session's place on the board.
  struct Seat {
    let audience: Audience
    var board: RankingBoard { audience.watched.board }
    fileprivate var index: Int
    /// The version that the session was shown when it was seated.
    fileprivate let shown: UInt64
    /// The session has missed the last publication.
    fileprivate var isLaggard = false
  }

  private var watched: [Watched] = []
  private var indices: [SchoolID?: Int] = [:]
  private var heads: [Head] = []
  private var versionPublished: UInt64 = 0
  private var hasLaggards = false
  private var frame = Frame()

  var isEmpty: Bool { watched.isEmpty }

  // Seats.

  /// Seats a session that is shown `ranking` otherwise: only changes are published to it.
  func add(_ session: Session, school: SchoolID?, top: Int, _ ranking: CommittedRanking) {
    let watched = watched(for: school, ranking)
    let head = head(session.subprotocol, top: top, ranking)
    let audience = watched.audiences.first { $0.head === head } ?? addAudience(to: watched, head)
    session.part(orAdd: Tapper()).rankingSeat = Seat(
      audience: audience,
      index: audience.sessions.count,
      shown: ranking.version
    )
    audience.sessions.append(session)
  }

  /// Removes a session; does nothing for one without a seat here.
  func remove(_ session: Session) {
    guard let seat = session.tapper?.rankingSeat, seat.board === self else { return }
    session.tapper?.rankingSeat = nil
    let audience = seat.audience
    let last = audience.sessions.removeLast()
    if last !== session {
      audience.sessions[seat.index] = last
      last.tapper?.rankingSeat?.index = seat.index
    }
    guard audience.sessions.isEmpty else { return }
    let watched = audience.watched
    watched.audiences.removeAll { $0 === audience }
    audience.head.audienceCount -= 1
    if audience.head.audienceCount == 0 { heads.removeAll { $0 === audience.head } }
    if watched.audiences.isEmpty { remove(watched) }
  }

  private func watched(for school: SchoolID?, _ ranking: CommittedRanking) -> Watched {
    if let index = indices[school] { return watched[index] }
    let new = Watched(school, on: self, index: watched.count)
    new.update(from: ranking)
    indices[school] = new.index
    watched.append(new)
    return new
  }

  private func remove(_ school: Watched) {
    indices[school.school] = nil
    let last = watched.removeLast()
    guard last !== school else { return }
    watched[school.index] = last
    last.index = school.index
    indices[last.school] = school.index
  }

  private func addAudience(to watched: Watched, _ head: Head) -> Audience {
    head.audienceCount += 1
    let audience = Audience(watched, head)
    watched.audiences.append(audience)
    return audience
  }

  private func head(_ subprotocol: Subprotocol, top: Int, _ ranking: CommittedRanking) -> Head {
    if let head = heads.first(where: { $0.subprotocol == subprotocol && $0.top == top }) { return head }
    let head = Head(subprotocol, top: top)
    var rows = RankingRows(ranking, most: top)
    head.update(from: &rows)
    heads.append(head)
    return head
  }

  // Ticks.

  /// Sends the changes since the last time to their audiences. A slow connection gets the newest ranking when it has
  /// caught up.
  ///
  /// - Returns: the number of sent messages.
  func publish(_ ranking: CommittedRanking, at due: Instant) -> Int {
    let isNew = ranking.version != versionPublished
    guard isNew || hasLaggards else { return 0 }
    var sent = 0
    versionPublished = ranking.version
    hasLaggards = false
    var rows = RankingRows(ranking, most: heads.reduce(0) { max($0, $1.top) })
    for head in heads { head.hasChanged = isNew && head.update(from: &rows) }
    for watched in watched {
      let hasChanged = isNew && watched.update(from: ranking)
      for audience in watched.audiences {
        let concernsAll = hasChanged || audience.head.hasChanged
        if concernsAll || audience.hasLaggards { sent += publish(ranking, at: due, to: audience, all: concernsAll) }
      }
    }
    return sent
  }

  /// Sends the ranking to all of an audience, or to the ones that missed it.
  ///
  /// - Returns: the number of receivers.
  private func publish(_ ranking: CommittedRanking, at due: Instant, to audience: Audience, all: Bool) -> Int {
    let subprotocol = audience.head.subprotocol
    let ownPart = audience.watched.ownPart(subprotocol, ranking)
    frame.fill(subprotocol.isText ? .text : .binary) {
      subprotocol.appendRanking(audience.head.bytes, ownPart, timeMs: due.milliseconds, to: &$0)
    }
    audience.hasLaggards = false
    let byteCount = frame.withPayload { $0.count }
    var sent = 0
    for session in audience.sessions {
      guard let seat = session.tapper?.rankingSeat, seat.isLaggard || all && seat.shown != ranking.version else {
        continue
      }
      if session.connection.isBehind {
        fallBehind(session)
        session.traffic.note(conflated: .ranking)
      } else {
        session.tapper?.rankingSeat?.isLaggard = false
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        if frame.withBytes({ session.connection.send(frames: $0, nothing) }) {
          session.traffic.note(sent: .ranking, bytes: byteCount)
          sent += 1
        }
      }
    }
    return sent
  }

  /// Marks a session that gets the ranking at the next tick, changed or not.
  func fallBehind(_ session: Session) {
    session.tapper?.rankingSeat?.isLaggard = true
    session.tapper?.rankingSeat?.audience.hasLaggards = true
    hasLaggards = true
  }
}

/// The first schools' rows for messages, each encoded once for all heads.
private struct RankingRows {
  let season: UInt32
  private let ranking: CommittedRanking
  private let most: Int
  private lazy var json = ranking.topRows(most, .json)
  private lazy var proto = ranking.topRows(most, .proto)

  init(_ ranking: CommittedRanking, most: Int) {
    self.ranking = ranking
    self.most = most
    season = ranking.season
  }

  mutating func top(_ most: Int, _ subprotocol: Subprotocol) -> ArraySlice<[UInt8]> {
    switch subprotocol {
    case .json: json.prefix(most)
    case .proto: proto.prefix(most)
    }
  }
}

extension RankingBoard.Head {
  /// Updates the head.
  ///
  /// - Returns: whether it has changed.
  @discardableResult
  fileprivate func update(from rows: inout RankingRows) -> Bool {
    let new = subprotocol.rankingHead(season: rows.season, top: rows.top(top, subprotocol))
    guard new != bytes else { return false }
    bytes = new
    return true
  }
}

extension RankingBoard.Watched {
  /// Updates the part that the school's players see beside the top.
  ///
  /// - Returns: whether it has changed.
  @discardableResult
  fileprivate func update(from ranking: CommittedRanking) -> Bool {
    guard let school else { return false }
    let new = ranking.place(of: school)
    guard new != place else { return false }
    place = new
    jsonPart = nil
    protoPart = nil
    return true
  }

  fileprivate func ownPart(_ subprotocol: Subprotocol, _ ranking: CommittedRanking) -> [UInt8] {
    guard let place else { return [] }
    if let known = subprotocol == .json ? jsonPart : protoPart { return known }
    let part = ranking.ownPart(at: place, subprotocol)
    if subprotocol == .json { jsonPart = part } else { protoPart = part }
    return part
  }
}
