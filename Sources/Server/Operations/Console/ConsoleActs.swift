// The acts and questions of consoles: who may do what, and the answers.
//
// On the operators' one shard. What an operator may do is asked anew for each act: it may have changed since the
// console was opened.
import ConsoleProtocol
import Game
import Net
import OperatorAccounts
import Store

extension Console {
  /// Does what an operator asks for, after a look at whether they may do it now. `completion` is called once, on this
  /// shard, with the reply but for its number: when it is committed, or with the reason why nothing was done.
  func carryOut(
    _ act: RequestedAct,
    because reason: String,
    by identity: OperatorIdentity,
    from address: IPAddress,
    completion: @escaping @Sendable (Console, FeedReply) -> Void
  ) {
    if let fault = fault(of: act.act, because: reason, identity) { return completion(self, .refused(fault)) }
    switch act {
    case .action(let action):
      let back = back()
      server.perform(action, by: identity, from: address, because: reason) { outcome in
        back { completion($0, FeedReply(outcome)) }
      }
    case .access(let change):
      perform(change, by: identity, from: address, because: reason) { console, outcome in
        completion(console, console.reply(to: outcome))
        // Behind the answer, so that who has ended their own session gets it.
        console.review()
      }
    }
  }

  /// The reason why an operator may not do something now; nil when they may.
  private func fault(of act: OperatorAct, because reason: String, _ identity: OperatorIdentity) -> ActFault? {
    guard let identity = register.current(identity) else {
      return ActFault("the session or the token has ended", code: "SIGNED_OUT")
    }
    return identity.fault(of: act, because: reason)
      ?? OperatorAction.fault(ofReason: reason).map { ActFault($0, code: "INVALID") }
  }

  private func reply(to outcome: AccessOutcome) -> FeedReply {
    switch outcome {
    case .refused(let fault): .refused(fault)
    case .done(let text, let shown):
      .with {
        $0.ok = true
        $0.text = text
        switch shown {
        case .link(let secret): $0.link = address(ofLink: secret)
        case .token(let secret): $0.token = secret.text
        case .nothing: break
        }
      }
    }
  }

  func act(_ act: RequestedAct, because reason: String, _ id: Int32, _ feed: ConsoleFeed) {
    let token = feed.connection.token
    carryOut(act, because: reason, by: feed.identity, from: feed.connection.address.ip) { console, reply in
      console.feeds[token]?.reply(id, reply)
    }
  }

  /// Takes a part of an edition of schools, and applies the edition with its last part.
  func take(_ schools: [School], isFirst: Bool, isLast: Bool, _ id: Int32, _ feed: ConsoleFeed) {
    if let fault = fault(of: .importSchools, because: "", feed.identity) {
      feed.dropEdition()
      return feed.reply(id, .refused(fault))
    }
    guard let edition = feed.add(schools, isFirst: isFirst) else {
      return feed.refuse(id, "no edition has begun, or a part of it was refused: begin with `first`")
    }
    guard edition.count <= School.editionMax else {
      feed.dropEdition()
      return feed.refuse(id, "an edition has at most \(School.editionMax) schools")
    }
    guard isLast else { return feed.reply(id) { $0.text = "\(edition.count) schools so far" } }
    feed.dropEdition()
    act(.action(.importSchools(edition)), because: "", id, feed)
  }

  func answerGames(of room: RoomID, _ id: Int32, _ feed: ConsoleFeed) {
    let (token, back) = (feed.connection.token, back())
    ListedGame.all(of: room, on: server) { games in
      back { console in
        guard let feed = console.feeds[token] else { return }
        switch games {
        case .success(let games): feed.reply(id) { $0.games = games.map(\.message) }
        case .failure(let failure): feed.refuse(id, "\(failure)", code: "STORE_UNAVAILABLE")
        }
      }
    }
  }
}

extension ConsoleFeed {
  func reply(_ id: Int32, _ reply: FeedReply) {
    var reply = reply
    reply.reply = id
    send(reply)
  }

  func reply(_ id: Int32, _ body: (inout FeedReply) -> Void) {
    reply(
      id,
      .with { (reply: inout FeedReply) in
        reply.ok = true
        body(&reply)
      }
    )
  }

  func refuse(_ id: Int32, _ why: String, code: String = "INVALID") { reply(id, .refused(ActFault(why, code: code))) }
}

extension FeedReply {
  fileprivate init(_ outcome: OperatorActionOutcome) {
    switch outcome {
    case .refused(let why, let code): self = .refused(ActFault(why, code: code))
    case .done(let text, let link):
      self = .with {
        $0.ok = true
        $0.text = text
        if let link { $0.link = link }
      }
    case .added(let target):
      self = .with {
        $0.ok = true
        $0.text = target.secretText
        $0.webhook = target.id.description
        $0.secret = target.secret
      }
    }
  }

  fileprivate static func refused(_ fault: ActFault) -> FeedReply {
    .with {
      $0.ok = false
      $0.error = fault.text
      if let code = fault.code { $0.code = code }
    }
  }
}
