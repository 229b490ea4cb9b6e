// The feature of media on one shard: tickets for uploads, their bytes over HTTP, the cleaning of pictures, and their
// delivery.
//
// Owned by one shard and used on its queue. Tickets, files and the threads that clean pictures are shared by all
// shards. A picture becomes visible with what refers to it, which other features write: they name it by its identifier.
// Decisions: 118 (docs/decisions).
import Game
import Gateway
import MadangProtocol
import Net
import Store

package final class Media: Feature {
  package unowned let gateway: ShardGateway
  let shared: SharedMedia
  private let context: ServerContext
  private let find: @Sendable (ShardCore) -> Media
  package var statistics = MediaStatistics()
  private var sweepTimer: UInt64 = 0
  private var isSweepDue = false

  init(_ gateway: ShardGateway, _ context: ServerContext, _ find: @escaping @Sendable (ShardCore) -> Media) {
    self.gateway = gateway
    self.context = context
    shared = context.media
    self.find = find
    sweepTimer = gateway.addTimer { [unowned self] in sweep() }
    gateway.handle { [unowned self] in askUpload($0, $1) }
    gateway.handleHTTP(
      "v1/media",
      { [unowned self] in answer($0, on: $1) },
      bodies: { [unowned self] in admitUpload($0, on: $1) }
    )
  }

  package static let name: String? = "media"
  package static var metrics: [Metric] { Metric.ofMedia }
  package static var budgets: [Budget] { Budget.ofMedia }

  package var shards: ServiceShards<Media> { ServiceShards(gateway.core.siblings, find) }

  package func erased(_ player: PlayerID) {
    shared.folder?.delete(shared.tickets.forget(player))
  }

  // Tickets.

  private func askUpload(_ wire: WireAskUpload, _ request: PlayerRequest) {
    guard shared.folder != nil else { return request.refuse(.mediaUnavailable) }
    let byteCount = Int(wire.bytes)
    guard byteCount >= Limits.uploadBytes.lowerBound else { return request.refuse(.outOfRange, "bytes: at least 1") }
    guard byteCount <= Limits.uploadBytes.upperBound else { return request.refuse(.mediaTooLarge) }
    guard let format = PictureFormat(type: wire.type), shared.work.formats.contains(format) else {
      let types = PictureFormat.allCases.filter(shared.work.formats.contains).map(\.rawValue)
      return request.refuse(.mediaTypeRefused, "type: \(types.joined(separator: ", "))")
    }
    let charges = charges(for: byteCount, request)
    if let wait = gateway.budgets.pay(charges, at: gateway.core.now) {
      return request.refuse(.rateLimited, "uploads of a day", retryAfterMs: wait)
    }
    let id = UploadTicketID(gateway.context.drawNumber(UInt128.self))
    let file = UploadFolder.prefix + MediaID(gateway.context.drawNumber(UInt128.self)).description
    let admission = shared.tickets.add(
      id,
      of: request.player,
      at: SharingNetwork(request.session.connection.address.ip, limitsLoopback: limitsLoopback),
      for: format,
      byteCount: byteCount,
      file: file,
      at: gateway.core.now
    )
    let expiresAt: Timestamp
    switch admission {
    case .until(let end): expiresAt = end
    case .spent(let budget):
      gateway.budgets.giveBack(charges)
      gateway.budgets.noteRefusal(budget)
      let code: WireErrorCode = budget.scope == .address ? .rateLimited : .overloaded
      return request.refuse(code, "uploads that are open", retryAfterMs: 60_000)
    }
    statistics.tickets += 1
    awaitSweep()
    var upload = WireUpload()
    upload.url = "/v1/media/uploads/\(id)"
    upload.expiresAtMs = expiresAt.milliseconds
    request.reply(.upload(upload))
  }

  /// The charges of an upload.
  private func charges(for byteCount: Int, _ request: PlayerRequest) -> [Charge] {
    let isGuest = request.session.email == nil
    let (payer, units) = (Payer.player(request.player), Int64(byteCount))
    let address = Payer.address(request.session.connection.address.ip)
    return [
      Charge(budget: isGuest ? .guestUploads : .uploads, payer: payer),
      Charge(budget: isGuest ? .guestUploadBytes : .uploadBytes, payer: payer, units: units),
      Charge(budget: .uploadsOfAddress, payer: address),
      Charge(budget: .uploadBytesOfAddress, payer: address, units: units),
    ]
  }

  private var limitsLoopback: Bool { context.configuration.netLimits.limitsLoopback }

  private func awaitSweep() {
    guard !isSweepDue else { return }
    isSweepDue = true
    _ = gateway.core.setTimer(sweepTimer, at: gateway.core.now.advanced(seconds: 60))
  }

  private func sweep() {
    isSweepDue = false
    shared.folder?.delete(shared.tickets.sweep(at: gateway.core.now))
    if shared.tickets.openCount > 0 { awaitSweep() }
  }

  // Pictures.

  /// Cleans a whole file, keeps the picture, and answers the request that has brought the last byte.
  func clean(_ run: UploadRun, answering token: UInt64) {
    guard let folder = shared.folder, let program = shared.work.program else {
      return end(run, .failure(PictureRefusal(.mediaUnavailable)), answering: token)
    }
    let cleaning = PictureCleaning(
      program: program,
      folder: folder.path,
      input: run.file,
      formats: [run.format],
      bytesMax: Self.keptBytesMax(ofUploaded: run.byteCount)
    )
    let shard = ownShard
    let verdict = shared.work.run(for: run.network) {
      let cleaned = Result { () throws(PictureRefusal) in try cleaning.run() }
      shard.post { $0.keep(cleaned, of: run, answering: token) }
    }
    switch verdict {
    case .taken: return
    case .spent: gateway.budgets.noteRefusal(.waitingPictures)
    case .spentByNetwork: gateway.budgets.noteRefusal(.waitingPicturesOfAddress)
    }
    postpone(run, PictureRefusal(.overloaded), answering: token)
  }

  /// The picture can't be kept now: its file stays, so the client goes on with no more bytes.
  private func postpone(_ run: UploadRun, _ why: PictureRefusal, answering token: UInt64) {
    shared.tickets.reopen(run)
    answer(token, refusal(why))
  }

  /// The bytes that a picture of an upload may have when it is cleaned: another format takes more, and a flat one much.
  /// Budgets are spent by the announced bytes, so what is kept stays in proportion to them.
  private static func keptBytesMax(ofUploaded byteCount: Int) -> Int { 4 * byteCount + (1 << 20) }

  private func keep(
    _ cleaned: Result<CleanedPicture, PictureRefusal>,
    of run: UploadRun,
    answering token: UInt64
  ) {
    let picture: CleanedPicture
    switch cleaned {
    case .success(let clean): picture = clean
    case .failure(let refused):
      if let failure = refused.failure { context.notify(.pictureNotCleaned(failure)) }
      return end(run, .failure(refused), answering: token)
    }
    let shard = ownShard
    gateway.context.store.putBlobs(picture.digest, files: picture.files) { result in
      shard.post { media in
        switch result {
        case .success: media.commit(picture, of: run, answering: token)
        case .failure:
          picture.delete()
          media.gateway.context.store.releaseBlobs(picture.digest)
          media.postpone(run, PictureRefusal(.storeUnavailable), answering: token)
        }
      }
    }
  }

  private func commit(_ picture: CleanedPicture, of run: UploadRun, answering token: UInt64) {
    let media = StoredMedia(
      id: MediaID(gateway.context.drawNumber(UInt128.self)),
      owner: run.player,
      digest: picture.digest,
      type: picture.type,
      width: picture.width,
      height: picture.height,
      sizeBytes: picture.sizeBytes,
      uploadedAt: gateway.now
    )
    guard gateway.canPromise else {
      gateway.context.store.releaseBlobs(picture.digest)
      return postpone(run, PictureRefusal(.storeUnavailable), answering: token)
    }
    gateway.journal.add(MediaChange.add(media)) { [self] outcome in
      gateway.context.store.releaseBlobs(picture.digest)
      switch outcome {
      case .added: end(run, .success(media.id), answering: token)
      // The player was deleted meanwhile.
      case .notFound: end(run, .failure(PictureRefusal(.ticketNotFound)), answering: token)
      case .unavailable: postpone(run, PictureRefusal(.storeUnavailable), answering: token)
      }
    }
  }

  /// The ticket is used up: its file is deleted, and the request is answered.
  private func end(_ run: UploadRun, _ outcome: Result<MediaID, PictureRefusal>, answering token: UInt64) {
    if case .success = outcome { statistics.kept += 1 }
    shared.tickets.complete(run, outcome, at: gateway.core.now)
    shared.folder?.delete([run.file])
    answer(token, progress(of: run.ticket, by: run))
  }

  /// The pictures of some identifiers, with addresses for who may see them now; those that are gone are left out.
  package func pictures(
    _ ids: [MediaID],
    _ completion: @escaping @Sendable (Result<[WirePicture], StoreFailure>) -> Void
  ) {
    let (addresses, now) = (shared.addresses, gateway.now)
    gateway.context.store.media(ids) { found in
      completion(found.map { all in all.map { WirePicture($0, addresses, at: now) } })
    }
  }
}
