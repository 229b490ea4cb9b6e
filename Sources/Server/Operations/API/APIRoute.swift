// A route of the HTTP API: a method and a path, what is done or read there, and the messages of request and answer. A
// value; pure.
import ConsoleProtocol
import OperatorAccounts

struct APIRoute: Sendable {
  enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"

    /// The method of a request; HEAD is asked as GET is.
    init?(of head: String) {
      self.init(rawValue: head == "HEAD" ? "GET" : head)
    }
  }

  enum Target: Sendable, Equatable {
    case act(OperatorAct)
    /// A view of the console, by its name.
    case view(String)
    case document, server, overview, history, room, games, game, track, gpx, players, player, results, schools, lands,
      land
  }

  let method: Method
  /// Its parts behind `/v1`; one in braces is a member of the request's message.
  let path: [String]
  let target: Target
  /// The name of the operation, each once.
  let name: String
  /// The message whose members stand in the path, then in the query (GET, DELETE) or in the body (POST, PUT).
  let message: String?
  /// The members of the body without which nothing can be done.
  let needed: [String]
  /// Members of the message that have no place in a request of the API.
  let without: [String]
  /// The answer's message; nil for the description itself, and for an answer of another type.
  let answer: String?
  /// The type of the answer's content.
  let mediaType: String
  let summary: String

  static let reason = "reason"
  static let json = "application/json"
  static let bodyBytesMaxOfMost = 256 * 1_024
  /// An edition of a country's schools comes whole.
  private static let editionBytesMax = 8 * 1_024 * 1_024
}

extension APIRoute {
  static func act(
    _ method: Method,
    _ path: String,
    _ act: OperatorAct,
    _ message: String?,
    needing needed: [String] = [],
    without: [String] = [],
    named name: String? = nil,
    _ summary: String
  ) -> APIRoute {
    APIRoute(
      method: method,
      path: parts(of: path),
      target: .act(act),
      name: name ?? act.rawValue,
      message: message,
      needed: needed,
      without: without,
      answer: "Reply",
      mediaType: json,
      summary: summary
    )
  }

  static func read(
    _ path: String,
    _ target: Target,
    _ message: String?,
    named name: String,
    answer: String?,
    as mediaType: String = json,
    _ summary: String
  ) -> APIRoute {
    APIRoute(
      method: .get,
      path: parts(of: path),
      target: target,
      name: name,
      message: message,
      needed: [],
      without: [],
      answer: answer,
      mediaType: mediaType,
      summary: summary
    )
  }

  private static func parts(of path: String) -> [String] { path.split(separator: "/").map(String.init) }
}

extension APIRoute {
  var act: OperatorAct? { if case .act(let act) = target { act } else { nil } }

  var leastRole: OperatorRole { act?.leastRole ?? .viewer }

  var bodyBytesMax: Int { act == .importSchools ? Self.editionBytesMax : Self.bodyBytesMaxOfMost }

  /// The path as descriptions write it.
  var pathText: String { "/v1/" + path.joined(separator: "/") }

  /// The member of the message that a part of the path stands for; nil for a part that is as it is.
  static func parameter(_ part: String) -> String? {
    part.hasPrefix("{") ? String(part.dropFirst().dropLast()) : nil
  }

  /// The members of the path.
  var pathMembers: [ConsoleSchema.Member] { path.compactMap(Self.parameter).map { member($0) } }

  /// The members beside those of the path: of the query, or of the body. An act's reason is among them.
  var otherMembers: [ConsoleSchema.Member] {
    let taken = Set(path.compactMap(Self.parameter) + without)
    var members = message.map { ConsoleSchema.console[$0].members } ?? []
    if method == .delete { members = [] }
    members.removeAll { taken.contains($0.name) }
    guard act != nil, !members.contains(where: { $0.name == Self.reason }) else { return members }
    return members + ConsoleSchema.console["Because"].members
  }

  private func member(_ name: String) -> ConsoleSchema.Member {
    guard let message, let member = ConsoleSchema.console[message].member(name) else {
      preconditionFailure("the message of \(pathText) has no \(name)")
    }
    return member
  }

  /// The values of the path's members where a request's path is this one's; else nil. `parts` are decoded.
  func match(_ parts: [String]) -> [String]? {
    guard parts.count == path.count else { return nil }
    var values: [String] = []
    for (part, own) in zip(parts, path) {
      if Self.parameter(own) != nil {
        guard !part.isEmpty else { return nil }
        values.append(part)
      } else if part != own {
        return nil
      }
    }
    return values
  }
}
