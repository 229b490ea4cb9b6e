// `madang-bench compression`: from which length a tick is worth compressing.
//
// On one thread. The lengths are the same in every run; the times are this machine's.
import ArgumentParser
import MadangProtocol
import SeededRandom
import WebSocket

struct Compression: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compression",
    abstract: "Compress ticks of several lengths in both encodings, and tell what it saves and takes.",
    discussion: """
      The rows of a tick are players at random places of a square, in ascending order of seats, as rooms send them. The \
      columns: bytes before and after, the share saved, and microseconds for compressing and for inflating one tick.
      """
  )

  @Option(help: "The side of the square, 10 to 20000 m.")
  var squareM = 1_000

  @Option(help: "The number of ticks of each length.")
  var count = 200

  private static let lengths = [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40, 50, 75, 100, 150, 200]
  private static let windowBits = PermessageDeflate.ownWindowBits
  private static let capacity = 200

  func validate() throws {
    guard (10...20_000).contains(squareM) else { throw ValidationError("--square-m must be 10 to 20000.") }
    guard (1...100_000).contains(count) else { throw ValidationError("--count must be 1 to 100000.") }
  }

  func run() throws {
    print("encoding  rows  bytes  compressed  saved %  µs to compress  µs to inflate")
    let deflater = Deflater(windowBits: Self.windowBits)
    let inflater = Inflater()
    for subprotocol in Subprotocol.allCases {
      for rows in Self.lengths {
        var random = SplitMix64(seed: UInt64(rows))
        let ticks = (0..<count).map { _ in tick(rows, subprotocol, &random) }
        print(try line(ticks, rows, subprotocol, deflater, inflater))
      }
    }
  }

  private func tick(_ rows: Int, _ subprotocol: Subprotocol, _ random: inout SplitMix64) -> [UInt8] {
    var seats = Array(0..<UInt32(Self.capacity))
    while seats.count > rows { seats.remove(at: random.draw(0...seats.count - 1)) }
    let half = squareM * 10_000 / 111 / 2
    var bytes: [UInt8] = []
    subprotocol.appendTick(
      number: 123,
      gameMs: 61_500,
      seats: seats,
      latE7: seats.map { _ in 375_665_000 + Int32(random.draw(-half...half)) },
      lngE7: seats.map { _ in 1_269_780_000 + Int32(random.draw(-half...half)) },
      points: seats.map { _ in UInt32(random.draw(0...60)) },
      events: [],
      cursors: [],
      skipped: 0,
      cellStarts: [],
      cellCounts: [],
      cellSeats: [],
      arena: nil,
      order: [],
      to: &bytes
    )
    return bytes
  }

  private func line(
    _ ticks: [[UInt8]],
    _ rows: Int,
    _ subprotocol: Subprotocol,
    _ deflater: Deflater,
    _ inflater: Inflater
  ) throws -> String {
    var compressed: [[UInt8]] = []
    let clock = ContinuousClock()
    let compressing = clock.measure {
      for tick in ticks {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(tick.count + 16)
        let isShorter = tick.withUnsafeBytes { deflater.compress($0, appendingTo: &bytes) }
        compressed.append(isShorter ? bytes : tick)
      }
    }
    let shorter = zip(ticks, compressed).filter { $0.count > $1.count }.map(\.1)
    let inflating = try clock.measure {
      for bytes in shorter {
        try bytes.withUnsafeBytes { _ = try inflater.inflate($0, bytesMax: 1 << 16) }
      }
    }
    let before = Double(ticks.reduce(0) { $0 + $1.count }) / Double(count)
    let after = Double(compressed.reduce(0) { $0 + $1.count }) / Double(count)
    func each(_ duration: Duration, _ count: Int) -> Double { duration / .microseconds(1) / Double(max(1, count)) }
    return [
      subprotocol.isText ? "json    " : "binary  ",
      Self.column(Double(rows), 6),
      Self.column(before, 7),
      Self.column(after, 12),
      Self.column(100 * (1 - after / before), 9),
      Self.column(each(compressing, count), 16),
      Self.column(each(inflating, shorter.count), 15),
    ].joined()
  }

  private static func column(_ value: Double, _ width: Int) -> String {
    let text = "\(Int(value.rounded()))"
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
