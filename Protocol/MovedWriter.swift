// Encodes `moved` for a single fix by hand: each fix of a player who watches places is answered by one.
//
// Appends to the caller's buffer and keeps nothing. The bytes are exactly those of swift-protobuf for the same message.
// Decisions: 028 (docs/decisions).

/// The answer to one fix that was not refused.
public struct MovedOne: Hashable, Sendable {
  /// The member that counts the fix.
  public enum Count: Hashable, Sendable, CaseIterable {
    case accepted, repeated, setAside
  }

  /// The member that counts it.
  public var count: Count
  /// Fixes up to this time have their final verdict, milliseconds since the Unix epoch.
  public var throughMs: Int64
  /// No fix is needed before so many metres …
  public var nextCheckM: UInt32
  /// … or seconds are over.
  public var nextCheckS: UInt32

  /// The answer with the given values.
  public init(_ count: Count, throughMs: Int64, nextCheckM: UInt32, nextCheckS: UInt32) {
    self.count = count
    self.throughMs = throughMs
    self.nextCheckM = nextCheckM
    self.nextCheckS = nextCheckS
  }
}

extension Subprotocol {
  /// Appends a whole `ServerMessage` with a `moved`, encoded, which answers the request with the number `replyTo`.
  public func append(_ moved: MovedOne, replyTo: UInt32, to bytes: inout [UInt8]) {
    // One buffer of the right size, for an answer that is sent at once.
    bytes.reserveCapacity(bytes.count + 128)
    switch self {
    case .json:
      bytes.append(text: "{")
      bytes.append(member: "\"replyTo\":", number: replyTo)
      bytes.append(text: ",\"moved\":{")
      if moved.throughMs != 0 {
        // 64-bit numbers are strings.
        bytes.append(text: "\"throughMs\":\"")
        bytes.append(contentsOf: String(moved.throughMs).utf8)
        bytes.append(text: "\"")
      }
      switch moved.count {
      case .accepted: bytes.append(member: "\"accepted\":", number: 1)
      case .repeated: bytes.append(member: "\"repeated\":", number: 1)
      case .setAside: bytes.append(member: "\"setAside\":", number: 1)
      }
      bytes.append(member: "\"nextCheckM\":", number: moved.nextCheckM)
      bytes.append(member: "\"nextCheckS\":", number: moved.nextCheckS)
      bytes.append(text: "}}")
    case .proto:
      bytes.append(tag: 1, .varint)
      bytes.append(varint: replyTo)
      let through = UInt64(bitPattern: moved.throughMs)
      let throughSize = through == 0 ? 0 : 1 + through.varintSize
      bytes.append(longTag: 24, .lengthDelimited)
      bytes.append(
        varint: UInt32(throughSize + 2 + 1 + moved.nextCheckM.varintSize + 1 + moved.nextCheckS.varintSize)
      )
      if through != 0 {
        bytes.append(tag: 1, .varint)
        bytes.append(varint: through)
      }
      switch moved.count {
      case .accepted: bytes.append(field: 2, skippingZero: 1)
      case .repeated: bytes.append(field: 3, skippingZero: 1)
      case .setAside: bytes.append(field: 4, skippingZero: 1)
      }
      bytes.append(tag: 8, .varint)
      bytes.append(varint: moved.nextCheckM)
      bytes.append(tag: 9, .varint)
      bytes.append(varint: moved.nextCheckS)
    }
  }
}
