// One message of news, in the encodings and compressions that its receivers need, and the same without what is hidden
// from some of them: encoded once for all from whom the same is hidden.
//
// Owned by the `StoryNews` of one delivery.
// Decisions: 116 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import Store
import WebSocket

final class NewsForm {
  private let body: WireServerMessage.OneOf_Body
  /// What others have written and the message names, with the authors.
  private let authors: [ReportSubject: PlayerID]
  /// The order of a feed before these news.
  private let orderBefore: [String]
  /// The message says something even where all of `authors` is hidden.
  private let saysMore: Bool
  private var json = SharedFrames(.text)
  private var proto = SharedFrames(.binary)
  /// The rest of the message for those from whom something of it is hidden; nil where nothing is left.
  private var rests: [Set<ReportSubject>: NewsForm?] = [:]

  init(
    _ body: WireServerMessage.OneOf_Body,
    of authors: [ReportSubject: PlayerID],
    orderBefore: [String] = [],
    saysMore: Bool = false
  ) {
    (self.body, self.authors, self.orderBefore, self.saysMore) = (body, authors, orderBefore, saysMore)
  }

  /// The message as a player may see it; nil where it says nothing to them.
  func form(for session: Session) -> NewsForm? {
    let hidden = session.hidden(of: authors)
    guard !hidden.isEmpty else { return self }
    if let known = rests[hidden] { return known }
    let rest = body.without(Set(hidden.map(\.wireID)), orderBefore: orderBefore)
    let form = saysMore || rest.saysSomething ? NewsForm(rest, of: [:]) : nil
    rests[hidden] = .some(form)
    return form
  }

  /// Sends the message; nil when the connection was not open.
  ///
  /// - Returns: its length, and how often it was encoded for that.
  func send(to session: Session) -> (byteCount: Int, encodings: Int)? {
    var encodings = 0
    let (body, subprotocol) = (body, session.subprotocol)
    let write: (inout [UInt8]) -> Void = { bytes in
      encodings += 1
      var message = WireServerMessage()
      message.body = body
      subprotocol.append(message, to: &bytes)
    }
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    let byteCount: Int?
    switch subprotocol {
    case .json:
      json.fill(write)
      byteCount = json.send(to: session.connection, nothing)
    case .proto:
      proto.fill(write)
      byteCount = proto.send(to: session.connection, nothing)
    }
    return byteCount.map { ($0, encodings) }
  }
}

extension Session {
  /// What is hidden from the player of some posts and comments: what they have reported, and what players have written
  /// whom they have blocked.
  func hidden(of authors: [ReportSubject: PlayerID]) -> Set<ReportSubject> {
    let (blocked, reported) = (blocked, part(StoryWatcher.self)?.reported ?? [])
    guard !blocked.isEmpty || !reported.isEmpty else { return [] }
    return Set(authors.lazy.filter { blocked.contains($1) || reported.contains($0) }.map(\.key))
  }
}

extension ReportSubject {
  /// The identifier of a post or comment as messages have it.
  fileprivate var wireID: String { kind == .post ? PostID(id).description : CommentID(id).description }
}

extension WireServerMessage.OneOf_Body {
  /// The news without some posts and comments.
  fileprivate func without(_ hidden: Set<String>, orderBefore: [String]) -> Self {
    switch self {
    case .postNews(var news):
      news.comments.removeAll { hidden.contains($0.commentID) }
      news.editedComments.removeAll { hidden.contains($0.commentID) }
      news.deletedComments.removeAll { hidden.contains($0) }
      return .postNews(news)
    case .feedNews(var news):
      news.posts.removeAll { hidden.contains($0.postID) }
      news.counts.removeAll { hidden.contains($0.postID) }
      guard !news.order.isEmpty else { return .feedNews(news) }
      news.order.removeAll { hidden.contains($0) }
      guard !news.anew else { return .feedNews(news) }
      let before = orderBefore.filter { !hidden.contains($0) }
      // An empty order says nothing.
      news.anew = news.order.isEmpty && !before.isEmpty
      if news.order == before { news.order = [] }
      return .feedNews(news)
    default: return self
    }
  }

  /// Whether the news have anything but counts of a post.
  fileprivate var saysSomething: Bool {
    switch self {
    case .postNews(let news):
      news.anew || news.deleted || news.gap || news.hasPost || !news.comments.isEmpty || !news.editedComments.isEmpty
        || !news.deletedComments.isEmpty
    case .feedNews(let news): news.anew || !news.order.isEmpty || !news.posts.isEmpty || !news.counts.isEmpty
    default: true
    }
  }
}
