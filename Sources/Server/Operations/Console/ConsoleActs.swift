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
  /// Whether the operator of a feed may do something now; refuses it otherwise.
  private func allows(_ act: OperatorAct, because reason: String, _ id: Int32, _ feed: ConsoleFeed) -> Bool {
    guard let identity = register.current(feed.identity) else {
      feed.refuse(id, "the session or the token has ended")
      return false
    }
    if let fault = identity.fault(of: act, because: reason) ?? OperatorAction.fault(ofReason: reason) {
      feed.refuse(id, fault)
      return false
    }
    return true
  }

  func act(_ action: OperatorAction, because reason: String, _ id: Int32, _ feed: ConsoleFeed) {
    guard allows(action.act, because: reason, id, feed) else { return }
    let (token, back) = (feed.connection.token, back())
    server.perform(action, by: feed.identity, from: feed.connection.address.ip, because: reason) { outcome in
      back { console in
        guard let feed = console.feeds[token] else { return }
        switch outcome {
        case .done(let text): feed.reply(id) { $0.text = text }
        case .refused(let why, let code): feed.refuse(id, why, code: code)
        }
      }
    }
  }

  func manage(_ change: AccessChange, because reason: String, _ id: Int32, _ feed: ConsoleFeed) {
    guard allows(change.act, because: reason, id, feed) else { return }
    let token = feed.connection.token
    perform(change, by: feed.identity, from: feed.connection.address.ip, because: reason) { console, outcome in
      if let feed = console.feeds[token] {
        switch outcome {
        case .done(let text, let shown):
          feed.reply(id) {
            $0.text = text
            switch shown {
            case .link(let secret): $0.link = console.address(ofLink: secret)
            case .token(let secret): $0.token = secret.text
            case .nothing: break
            }
          }
        case .refused(let why): feed.refuse(id, why)
        }
      }
      // Behind the answer, so that who has ended their own session gets it.
      console.review()
    }
  }

  /// Takes a part of an edition of schools, and applies the edition with its last part.
  func take(_ schools: [School], isFirst: Bool, isLast: Bool, _ id: Int32, _ feed: ConsoleFeed) {
    guard allows(.importSchools, because: "", id, feed) else { return feed.dropEdition() }
    guard let edition = feed.add(schools, isFirst: isFirst) else {
      return feed.refuse(id, "no edition has begun, or a part of it was refused: begin with `first`")
    }
    guard edition.count <= ConsoleFeed.editionSchoolsMax else {
      feed.dropEdition()
      return feed.refuse(id, "an edition has at most \(ConsoleFeed.editionSchoolsMax) schools")
    }
    guard isLast else { return feed.reply(id) { $0.text = "\(edition.count) schools so far" } }
    feed.dropEdition()
    act(.importSchools(edition), because: "", id, feed)
  }

  func answerGames(of room: RoomID, _ id: Int32, _ feed: ConsoleFeed) {
    let (token, back) = (feed.connection.token, back())
    ListedGame.all(of: room, on: server) { games in
      back { console in
        guard let feed = console.feeds[token] else { return }
        switch games {
        case .success(let games): feed.reply(id) { $0.games = games.map(\.message) }
        case .failure(let failure): feed.refuse(id, "\(failure)")
        }
      }
    }
  }
}

extension ConsoleFeed {
  func reply(_ id: Int32, _ body: (inout FeedReply) -> Void) {
    send(
      .with { (reply: inout FeedReply) in
        reply.reply = id
        reply.ok = true
        body(&reply)
      }
    )
  }

  func refuse(_ id: Int32, _ why: String, code: String? = nil) {
    send(
      .with { (reply: inout FeedReply) in
        reply.reply = id
        reply.ok = false
        reply.error = why
        if let code { reply.code = code }
      }
    )
  }
}
