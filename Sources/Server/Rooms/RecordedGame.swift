// A recorded game: its stored row and results, and its room's journal, read from the store to be replayed.
//
// Reads block, so a thread that no shard waits for calls them. It decides nothing: the rules decide once more, and the
// result of an ended game must equal the stored one.
// Decisions: 041 (docs/decisions).
import Game
import Store

struct RecordedGame {
  let id: GameID
  /// Nil while the game is on.
  let ended: StoredGame?
  private let journal: [UInt8]

  /// A longer journal is refused: a replay takes a second of CPU.
  private static let journalBytesMax = 32 << 20

  /// The reason why a game can't be replayed.
  enum Fault: Error, Sendable {
    /// There is no such game, or its journal is no longer kept.
    case notKept
    case otherRules(UInt32)
    case tooLong
    case damaged(String)
    case store(StoreFailure)
  }

  /// Reads a game that has ended or is on.
  init(_ id: GameID, from store: any Store) throws(Fault) {
    let (ended, journal): (StoredGame?, [UInt8]?)
    do throws(StoreFailure) {
      if let running = try store.journal(ofRunning: id) {
        (ended, journal) = (nil, running)
      } else {
        (ended, journal) = (try store.game(id), try store.journal(of: id))
      }
    } catch {
      throw .store(error)
    }
    try self.init(id, ended, journal)
  }

  /// The journal of a game that has ended.
  init(ended: StoredGame, from store: any Store) throws(Fault) {
    let journal: [UInt8]?
    do throws(StoreFailure) {
      journal = try store.journal(of: ended.row.id)
    } catch {
      throw .store(error)
    }
    try self.init(ended.row.id, ended, journal)
  }

  private init(_ id: GameID, _ ended: StoredGame?, _ journal: [UInt8]?) throws(Fault) {
    guard let journal else { throw .notKept }
    guard journal.count <= Self.journalBytesMax else { throw .tooLong }
    (self.id, self.ended, self.journal) = (id, ended, journal)
  }

  /// Replays the game by `body`, which returns its outcome and the result that came out.
  func replay<Outcome>(
    _ body: (_ number: UInt32, _ journal: [UInt8]) throws -> (Outcome, GameResult?)
  ) throws(Fault) -> Outcome {
    let (outcome, result): (Outcome, GameResult?)
    do {
      (outcome, result) = try body(id.number, journal)
    } catch let fault as Fault {
      throw fault
    } catch SteppedReplay.Fault.noStart {
      throw .notKept
    } catch SteppedReplay.Fault.otherRules(let version) {
      throw .otherRules(version)
    } catch is GameCourse.TooLong {
      throw .tooLong
    } catch {
      throw .damaged("\(error)")
    }
    if let ended {
      guard result?.fingerprint == ended.row.fingerprint else { throw .damaged("it comes out differently") }
    }
    return outcome
  }
}
