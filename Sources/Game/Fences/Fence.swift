// A fence: a named piece of ground whose entering, leaving and dwelling is told. A value that is checked when it is
// made; the store keeps its encoded form.

/// A fence.
package struct Fence: Hashable, Sendable {
  package static let nameCharactersMax = 100
  /// Bounds the bytes too, since a character may have any length.
  package static let nameBytesMax = 1_600
  package static let topicCharactersMax = 64
  package static let topicBytesMax = 1_024

  package let id: FenceID
  package let name: String
  /// The subject of its messages; may be empty.
  package let topic: String
  package let shape: FenceShape
  /// The seconds of a stay after which `dwelled` comes; nil for never.
  package let dwellS: Int64?
  /// Judged from this time on; nil for always.
  package let opensAt: Instant?
  /// Judged up to, but without, this time; nil for ever.
  package let closesAt: Instant?
  /// The shape's area divided by its perimeter.
  let halfDepthMm: Int64

  /// A fence with a checked shape.
  ///
  /// - Throws: `name`, `topic`, `dwellOutOfRange`, `timeOutOfRange` or `closesBeforeOpening`.
  package init(
    id: FenceID,
    name: String,
    topic: String = "",
    shape: FenceShape,
    dwellS: Int64? = nil,
    opensAt: Instant? = nil,
    closesAt: Instant? = nil
  ) throws(FenceFault) {
    do throws(TextFault) {
      try TextFault.check(name, charactersMax: Self.nameCharactersMax, bytesMax: Self.nameBytesMax)
    } catch { throw .name(error) }
    do throws(TextFault) {
      if !topic.isEmpty {
        try TextFault.check(topic, charactersMax: Self.topicCharactersMax, bytesMax: Self.topicBytesMax)
      }
    } catch { throw .topic(error) }
    if let dwellS, !FenceRules.dwellRangeS.contains(dwellS) { throw .dwellOutOfRange(dwellS) }
    for time in [opensAt, closesAt] {
      guard let time else { continue }
      guard Self.timesMs.contains(time.milliseconds) else { throw .timeOutOfRange }
    }
    if let opensAt, let closesAt, closesAt <= opensAt { throw .closesBeforeOpening }
    self.id = id
    self.name = name
    self.topic = topic
    self.shape = shape
    self.dwellS = dwellS
    self.opensAt = opensAt
    self.closesAt = closesAt
    halfDepthMm = shape.halfDepthMm
  }

  /// Checks the size of a fence before it is read.
  ///
  /// - Throws: `tooLarge`.
  package static func check(bytes: Int) throws(FenceFault) {
    guard bytes <= FenceRules.bytesMax else { throw .tooLarge(bytes: bytes) }
  }

  func hasClosed(at time: Instant) -> Bool {
    closesAt.map { $0 <= time } ?? false
  }

  func hasOpened(at time: Instant) -> Bool {
    opensAt.map { $0 <= time } ?? true
  }

  private static let timesMs = 0...RecordReader.greatest
}

// In a journal and in the store.
extension Fence {
  /// The encoded form: at most `FenceRules.bytesMax`, and below 13,000 bytes by the bounds of its parts.
  package var encoded: [UInt8] {
    var record = RecordWriter()
    write(to: &record)
    return record.bytes.bytes
  }

  /// Reads the output of `encoded`; damaged bytes are a fault.
  package init(encoded bytes: [UInt8]) throws(JournalFault) {
    guard bytes.count <= FenceRules.bytesMax else { throw JournalFault(.impossible("size of a fence"), at: 0) }
    var record = RecordReader()
    record.bytes = ByteReader(bytes)
    try self.init(from: &record)
    guard record.bytes.isAtEnd else { throw record.fault(.impossible("end of a fence")) }
  }

  func write(to record: inout RecordWriter) {
    record.bytes.fixed(id.value)
    for text in [name, topic] {
      record.bytes.number(text.utf8.count)
      record.bytes.append(text.utf8)
    }
    for number in [dwellS, opensAt?.milliseconds, closesAt?.milliseconds] {
      record.bytes.flag(number != nil)
      if let number { record.bytes.number(number) }
    }
    switch shape {
    case .circle(let circle):
      record.bytes.byte(0)
      record.coordinate(circle.center)
      record.bytes.number(circle.radiusMm)
    case .polygon(let polygon):
      record.bytes.byte(1)
      polygon.write(to: &record)
    }
  }

  init(from record: inout RecordReader) throws(JournalFault) {
    let id = FenceID(try record.bytes.fixed128())
    let name = try Self.text(from: &record)
    let topic = try Self.text(from: &record)
    let dwellS = try record.bytes.flag() ? record.bytes.number(in: FenceRules.dwellRangeS, "seconds of dwelling") : nil
    let opensAt = try Self.time(from: &record)
    let closesAt = try Self.time(from: &record)
    let shape: FenceShape
    switch try record.bytes.byte() {
    case 0:
      let center = try record.coordinateOnMap()
      let radiusMm = try record.bytes.number(in: FenceCircle.radiusRangeMm, "radius")
      do throws(FenceFault) { shape = .circle(try FenceCircle(center: center, radiusMm: radiusMm)) } catch {
        throw record.fault(.impossible("circle"))
      }
    case 1: shape = .polygon(try FencePolygon(from: &record))
    default: throw record.fault(.impossible("shape"))
    }
    do throws(FenceFault) {
      try self.init(
        id: id,
        name: name,
        topic: topic,
        shape: shape,
        dwellS: dwellS,
        opensAt: opensAt,
        closesAt: closesAt
      )
    } catch { throw record.fault(.impossible("fence")) }
  }

  private static func text(from record: inout RecordReader) throws(JournalFault) -> String {
    let bytes = try record.bytes.part(try record.bytes.count("length of a text")).rest
    guard let text = String(validating: bytes, as: UTF8.self) else { throw record.fault(.impossible("text")) }
    return text
  }

  private static func time(from record: inout RecordReader) throws(JournalFault) -> Instant? {
    guard try record.bytes.flag() else { return nil }
    return Instant(milliseconds: try record.bytes.number(in: timesMs, "time"))
  }
}
