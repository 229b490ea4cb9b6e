// The body of a form or of a request of the API, kept until all of it has come.
//
// On the operators' shard. Its length is known, and bounded, before the first byte.
import Net

final class WholeBody: BodyTaker {
  private var bytes: [UInt8] = []
  private let completion: ([UInt8]?) -> Void

  /// `completion` is called once: with all bytes, or with nil when they don't come.
  init(byteCount: Int, _ completion: @escaping ([UInt8]?) -> Void) {
    bytes.reserveCapacity(byteCount)
    self.completion = completion
  }

  func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    bytes += piece
    return true
  }

  func ended() { completion(bytes) }

  func brokeOff() { completion(nil) }
}
