// The plan for all phones of a run.
//
// A value.
import Foundation
import MadangProtocol
import Net

struct PhonePlan: Sendable {
  let target: ServerTarget
  let rooms: Int
  let players: Int
  /// The folder of the phones' disks.
  let folder: URL
  let wish: @Sendable (_ room: Int) -> WireCreateRoom
  /// The script of a phone; in land mode with the room's first land.
  let script: @Sendable (_ room: Int, _ bot: Int, _ ring: LandRing?) -> PhoneScript
}

/// The shared objects of one shard's phones.
///
/// Owned by one shard and used on its queue.
final class PhoneContext {
  unowned let core: ShardCore
  let plan: PhonePlan
  let runID: UInt64
  let usage: ServerUsage
  var results = Results()

  init(_ core: ShardCore, _ plan: PhonePlan, runID: UInt64, _ usage: ServerUsage) {
    self.core = core
    self.plan = plan
    self.runID = runID
    self.usage = usage
  }

  /// Sets a phone's timer.
  func setTimer(phone number: Int, at time: Timestamp) {
    _ = core.setTimer(UInt64(number), at: time)
  }
}
