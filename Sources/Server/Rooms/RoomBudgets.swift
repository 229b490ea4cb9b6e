// The budgets of rooms.
import Gateway
import MadangProtocol

extension Budget {
  static let newRooms = Budget("NEW_ROOMS", for: .player, .perMinute(Limits.roomsPerMinuteForPlayer))
  static let starts = Budget("STARTS", for: .player, .perMinute(Limits.startsPerMinute))
  static let startsOfRoom = Budget("STARTS", for: .group, .perMinute(Limits.startsPerMinute))
  static let roomStates = Budget("ROOM_STATES", for: .player, .perMinute(Limits.roomStatesPerMinuteForPlayer))
  static let roomStatesOfAddress = Budget(
    "ROOM_STATES",
    for: .address,
    .perMinute(Limits.roomStatesPerMinuteForAddress),
    exemptsLoopback: true
  )
  static let wrongCodes = Budget("WRONG_CODES", for: .player, .perMinute(Limits.wrongCodesPerMinuteForSession))
  static let wrongCodesOfAddress = Budget(
    "WRONG_CODES",
    for: .address,
    .perMinute(Limits.wrongCodesPerMinuteForAddress)
  )
  static let wrongCodesByHTTP = Budget(
    "WRONG_CODES_BY_HTTP",
    for: .address,
    .perMinute(Limits.wrongCodesPerMinuteForAddress)
  )
  package static let erasedRoomBytes = Budget("ERASED_ROOM_BYTES", for: .process, .perMinute(4 << 20, burst: 1 << 20))

  // Amounts.
  static let openRooms = Budget(amountOf: "OPEN_ROOMS", for: .process)
  static let openRoomsOfPlayer = Budget(amountOf: "OPEN_ROOMS", for: .player)
  static let openRoomsOfAddress = Budget(amountOf: "OPEN_ROOMS", for: .address)

  static let ofRooms: [Budget] = [
    .newRooms, .starts, .startsOfRoom, .roomStates, .roomStatesOfAddress, .wrongCodes, .wrongCodesOfAddress,
    .wrongCodesByHTTP, .erasedRoomBytes, .openRooms, .openRoomsOfPlayer, .openRoomsOfAddress,
  ]
}
