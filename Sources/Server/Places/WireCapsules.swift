// Capsules on the wire. Pure. Before a capsule is opened nothing leaves the server but its place, title and dates;
// its owner also learns how often it was opened, and who may open it.
import Game
import Gateway
import MadangProtocol
import Store

extension WireCapsule {
  /// A capsule as the player of `session` may see it.
  init(_ capsule: CapsuleSummary, for session: Session) {
    self.init(capsule, for: session.state.identity?.player, isOpened: false)
  }

  init(_ capsule: CapsuleSummary, for player: PlayerID?, isOpened: Bool) {
    self.init()
    capsuleID = capsule.id.description
    title = capsule.title
    memoryDate = CivilDate(day: capsule.memoryDay).text
    latE7 = capsule.place.latE7
    lngE7 = capsule.place.lngE7
    buriedAtMs = capsule.buriedAt.milliseconds
    opened = capsule.hasOpened
    guard isOpened || capsule.owner == player else { return }
    ownerID = capsule.owner.description
    everyone = capsule.isForEveryone
    opens = UInt32(clamping: capsule.openCount)
    hidden = capsule.isHidden
  }
}

extension WireOpenedCapsule {
  /// A capsule that the asker of `request` has just opened.
  init(_ opened: Capsule, _ pictures: [WirePicture], _ isFirst: Bool, _ request: PlayerRequest) {
    self.init()
    let summary = opened.summary(hasOpened: opened.owner != request.player)
    capsule = WireCapsule(summary, for: request.player, isOpened: true)
    text = opened.text
    self.pictures = pictures
    first = isFirst
  }
}

extension WireCapsuleCluster {
  init(_ cluster: CapsuleCluster) {
    self.init()
    latE7 = cluster.place.latE7
    lngE7 = cluster.place.lngE7
    count = UInt32(clamping: cluster.count)
  }
}

extension WireCapsuleHighlights {
  init(_ found: CapsuleHighlights, for player: PlayerID) {
    self.init()
    if let capsule = found.nearest { nearest = WireCapsule(capsule, for: player, isOpened: false) }
    if let capsule = found.furthest { furthest = WireCapsule(capsule, for: player, isOpened: false) }
    if let capsule = found.closedShortest { closedShortest = WireCapsule(capsule, for: player, isOpened: false) }
    if let capsule = found.closedLongest { closedLongest = WireCapsule(capsule, for: player, isOpened: false) }
    if let capsule = found.newest { newest = WireCapsule(capsule, for: player, isOpened: false) }
    if let capsule = found.oldest { oldest = WireCapsule(capsule, for: player, isOpened: false) }
    if let capsule = found.leastOpened { leastOpened = WireCapsule(capsule, for: player, isOpened: false) }
    if let capsule = found.mostOpened { mostOpened = WireCapsule(capsule, for: player, isOpened: false) }
  }
}
