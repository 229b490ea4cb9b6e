// Proposals of lands by players: the ring that they have walked in a game, kept until an operator decides.
//
// On the shard's queue. Games are replayed on a thread of their own, one at a time. The proposal is a change of a
// commit.
// Decisions: 108 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import Store

extension WireLandProposalsRequest: PageRequest {}

extension Records {
  func proposeLand(_ wire: WireProposeLand, _ request: PlayerRequest) {
    do throws(TextFault) {
      try Land.check(name: wire.name)
    } catch {
      return request.refuse(.outOfRange, "name: \(error)")
    }
    guard let game = GameID(wire.gameID) else { return request.refuse(.gameNotFound) }
    let charges = proposalCharges(request)
    if let wait = gateway.budgets.pay(charges, at: gateway.core.now) {
      return request.refuse(.rateLimited, retryAfterMs: wait)
    }
    let (name, player, store, proposals) = (wire.name, request.player, gateway.context.store, proposals)
    awaitAnswer(for: request) { (answer: @escaping @Sendable (Result<WalkedRing, WalkedRing.Fault>?) -> Void) in
      let isTaken = proposals.run {
        do throws(WalkedRing.Fault) {
          answer(.success(try WalkedRing(of: player, in: game, from: store)))
        } catch {
          answer(.failure(error))
        }
      }
      if !isTaken { answer(nil) }
    } then: { records, request, answer in
      switch answer {
      case .success(let ring)?: records.keep(ring, name, game, request)
      case .failure(let fault)?: request.refuse(for: fault)
      case nil:
        let budgets = records.gateway.budgets
        for charge in records.proposalCharges(request) { budgets.giveBack(charge) }
        budgets.noteRefusal(.waitingProposals)
        request.refuse(.rateLimited, "other games are being replayed", retryAfterMs: 2_000)
      }
    }
  }

  private func proposalCharges(_ request: PlayerRequest) -> [Charge] {
    [
      Charge(budget: .landProposals, payer: .player(request.player)),
      Charge(budget: .landProposalsOfAddress, payer: .address(request.session.connection.address.ip)),
    ]
  }

  /// Keeps a proposal, and answers when it is committed.
  private func keep(_ ring: WalkedRing, _ name: String, _ game: GameID, _ request: PlayerRequest) {
    let bytes = gateway.context.configuration.random(16)
    let proposal = LandProposal(
      id: ProposalID(bytes.reduce(0) { $0 << 8 | UInt128($1) }),
      player: request.player,
      game: game,
      name: name,
      ring: ring.corners,
      lengthMm: ring.lengthMm,
      proposedAt: gateway.now
    )
    // The connection waits for the outcome; without it nothing else would be answered.
    let giveUp = { request.session.refuseUnwritten(request.id, andClose: true) }
    awaitOutcome(of: ProposalChange.propose(proposal), for: request.session, orElse: giveUp) { outcome, session in
      guard session != nil else { return }
      switch outcome {
      case .proposed(let kept): request.reply(.landProposal(WireLandProposal(kept)))
      case .tooMany: request.refuse(.tooManyProposals)
      case .notFound: request.refuse(.playerNotFound)
      case .unavailable: request.refuseForStore()
      case .accepted, .declined: preconditionFailure("a proposal is not decided when it is made")
      }
    }
  }

  func answerLandProposals(_ wire: WireLandProposalsRequest, _ request: PlayerRequest) {
    let (range, standard) = (Limits.landProposalsLimit, Limits.landProposalsLimitDefault)
    guard let (limit, cursor) = request.page(of: wire, in: range, default: standard, ProposalCursor.init) else {
      return
    }
    answerFromStore(request, orElse: .playerNotFound) { store, player, finish in
      store.landProposals(of: player, before: cursor, limit: limit + 1) { proposals in
        finish(
          proposals.map { proposals in
            let page = Page(proposals, limit: limit)
            var answer = WireLandProposals()
            answer.proposals = page.rows.map { WireLandProposal($0) }
            if let last = page.lastOfMore { answer.nextCursor = ProposalCursor(of: last).text }
            return .landProposals(answer)
          }
        )
      }
    }
  }
}

extension PlayerRequest {
  fileprivate func refuse(for fault: WalkedRing.Fault) {
    switch fault {
    case .gameNotFound: refuse(.gameNotFound)
    case .notKept(let why): refuse(.trackNotKept, why)
    case .notBelieved: refuse(.trackNotBelieved)
    case .noLoop: refuse(.noLoop)
    case .store: refuseForStore()
    }
  }
}

extension WireLandProposal {
  init(_ proposal: LandProposal) {
    self.init()
    proposalID = proposal.id.description
    gameID = proposal.game.description
    name = proposal.name
    lengthM = UInt32(clamping: proposal.lengthMm / 1_000)
    let outline = proposal.outline(verticesMax: Limits.outlineVerticesMax)
    outlineLatE7 = outline.map(\.latE7)
    outlineLngE7 = outline.map(\.lngE7)
    proposedAtMs = proposal.proposedAt.milliseconds
    switch proposal.state {
    case .waiting: state = .waiting
    case .accepted(let land, let at):
      state = .accepted
      landID = land.description
      decidedAtMs = at.milliseconds
    case .declined(let why, let at):
      state = .declined
      reason = why
      decidedAtMs = at.milliseconds
    }
  }
}

extension ProposalCursor {
  /// The cursor's text, which is opaque to clients.
  var text: String { "\(proposedAt.milliseconds)-\(id)" }

  /// Reads the text that `text` writes; nil for any other text.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let milliseconds = Int64(parts[0]), let id = ProposalID(parts[1]) else { return nil }
    self.init(proposedAt: Instant(milliseconds: milliseconds), id: id)
  }
}
