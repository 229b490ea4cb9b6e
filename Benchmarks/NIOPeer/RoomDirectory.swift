// Which event loop has which room.
//
// Any event loop may ask it. A room lives on one event loop; who is on another reaches it by a hop.
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

final class RoomDirectory: Sendable {
  /// A room and where it lives.
  struct Home: Sendable {
    let eventLoop: any EventLoop
    let room: NIOLoopBoundBox<Room>
  }

  private let eventLoops: [any EventLoop]
  private let homes = NIOLockedValueBox<[Int: Home]>([:])

  init(_ group: MultiThreadedEventLoopGroup) {
    eventLoops = Array(group.makeIterator())
  }

  /// The room of this number, made if need be.
  func room(_ number: Int) -> Home {
    homes.withLockedValue { homes in
      if let home = homes[number] { return home }
      let eventLoop = eventLoops[number % eventLoops.count]
      let room = NIOLoopBoundBox.makeBoxSendingValue(Room(number, on: eventLoop), eventLoop: eventLoop)
      eventLoop.execute { room.value.scheduleTick() }
      let home = Home(eventLoop: eventLoop, room: room)
      homes[number] = home
      return home
    }
  }
}
