// A survey of rooms that have to forget players. A value of the shard.
import Game

/// The rest of a survey's work on one shard.
struct RoomSurvey {
  let players: Set<PlayerID>
  var rooms: ArraySlice<LiveRoom>
  let completion: () -> Void
}
