// A server's final report in lines for its operator. Pure.
import Server

extension ServerReport {
  var lines: [String] {
    let (lateness, taps) = (play.rooms.lateness, play.taps)
    func ms(_ microseconds: Int64) -> String {
      "\(microseconds / 1_000).\(microseconds / 100 % 10) ms"
    }
    var lines = [
      "ticks \(lateness.count), late by p50 \(ms(lateness.quantileMicroseconds(0.5)))"
        + ", p99 \(ms(lateness.quantileMicroseconds(0.99)))"
        + ", p99.9 \(ms(lateness.quantileMicroseconds(0.999))), at most \(ms(lateness.maxMicroseconds))",
      "tick frames \(play.rooms.tickFrames), ticks compressed \(play.rooms.compressedTicks), messages in \(net.messagesIn), sends \(net.sends)"
        + ", reads \(net.reads), arrivals deferred \(net.arrivalsDeferred), turns \(net.turns)",
      "connections accepted \(net.connectionsAccepted), moved between shards \(net.connectionsAdopted)"
        + ", closed \(net.connectionsClosed), bytes in \(net.bytesIn), out \(net.bytesOut)",
      "commits \(commits.commits), failed \(commits.failures), bytes of journals \(commits.bytes)"
        + ", each commit p50 \(ms(commits.durations.quantileMicroseconds(0.5)))"
        + ", p99 \(ms(commits.durations.quantileMicroseconds(0.99)))"
        + ", at most \(ms(commits.durations.maxMicroseconds))",
    ]
    if taps.batches > 0 || taps.rankings > 0 {
      lines.append(
        "batches of taps \(taps.batches), abnormal \(taps.abnormalBatches); rankings published \(taps.rankings)"
          + ", each tick of a shard p50 \(ms(taps.rankingTicks.quantileMicroseconds(0.5)))"
          + ", p99 \(ms(taps.rankingTicks.quantileMicroseconds(0.99)))"
          + ", at most \(ms(taps.rankingTicks.maxMicroseconds))"
      )
    }
    let cpu = ProcessUsage.processCPUMicroseconds
    if play.rooms.tickFrames > 0 {
      let tenths = cpu * 10 / Int64(play.rooms.tickFrames)
      lines.append("CPU \(ms(cpu)), for each tick frame \(tenths / 10).\(tenths % 10) µs")
    }
    return lines
  }
}
