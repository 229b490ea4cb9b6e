// Members of a room who are not told each tick as it is: those who fell behind or want fewer ticks, and everybody in a
// large room. Members who are due the same get the same frame.
//
// Part of `LiveRoom`, on its shard.
// Decisions: 105 (docs/decisions).
import Game
import Gateway
import Net

/// The work on a tick's parts, which most ticks of small rooms need none of.
struct TickParting {
  /// In a large room: whether everybody gets all rows, since there is much besides, or nearly everybody is near.
  var isForAll = false
  var hasBegun = false
}

extension LiveRoom {
  /// Takes another pace for a member; nil for the room's own.
  func setPace(of attendee: Attendee, maxHz: Int?) {
    guard var pace = attendee.pace else { return }
    pace.change(to: maxHz)
    attendee.pace = pace
    attendee.isPaced = isLarge || pace.isReduced
    // The next tick has what they lack, or shows that they are to get nothing more.
    setAwaiting(attendee, attendee.isPaced || attendee.lag != nil)
    hasNotifications = hasNotifications || attendee.hasNotifications
    arm()
  }

  /// Notes whether a member waits for a tick even if nothing changes any more.
  func setAwaiting(_ attendee: Attendee, _ isAwaiting: Bool) {
    guard attendee.awaitsTick != isAwaiting else { return }
    attendee.awaitsTick = isAwaiting
    awaitingCount += isAwaiting ? 1 : -1
  }

  /// Whether a member has everything that ticks have carried, rows of far players too.
  func hasEverything(_ attendee: Attendee) -> Bool {
    attendee.lag == nil && !attendee.awaitsTick && (!isLarge || attendee.rowsSeen >= rowsBroadcast)
  }

  /// Decides what a member gets of the tick that was gathered behind `seen`, and puts it among the deliveries.
  func plan(_ attendee: Attendee, _ tick: borrowing Tick, after seen: TickMark, _ parting: inout TickParting) {
    if !parting.hasBegun {
      context.parts.begin(copy tick, after: seen, of: played)
      if isLarge, !tick.seats.isEmpty { rowsBroadcast = played.broadcastNumber }
      let isForAll = isLarge && (tick.isHeavy || context.parts.rows.isGathered)
      parting = TickParting(isForAll: isForAll, hasBegun: true)
    }
    let mark = attendee.lag ?? seen
    let now = TickMark(broadcastNumber: played.broadcastNumber, eventNumber: played.carriedEventNumber)
    guard !attendee.awaitsRoom, !attendee.connection.isBehind, played.isSendable(through: committedEvent),
      var pace = attendee.pace
    else {
      attendee.lag = mark
      return setAwaiting(attendee, true)
    }
    let hasEvents = now.eventNumber > mark.eventNumber
    let vicinity = isLarge ? attendee.place?.seat.flatMap(context.parts.rows.vicinity(ofSeat:)) : nil
    let share = pace.take(
      tick: played.lastTickNumber,
      hasEvents: hasEvents,
      hasPosition: vicinity != nil,
      isForAll: parting.isForAll
    )
    attendee.pace = pace
    switch share {
    case .nothing:
      attendee.lag = mark == now ? nil : mark
      if pace.isEventsOnly { attendee.sendUrgentNotifications() }
      setAwaiting(attendee, !pace.isEventsOnly && (attendee.lag != nil || attendee.hasNotifications))
    case .events:
      // Rows, cells and cursors stay behind. Their broadcasts need not be looked through for the events.
      let from = mark.eventNumber == seen.eventNumber ? seen : mark
      deliver(TickPart(after: from, .events), to: attendee)
      attendee.lag = TickMark(broadcastNumber: mark.broadcastNumber, eventNumber: now.eventNumber)
      setAwaiting(attendee, false)
    case .near:
      deliver(TickPart(after: mark, vicinity.map(TickPart.Rows.near) ?? .without), to: attendee)
      attendee.lag = nil
      setAwaiting(attendee, attendee.rowsSeen < rowsBroadcast)
    case .all:
      deliver(TickPart(after: mark, .all(after: isLarge ? attendee.rowsSeen : mark.broadcastNumber)), to: attendee)
      attendee.lag = nil
      attendee.rowsSeen = now.broadcastNumber
      setAwaiting(attendee, false)
    }
  }

  private func deliver(_ part: TickPart, to attendee: Attendee) {
    deliveries.append(TickDelivery(part: part, attendee: attendee))
  }

  /// Sends the planned parts, each made in `tick` and framed once, with the members' own messages.
  func sendDeliveries(_ tick: inout Tick, _ frames: inout TickFrames) {
    deliveries.sort { $0.part < $1.part }
    var made: TickPart?
    var isWhole = true
    for delivery in deliveries {
      if delivery.part != made {
        made = delivery.part
        isWhole = context.parts.make(delivery.part, of: played, into: &tick)
        frames.next(tick)
      }
      guard isWhole else {
        delivery.attendee.session.close(.tooSlow)
        continue
      }
      if !tick.isEmpty {
        send(tick, to: delivery.attendee, &frames)
      } else {
        delivery.attendee.sendNotifications()
      }
    }
    deliveries.removeAll(keepingCapacity: true)
    context.parts.end()
  }
}

extension Place {
  /// The number of a seat; nil for a spectator's place.
  fileprivate var seat: Int? { if case .seat(let seat) = self { seat } else { nil } }
}
