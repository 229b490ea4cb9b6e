// `/stats`: the server's figures as JSON, for people, scripts and `madang top`. Pure.
//
// All counts are since the start, so a client that asks twice has rates over its own interval.
import Gateway
import Net

enum StatsText {
  static let roomsDefault = 20
  static let roomsMax = 1_000

  static func json(of survey: ServerSurvey, withShards: Bool = true) -> JSONText {
    let (net, play, messages) = (survey.net, survey.play, survey.messages)
    return JSONText.object { json in
      json.member("atMs", survey.at.milliseconds)
      json.member("version", GameServer.version)
      json.member("uptimeSeconds", seconds: survey.at.microseconds(since: survey.beganAt))
      json.member("draining", survey.isDraining)
      json.member("connections", connections(net, play, survey))
      json.member("messages", self.messages(messages, net, survey))
      json.member("rooms", rooms(survey))
      json.member("ticks", ticks(play))
      json.member("taps", taps(play, season: survey.season))
      json.member("commits", commits(survey))
      if withShards { json.member("shards", survey.shards.map(shard)) }
      json.member("process", process(survey.process))
    }
  }

  private static func connections(_ net: ShardCounters, _ play: PlayStatistics, _ survey: ServerSurvey) -> JSONText {
    .object { json in
      json.member("open", survey.sum(\.connections))
      json.member("players", survey.playersConnected)
      json.member("behind", survey.sum(\.connectionsBehind))
      json.member("accepted", net.connectionsAccepted)
      json.member("refused", net.connectionsRefused)
      json.member("webSocketsOpened", play.gateway.opened)
      let closes = MetricsCollector.closesByLabel(play.gateway.closed).filter { $0.value > 0 }.sorted {
        $0.key < $1.key
      }
      json.member("webSocketsClosed", .object { for (code, total) in closes { $0.member(code, total) } })
    }
  }

  private static func messages(_ messages: MessageCounts, _ net: ShardCounters, _ survey: ServerSurvey) -> JSONText {
    .object { json in
      json.member("received", messages.received.total)
      json.member("sent", messages.sent.total)
      json.member("errors", messages.errors.values.reduce(0, +))
      json.member("conflated", messages.conflated.total)
      json.member("overRate", messages.overRateRefused + messages.overRateDropped)
      json.member("bytesReceived", net.bytesIn)
      json.member("bytesSent", net.bytesOut)
      json.member("sendQueueBytes", survey.sum(\.unsentBytes))
    }
  }

  private static func rooms(_ survey: ServerSurvey) -> JSONText {
    .object { json in
      json.member("open", survey.sum(\.roomCount))
      json.member("suspects", survey.sum(\.census.suspects))
      json.member(
        "byKind",
        RoomKind.all.map { kind in
          .object { json in
            json.member("mode", kind.mode.name)
            json.member("phase", kind.phase.name)
            json.member("rooms", survey.sum(\.census.rooms, of: kind))
            json.member("players", survey.sum(\.census.players, of: kind))
          }
        }
      )
      json.member("busiest", survey.busiestRooms.map(\.json))
    }
  }

  private static func ticks(_ play: PlayStatistics) -> JSONText {
    .object { json in
      json.member("ticks", play.rooms.lateness.count)
      json.member("frames", play.rooms.tickFrames)
      json.member("lateness", durations(play.rooms.lateness))
    }
  }

  private static func taps(_ play: PlayStatistics, season: UInt32) -> JSONText {
    .object { json in
      json.member("season", season)
      json.member("counted", play.taps.taps)
      json.member("batches", play.taps.batches)
      json.member("abnormalBatches", play.taps.abnormalBatches)
    }
  }

  private static func commits(_ survey: ServerSurvey) -> JSONText {
    .object { json in
      json.member("commits", survey.commits.commits)
      json.member("failures", survey.commits.failures)
      json.member("failing", survey.isStoreFailing)
      json.member("journalBytes", survey.commits.bytes)
      json.member("journalWaitingBytes", survey.waitingBytes)
      json.member("journalLagSeconds", seconds: survey.journalLagMicroseconds)
      json.member("duration", durations(survey.commits.durations))
    }
  }

  /// Durations since the start. The counts are of durations up to each bound, in milliseconds, for quantiles of a
  /// shorter time.
  private static func durations(_ durations: LatencyHistogram) -> JSONText {
    .object { json in
      json.member("p50Seconds", seconds: durations.quantileMicroseconds(0.5))
      json.member("p99Seconds", seconds: durations.quantileMicroseconds(0.99))
      json.member("maxSeconds", seconds: durations.maxMicroseconds)
      let counts = durations.counts(upToMilliseconds: boundsMilliseconds)
      json.member(
        "upToMilliseconds",
        .object { for (bound, count) in zip(boundsMilliseconds, counts) { $0.member(String(bound), count) } }
      )
      json.member("count", durations.count)
    }
  }

  private static let boundsMilliseconds = [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 75, 100, 150, 250, 500, 1_000]

  private static func shard(_ shard: ShardSurvey) -> JSONText {
    .object { json in
      json.member("shard", shard.index)
      json.member("connections", shard.connections)
      json.member("rooms", shard.roomCount)
      json.member("cpuSeconds", seconds: shard.cpuMicroseconds)
      json.member("turns", shard.net.turns)
      json.member("atBeat", shard.isAtBeat)
      json.member("messagesReceived", shard.messages.received.total)
      json.member("sendQueueBytes", shard.unsentBytes)
      json.member("lateness", durations(shard.play.rooms.lateness))
      json.member("journalLagSeconds", seconds: shard.journalLagMicroseconds)
    }
  }

  private static func process(_ process: ProcessUsage) -> JSONText {
    .object { json in
      json.member("cpuSeconds", seconds: process.cpuMicroseconds)
      json.member("residentBytes", process.residentBytes)
      json.member("virtualBytes", process.virtualBytes)
      json.member("openDescriptors", process.openDescriptors)
      json.member("descriptorsMax", process.descriptorsMax)
    }
  }
}
