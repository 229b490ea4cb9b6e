// Encodes `tick`, the most frequent outgoing message, by hand straight from the columns of the rules.
//
// Appends to the caller's buffer and keeps nothing. The bytes are exactly those of swift-protobuf for the same message.
// Once the buffer is large enough, a tick without events, cursors and arena allocates nothing.
// Decisions: 028 (docs/decisions).

extension Subprotocol {
  /// Appends a whole `ServerMessage` with a `tick`, encoded.
  ///
  /// The four columns of rows have one row for each seat that changed, and the three of cells one for each run of cells
  /// with a new holder. The columns of each kind must be of equal length.
  ///
  /// - Parameters:
  ///   - number: the tick's number.
  ///   - gameMs: the room's clock, milliseconds.
  ///   - seats: the seat of each row.
  ///   - latE7: latitudes, 1e-7 degree.
  ///   - lngE7: longitudes, 1e-7 degree.
  ///   - points: points.
  ///   - events: the events, in order.
  ///   - cursors: read cursors that moved.
  ///   - skipped: the number of ticks that this one replaces besides its own.
  ///   - cellStarts: the first cell of each run.
  ///   - cellCounts: the number of cells in each run.
  ///   - cellSeats: the new holder of each run.
  ///   - arena: the grid, when its place became known.
  ///   - order: the seats of the best players, when it has changed.
  ///   - bytes: the buffer to append to.
  public func appendTick(
    number: UInt32,
    gameMs: UInt32,
    seats: [UInt32],
    latE7: [Int32],
    lngE7: [Int32],
    points: [UInt32],
    events: [WireEvent],
    cursors: [WireCursor],
    skipped: UInt32,
    cellStarts: [UInt32],
    cellCounts: [UInt32],
    cellSeats: [UInt32],
    arena: WireArena?,
    order: [UInt32],
    to bytes: inout [UInt8]
  ) {
    precondition(
      latE7.count == seats.count && lngE7.count == seats.count && points.count == seats.count,
      "a tick's columns are of equal length"
    )
    precondition(
      cellCounts.count == cellStarts.count && cellSeats.count == cellStarts.count,
      "a tick's columns of cells are of equal length"
    )
    switch self {
    case .json:
      bytes.append(text: "{\"tick\":{")
      bytes.append(member: "\"tick\":", skippingZero: number)
      bytes.append(member: "\"gameMs\":", skippingZero: gameMs)
      bytes.append(member: "\"seats\":", column: seats)
      bytes.append(member: "\"latE7\":", column: latE7)
      bytes.append(member: "\"lngE7\":", column: lngE7)
      bytes.append(member: "\"points\":", column: points)
      bytes.append(member: "\"events\":", values: events.lazy.map(encoded))
      bytes.append(member: "\"cursors\":", values: cursors.lazy.map(encoded))
      bytes.append(member: "\"skipped\":", skippingZero: skipped)
      bytes.append(member: "\"cellStarts\":", column: cellStarts)
      bytes.append(member: "\"cellCounts\":", column: cellCounts)
      bytes.append(member: "\"cellSeats\":", column: cellSeats)
      if let arena { bytes.append(member: "\"arena\":", value: encoded(arena)) }
      bytes.append(member: "\"order\":", column: order)
      bytes.append(text: "}}")
    case .proto:
      var embedded: [UInt8] = []
      for event in events { embedded.append(field: 7, message: encoded(event)) }
      for cursor in cursors { embedded.append(field: 8, message: encoded(cursor)) }
      var last: [UInt8] = []
      if let arena { last.append(field: 13, message: encoded(arena)) }
      let size =
        number.fieldSize + gameMs.fieldSize + seats.packedFieldSize + latE7.packedFieldSize + lngE7.packedFieldSize
        + points.packedFieldSize + embedded.count + skipped.fieldSize + cellStarts.packedFieldSize
        + cellCounts.packedFieldSize + cellSeats.packedFieldSize + last.count + order.packedFieldSize
      bytes.append(tag: 7, .lengthDelimited)
      bytes.append(varint: UInt32(size))
      bytes.append(field: 1, skippingZero: number)
      bytes.append(field: 2, skippingZero: gameMs)
      bytes.append(field: 3, packed: seats)
      bytes.append(field: 4, packed: latE7)
      bytes.append(field: 5, packed: lngE7)
      bytes.append(field: 6, packed: points)
      bytes += embedded
      bytes.append(field: 9, skippingZero: skipped)
      bytes.append(field: 10, packed: cellStarts)
      bytes.append(field: 11, packed: cellCounts)
      bytes.append(field: 12, packed: cellSeats)
      bytes += last
      bytes.append(field: 14, packed: order)
    }
  }
}
