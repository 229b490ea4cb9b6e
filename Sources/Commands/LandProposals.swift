// `madang lands proposals`, `accept` and `decline`: the lands that players propose.
import ArgumentParser
import ConsoleProtocol
import Cryptography
import Game
import Store

extension Lands {
  struct Proposals: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the lands that players propose and that nobody has decided about, the oldest first.",
      discussion: "A player proposes the ring that they have walked in a game. Works beside a running server."
    )

    @OptionGroup var folder: StoreFolder

    func run() async throws {
      let store = try folder.open()
      defer { store.close() }
      let rows = try await withCheckedContinuation { waiting in
        store.waitingProposals(limit: LandProposal.waitingMax) { waiting.resume(returning: $0) }
      }.get()
      for row in rows { print(row.line) }
    }
  }

  struct Accept: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a proposal a land.",
      discussion: """
        Players find it at once. A land with the same ring that was there before stays as it is, and the proposal is \
        accepted as that land. A server that runs on the folder with --admin-port does it itself; one without it must be \
        stopped meanwhile. It is in the audit log.
        """
    )

    @Argument(help: "The proposal, as madang lands proposals lists it.")
    var proposal: String

    @Option(help: "Another name for it.")
    var name: String?

    @OptionGroup var folder: WritableStoreFolder

    func run() async throws {
      let id = try ProposalID(argument: proposal)
      if let name { try Lands.check("the name") { () throws(TextFault) in try Land.check(name: name) } }
      let list = try folder.openOrFindServer()
      defer { list.store.close() }
      print(try await list.accept(id, name: name))
    }
  }

  struct Decline: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Decline a proposal.",
      discussion: """
        The player reads the reason. A server that runs on the folder with --admin-port does it itself; one without it \
        must be stopped meanwhile. It is in the audit log.
        """
    )

    @Argument(help: "The proposal, as madang lands proposals lists it.")
    var proposal: String

    @Option(help: "The reason, for the player: at most 200 characters.")
    var reason: String

    @OptionGroup var folder: WritableStoreFolder

    func run() async throws {
      let id = try ProposalID(argument: proposal)
      try Lands.check("the reason") { () throws(TextFault) in try LandProposal.check(reason: reason) }
      let list = try folder.openOrFindServer()
      defer { list.store.close() }
      print(try await list.decline(id, reason: reason))
    }
  }

  private static func check(_ what: String, _ body: () throws(TextFault) -> Void) throws {
    do throws(TextFault) {
      try body()
    } catch {
      throw ValidationError("\(what): \(error).")
    }
  }
}

extension ProposalID {
  fileprivate init(argument: String) throws {
    guard let id = ProposalID(argument) else {
      throw ValidationError("\(argument) names no proposal: 32 hexadecimal digits; see madang lands proposals.")
    }
    self = id
  }
}

extension ProposalRow {
  fileprivate var line: String {
    let (lat, lng) = proposal.ring[0].degrees
    return """
      \(proposal.id)  \(proposal.proposedAt.utc)  \(proposal.lengthMm / 1_000) m, at \(lat) \(lng)  game \(proposal.game)  \
      player \(proposal.player) (\(nickname.printable))  \(proposal.name.printable)
      """
  }
}

extension OpenedList {
  /// Accepts a proposal; returns the outcome in words.
  fileprivate func accept(_ id: ProposalID, name: String?) async throws -> String {
    switch self {
    case .server(let feed, _):
      let request = FeedAcceptLand.with {
        $0.proposal = id.description
        if let name { $0.name = name }
      }
      return try feed.act("acceptLand", request.consoleJSON)
    case .store(let store):
      let found = try await withCheckedContinuation { waiting in
        store.landProposal(id) { waiting.resume(returning: $0) }
      }.get()
      guard let found, found.state == .waiting else { throw Self.notWaiting(id) }
      let land: Land
      do throws(LandFault) {
        land = try Land(named: name ?? found.name, ring: found.ring, sha256: Digest.sha256)
      } catch {
        throw ValidationError("the proposal's ring: \(error).")
      }
      let change = ProposalChange.accept(id, land, .byCommand("acceptLand", ""))
      guard case .accepted(let isNew) = try await store.commit(change) else { throw Self.notWaiting(id) }
      return isNew ? "land \(land.id) is added: \(land.name)" : "land \(land.id) was there already"
    }
  }

  /// Declines a proposal; returns the outcome in words.
  fileprivate func decline(_ id: ProposalID, reason: String) async throws -> String {
    switch self {
    case .server(let feed, _):
      let request = FeedDeclineLand.with {
        $0.proposal = id.description
        $0.reason = reason
      }
      return try feed.act("declineLand", request.consoleJSON)
    case .store(let store):
      let change = ProposalChange.decline(id, reason: reason, .byCommand("declineLand", reason))
      guard try await store.commit(change) == .declined else { throw Self.notWaiting(id) }
      return "proposal \(id) is declined"
    }
  }

  private static func notWaiting(_ id: ProposalID) -> ValidationError {
    ValidationError("no proposal \(id) waits: it was decided, or its player is deleted.")
  }
}
