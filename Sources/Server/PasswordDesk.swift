// Where passwords are hashed and checked: a thread beside the shards, for each takes a tenth of a second on purpose.
//
// Any thread. One at a time, so that no flood of logins takes the shards' cores; so many may wait, who comes beyond is
// turned away at once.
import Cryptography
import Dispatch
import MadangProtocol
import Synchronization

final class PasswordDesk: Sendable {
  private static let waitingMax = 64

  private let queue = DispatchQueue(label: "madang.passwords", qos: .utility)
  private let waiting = Atomic<Int>(0)

  /// Checks a password against a hash; without a hash against nobody's, which takes as long. False when too many wait; else
  /// `completion` is called on the desk's thread.
  func verify(_ password: Password, _ hash: String?, _ completion: @escaping @Sendable (Bool) -> Void) -> Bool {
    enter {
      let isRight = PasswordHash.verify(password.bytes, hash ?? PasswordHash.decoy)
      completion(isRight && hash != nil)
    }
  }

  /// Makes the hash of a new password. False when too many wait; else `completion` is called on the desk's thread.
  func hash(_ password: Password, _ completion: @escaping @Sendable (String) -> Void) -> Bool {
    enter { completion(PasswordHash.make(of: password.bytes)) }
  }

  private func enter(_ work: @escaping @Sendable () -> Void) -> Bool {
    guard waiting.add(1, ordering: .relaxed).newValue <= Self.waitingMax else {
      waiting.subtract(1, ordering: .relaxed)
      return false
    }
    queue.async {
      work()
      self.waiting.subtract(1, ordering: .relaxed)
    }
    return true
  }
}
