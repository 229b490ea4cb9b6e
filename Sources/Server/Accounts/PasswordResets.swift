// A player sets a new password by the one-time link that an operator has made for them: the page of the link sends its
// secret and the password in a body of its own, two lines of text.
//
// On the shard's queue, except for hashing. The link's secret has 256 bits, which nobody guesses; tries are charged as
// passwords are, since each costs a hash.
import Game
import Gateway
import MadangProtocol
import Net
import Store
import WebSocket

extension Accounts {
  /// The time for which a link is good.
  static let resetTime = Duration.seconds(24 * 60 * 60)
  private static let resetAnswerSeconds: Int64 = 30

  /// Takes the body of a reset, or refuses it.
  func admitReset(_ request: HTTPRequest, on connection: Connection) -> BodyAdmission {
    guard request.path.count == 3, request.path[2].isEmpty, request.head.method == "PUT" else {
      return .refused(HTTPFailure.methodNotAllowed.response)
    }
    guard !request.head.isForeignEmbedding else { return .refused(.text(403, "not from here\n")) }
    guard request.head.bodyByteCount <= ResetBody.bytesMax else { return .refused(.reset(413, "password")) }
    guard !gateway.isDraining, gateway.canPromise else { return .refused(.reset(503, "busy")) }
    let network = request.address.ip
    let charge = Charge(budget: .passwordsOfAddress, payer: .address(network))
    guard gateway.budgets.pay(charge, at: gateway.core.now) == nil else { return .refused(.reset(429, "tooOften")) }
    let body = ResetBody(on: connection) { [unowned self] bytes in reset(bytes, from: network, connection.token) }
    return .taken(body, answerSeconds: Self.resetAnswerSeconds)
  }

  private func reset(_ bytes: [UInt8], from network: IPAddress, _ token: UInt64) {
    let answer = { [gateway] (response: HTTPResponse) in _ = gateway.core.connection(for: token)?.answer(response) }
    guard let text = String(validating: bytes, as: UTF8.self), let end = text.firstIndex(of: "\n") else {
      return answer(.reset(400, "link"))
    }
    let secret = SessionToken(String(text[..<end]))
    guard let password = Password(String(text[text.index(after: end)...])) else {
      return answer(.reset(400, "password"))
    }
    let requester = HashingQueue.Requester(
      network: network.subscriberNetwork,
      cancellation: HashingQueue.Cancellation()
    )
    let isTaken = passwords.hash(password, for: requester) { [ownShard] hash in
      ownShard.post { $0.commitReset(secret, hash, token) }
    }
    if !isTaken { answer(.reset(503, "busy")) }
  }

  private func commitReset(_ secret: SessionToken, _ hash: String, _ token: UInt64) {
    let answer = { [gateway] (response: HTTPResponse) in _ = gateway.core.connection(for: token)?.answer(response) }
    guard gateway.canPromise else { return answer(.reset(503, "busy")) }
    gateway.journal.add(AccountChange.resetPassword(digest: secret.digest, hash: hash)) { [self] outcome in
      switch outcome {
      case .reset(let player): endConnection(of: player, answering: token)
      case .unavailable: answer(.reset(503, "busy"))
      default: answer(.reset(404, "link"))
      }
    }
  }
}

extension Accounts {
  /// Ends the connection that is in by an old password, or by a device that others have, then answers the reset. An
  /// earlier commit may have let that connection in, so all shards are notified of it first.
  private func endConnection(of player: PlayerID, answering token: UInt64) {
    gateway.context.commits.whenAllNotified { [shards, ownShard] in
      shards.walk { accounts, next in
        accounts.gateway.journal.whenReleased(next)
      } completion: {
        ownShard.post { accounts in
          let gateway = accounts.gateway
          if let place = gateway.directory.keep({ $0.close(.badToken) }, for: player) {
            gateway.shards[place.shard].post { $0.carryOutOrders(at: place) }
          }
          _ = gateway.core.connection(for: token)?.answer(.reset(200, "done"))
        }
      }
    }
  }
}

/// The body of a reset, kept until all has come.
private final class ResetBody: BodyTaker {
  /// A secret and a password of 64 characters.
  static let bytesMax = 512

  private unowned let connection: Connection
  private let completion: ([UInt8]) -> Void
  private var bytes: [UInt8] = []

  init(on connection: Connection, _ completion: @escaping ([UInt8]) -> Void) {
    self.connection = connection
    self.completion = completion
  }

  func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    bytes += piece
    return true
  }

  func ended() { completion(bytes) }

  func brokeOff() {}
}

extension HTTPResponse {
  /// The answer to a reset: `done`, or the word for what is wrong.
  fileprivate static func reset(_ status: Int, _ word: String) -> HTTPResponse {
    var response = HTTPResponse.text(status, "\(word)\n")
    response.headers.append(HeaderField("Cache-Control", "no-store"))
    return status == 200 ? response : response.last
  }
}
