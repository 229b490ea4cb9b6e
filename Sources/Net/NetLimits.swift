// The limits of a connection's memory and time, above which the server gives it up.
//
// A value, the same for all shards of a process. Each number has its reason beside it.

package struct NetLimits: Sendable {
  /// The time from the first possible byte to a whole request head, and from one request to the next.
  package var handshakeSeconds: Int64 = 10
  /// The time from a message's first byte to its last. A phone on the worst of networks sends 1 KB a second, and
  /// so 16 KiB in about half of it.
  package var messageSeconds: Int64 = 30
  /// The lengths from which messages are compressed for a peer that accepts it: where a tick of JSON loses two fifths,
  /// and a binary one, whose columns are of numbers, a tenth. `madang-bench compression` tells.
  package var compressTextFromBytes = 256
  package var compressBinaryFromBytes = 1_024
  /// The silence after which a peer is asked for a pong; the service sets another for players in a room. Phones'
  /// carriers drop silent mappings after 30 s and more.
  package var pingIntervalSeconds: Int64 = 25
  /// The time that the answer to a ping may take.
  package var pongSeconds: Int64 = 8
  /// The pings and pongs that a peer may send in a second. A browser sends none, libraries one in many seconds.
  package var controlFramesPerSecondMax = 200
  /// The time that a peer may take to answer our close frame.
  package var closeSeconds: Int64 = 5
  /// The time for which reading continues after our last byte, so that a reset does not overtake it.
  package var lingerSeconds: Int64 = 2
  /// The window over which the pace of a peer with waiting bytes is measured. A phone in a tunnel or changing cells is
  /// back sooner.
  package var stallSeconds: Int64 = 10
  /// The bytes a second that a peer with waiting bytes must acknowledge, or all of them if that is less. A phone on 2G
  /// takes 1 KB and more; a room's ticks in their smallest form are less. A slower peer holds memory and no longer
  /// plays.
  package var takenBytesPerSecondMin = 512
  /// The slowest pace at which an answer to a request may be taken; bytes a second. A long answer thus reaches slow
  /// lines too.
  package var answerBytesPerSecondMin = 16 * 1_024
  /// The slowest pace at which a request's body may come after its first seconds, and a piece of a long answer may be
  /// taken; bytes a second. A phone on a poor 3G line sends 8 KiB a second.
  package var bodyBytesPerSecondMin = 2 * 1_024
  /// The time in which a body need not keep that pace.
  package var bodyGraceSeconds: Int64 = 30
  /// The time without any byte of a body. A phone in a tunnel or changing cells is back sooner, and goes on by another
  /// request otherwise.
  package var bodyStallSeconds: Int64 = 20
  /// The longest piece of a long answer; bytes.
  package var answerPieceBytesMax = 64 * 1_024
  /// The bound above which a connection is behind: ticks are merged instead of queued.
  package var behindBytes = 64 * 1_024
  /// The bound above which a connection is closed as too slow. One message that is longer by itself does not count if
  /// the connection was not behind when it came: the state of a room whose ground is in shreds takes two megabytes.
  package var unsentBytesMax = 1_024 * 1_024
  /// The bound of the bytes on all connections of the process that wait for the kernel: 64 of the slowest allowed, or a
  /// thousand that are behind. Over it the greediest are closed.
  package var unsentBytesInAllMax = 64 * 1_024 * 1_024
  /// The kernel's send buffer for one connection, beside that. Nil leaves it to the kernel, which grows it to megabytes
  /// for a peer that takes much.
  package var kernelSendBytes: Int32?
  /// The most bytes of one read, and so one connection's share of a turn.
  package var readBytesMax = 64 * 1_024
  /// The number of ready sockets that one poll reports.
  package var eventsMax = 256
  /// The time after which a turn serves no further sockets. They have at least as long as the turn's work before them
  /// took, up to 50 ms. The read of a group has as long again.
  package var turnMicroseconds: Int64 = 4_000
  /// The time without work after which a shard gives its thread back to Dispatch. A shard with a few dozen rooms keeps
  /// its thread, and the thread of an idle shard sleeps one wait more.
  package var idleMicroseconds: Int64 = 50_000
  /// The number of newcomers that one turn accepts.
  package var acceptsMax = 64
  /// The pause of accepting when the process has no descriptor left.
  package var acceptPauseMilliseconds: Int64 = 100
  /// The number of connections in all. Newcomers over it are refused; existing connections are served on. By default
  /// the descriptors that the process may open, less a reserve.
  package var connectionsMax = DescriptorLimit.connectionsMax(of: DescriptorLimit.current)
  /// The number of connections and of the files that they hold open, in all. An upload and a download hold one each.
  package var descriptorsMax = DescriptorLimit.connectionsMax(of: DescriptorLimit.current)
  /// Whether a newcomer gets a place when all are taken: that of the connection that has waited longest without asking
  /// for anything, or behind its last answer. The listener's shard searches its connections one by one, so this is for
  /// few places and one shard.
  package var silentGiveWay = false
  /// The number of connections from one address (of IPv6: one /64). A school sits behind one.
  package var connectionsPerAddressMax = 4_096
  /// The number of TLS handshakes that one address may have under way; others wait. A handshake lasts two round trips,
  /// so a school of 400 phones is in within seconds.
  package var handshakesPerAddressMax = 64
  /// The number of handshakes under way in all, not counting one of each address: 300 MB at worst, for ten seconds.
  package var handshakesInAllMax = 2_048
  /// The HTTP requests, upgrades included, that one connection may make in a second, and at once; further ones are
  /// handled later. A page loads some 40 files over up to six connections. Not for connections of trusted proxies,
  /// which carry many clients' requests.
  package var requestsPerSecond = 20
  package var requestsAtOnce = 60
  /// The HTTP requests that one address may make in a minute, or all of them at once; further ones are refused (429). A
  /// school of 400 phones that all load the page, 24 requests each, is one address.
  package var requestsPerMinuteForAddress = 12_000
  /// The upgrades beside them, so that clients who load pages keep no others from coming back.
  package var upgradesPerMinuteForAddress = 3_000
  /// Whether limits hold for the loopback too; load tests and proxies dial from there.
  package var limitsLoopback = false
  /// The frames a second, leaving with ticks, from which a shard coalesces its reads.
  package var coalescingDeliveriesPerSecond = 2_000
  /// The time between two coalesced reads; the timer wheel's own resolution, so that ticks and reads share wake-ups.
  package var coalescingIntervalMicroseconds: Int64 = TimerWheel.resolutionMicroseconds
  /// The number of newcomers that may wait in the kernel.
  package var backlog: Int32 = 4_096

  package init() {}
}
