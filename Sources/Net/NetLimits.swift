// What a connection may use of memory and time before the server gives it up.
//
// A value, the same for all shards of a process. Every number has its reason beside it.

package struct NetLimits: Sendable {
  /// From the first byte's possibility to a whole request head, and from one request to the next.
  package var handshakeSeconds: Int64 = 10
  /// From the first byte of a message to its last. A phone on the worst of networks sends 4 KiB in a few seconds.
  package var messageSeconds: Int64 = 30
  /// From which length on text is compressed for a peer that takes it; shorter is hardly made shorter.
  package var compressFromBytes = 1_024
  /// How long a peer may be silent before it is asked for a pong; the service sets another for who is in a room.
  /// Phones' carriers drop silent mappings after 30 s and more.
  package var pingIntervalSeconds: Int64 = 25
  /// How long the answer to a ping may take.
  package var pongSeconds: Int64 = 8
  /// Pings and pongs that a peer may send in a second; a browser sends none, libraries one in many seconds.
  package var controlFramesPerSecondMax = 200
  /// How long a peer may take to answer our close frame.
  package var closeSeconds: Int64 = 5
  /// How long we read on after our last byte, so that a reset does not overtake it.
  package var lingerSeconds: Int64 = 2
  /// Over how long the pace is reckoned of a peer for which bytes wait. A phone in a tunnel or changing cells is back sooner.
  package var stallSeconds: Int64 = 10
  /// What a peer for which bytes wait must acknowledge, in bytes a second, or all that waits if that is less: a phone on 2G
  /// takes 1 KB and more, a room's ticks in their smallest form are less. Below it a peer holds memory and plays no more.
  package var takenBytesPerSecondMin = 512
  /// How slowly an answer to a request may be taken, in bytes a second, so that a long one reaches who has a slow line.
  package var answerBytesPerSecondMin = 16 * 1_024
  /// Above this a connection is behind: ticks are merged instead of queued.
  package var behindBytes = 64 * 1_024
  /// Above this a connection is closed as too slow. One message that is longer by itself does not count, if it came when the
  /// connection was not behind: the state of a room whose ground is in shreds takes two megabytes.
  package var unsentBytesMax = 1_024 * 1_024
  /// What may wait on all connections of the process that wait for the kernel: 64 that are as slow as may be, or a thousand
  /// that are behind. Over it the greediest are closed.
  package var unsentBytesInAllMax = 64 * 1_024 * 1_024
  /// What the kernel may hold for one connection beside that; nil leaves it to the kernel, which grows it to megabytes
  /// for a peer that takes much.
  package var kernelSendBytes: Int32?
  /// One read's most: what one connection can take of a turn.
  package var readBytesMax = 64 * 1_024
  /// How many ready sockets one poll tells of.
  package var eventsMax = 256
  /// After how long a turn serves no further sockets, so that the shard's ticks are due at most this much late.
  package var turnMicroseconds: Int64 = 4_000
  /// How many newcomers one turn accepts.
  package var acceptsMax = 64
  /// How long accepting pauses when the process has no descriptor left.
  package var acceptPauseMilliseconds: Int64 = 100
  /// How many connections there may be in all; newcomers over it are refused, whoever is in is served on. By default as
  /// many as the process may open descriptors, less a reserve.
  package var connectionsMax = DescriptorLimit.connectionsMax(of: DescriptorLimit.current)
  /// Whether a newcomer who finds all places taken gets that of who has waited longest without having asked for
  /// anything, or after a last answer; looked for among the connections of the listener's shard, one by one, so for few
  /// places and one shard.
  package var silentGiveWay = false
  /// How many connections one address may have (of IPv6: one /64); a school sits behind one.
  package var connectionsPerAddressMax = 4_096
  /// How many TLS handshakes one address may have under way; others wait. A handshake lasts two round trips, so a school of
  /// 400 phones is in within seconds.
  package var handshakesPerAddressMax = 64
  /// How many there may be under way in all, but for one of each address: 300 MB at worst, for ten seconds.
  package var handshakesInAllMax = 2_048
  /// How many HTTP requests, upgrades included, one connection makes in a second, and how many at once; what comes beyond
  /// is looked at later. A page loads some 40 files over up to six connections. Not for connections of trusted proxies,
  /// which carry the requests of many.
  package var requestsPerSecond = 20
  package var requestsAtOnce = 60
  /// How many HTTP requests one address makes in a minute, all of them at once if it likes; beyond that it is told to come
  /// back (429). A school of 400 phones that all load the page, 24 requests each, is one address.
  package var requestsPerMinuteForAddress = 12_000
  /// How many upgrades beside them, so that nobody who loads pages keeps others from coming back.
  package var upgradesPerMinuteForAddress = 3_000
  /// Whether the loopback is an address like others; load tests and proxies dial from there.
  package var limitsLoopback = false
  /// From how many frames a second that leave with ticks a shard coalesces its reads.
  package var coalescingDeliveriesPerSecond = 2_000
  /// The time between two coalesced reads; the timer wheel's own resolution, so that ticks and reads share wake-ups.
  package var coalescingIntervalMicroseconds: Int64 = TimerWheel.resolutionMicroseconds
  /// Waiting newcomers in the kernel.
  package var backlog: Int32 = 4_096

  package init() {}
}
