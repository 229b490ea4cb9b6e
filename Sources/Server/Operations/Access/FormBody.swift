// The body of a form that an operator's page sends: a few bytes of JSON, kept until all have come.
//
// On the operators' shard.
import Net
import WebSocket

final class FormBody: BodyTaker {
  private var bytes: [UInt8] = []
  private let completion: ([UInt8]) -> Void
  /// A name, a password of 128 characters and a code, with escapes.
  static let bytesMax = 4_096

  init(_ completion: @escaping ([UInt8]) -> Void) {
    self.completion = completion
  }

  func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    bytes += piece
    return true
  }

  func ended() { completion(bytes) }

  func brokeOff() {}
}
