// The body of one request that uploads bytes of a picture: from the shard's read buffer to the ticket's file.
//
// On the shard's queue. At most one read of bytes, 64 KiB, is on its way to the disk; until it is written nothing more
// is read.
import Game
import Gateway
import Net
import WebSocket

final class UploadBody: BodyTaker {
  private unowned let media: Media
  private let run: UploadRun
  private let file: UploadFile
  /// The connection.
  private let token: UInt64
  private var offset: Int

  init(_ run: UploadRun, of media: Media, _ file: UploadFile, on connection: Connection) {
    self.media = media
    self.run = run
    self.file = file
    token = connection.token
    offset = run.offset
  }

  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    media.statistics.uploadedBytes += bytes.count
    let (piece, start) = (Array(bytes), offset)
    offset += piece.count
    let (shared, shard, run, file, token, now) = (
      media.shared, media.ownShard, run, file, token, media.gateway.core.now
    )
    shared.folder?.run { [end = offset] in
      guard !file.isRefused else { return }
      let refusal: PictureRefusal? =
        if !shared.tickets.isCurrent(run) {
          shared.tickets.refusal(of: run)
        } else if !file.write(piece, at: start) {
          PictureRefusal(.storeUnavailable)
        } else {
          shared.tickets.advance(run, to: end, at: now) ? nil : shared.tickets.refusal(of: run)
        }
      file.isRefused = refusal != nil
      shard.post { media in
        let connection = media.gateway.core.connection(for: token)
        if let refusal {
          connection?.answer(media.refusal(refusal))
        } else {
          connection.map { BodyExchange($0).resume() }
        }
      }
    }
    return false
  }

  func ended() {
    let (shared, shard, run, file, token) = (media.shared, media.ownShard, run, file, token)
    // Behind the last write. A request whose bytes were refused has its answer.
    shared.folder?.run {
      guard !file.isRefused else { return shared.tickets.reopen(run) }
      let isWhole = shared.tickets.end(run)
      shard.post { media in
        switch isWhole {
        case true?: media.clean(run, answering: token)
        case false?: media.answer(token, media.progress(of: run.ticket, by: run))
        case nil: media.answer(token, media.refusal(shared.tickets.refusal(of: run)))
        }
      }
    }
  }

  func brokeOff() {
    let (shared, run) = (media.shared, run)
    shared.folder?.run { shared.tickets.reopen(run) }
  }
}
