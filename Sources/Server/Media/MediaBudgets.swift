// The budgets of pictures: uploads, their bytes, and what waits on the disk.
import Gateway
import MadangProtocol

extension Budget {
  static let uploads = Budget("UPLOADS", for: .player, .perDay(Limits.uploadsPerDay))
  static let uploadBytes = Budget("UPLOAD_BYTES", for: .player, .perDay(Limits.uploadBytesPerDay))
  static let guestUploads = Budget("GUEST_UPLOADS", for: .player, .perDay(Limits.guestUploadsPerDay))
  static let guestUploadBytes = Budget("GUEST_UPLOAD_BYTES", for: .player, .perDay(Limits.guestUploadBytesPerDay))
  // New guests cost nothing, so an address has a bound of its own.
  static let uploadsOfAddress = Budget(
    "UPLOADS",
    for: .address,
    .perHour(Int64(Limits.uploadsPerHourForAddress), burst: Int64(Limits.uploadsPerHourForAddress)),
    exemptsLoopback: true
  )
  static let uploadBytesOfAddress = Budget(
    "UPLOAD_BYTES",
    for: .address,
    .perHour(512 << 20, burst: 512 << 20),
    exemptsLoopback: true
  )

  // Amounts.
  static let openUploadBytes = Budget(amountOf: "OPEN_UPLOAD_BYTES", for: .process)
  static let openUploadBytesOfAddress = Budget(amountOf: "OPEN_UPLOAD_BYTES", for: .address)
  static let waitingPictures = Budget(amountOf: "WAITING_PICTURES", for: .process)
  static let waitingPicturesOfAddress = Budget(amountOf: "WAITING_PICTURES", for: .address)

  static let ofMedia: [Budget] = [
    .uploads, .uploadBytes, .guestUploads, .guestUploadBytes, .uploadsOfAddress, .uploadBytesOfAddress,
    .openUploadBytes, .openUploadBytesOfAddress, .waitingPictures, .waitingPicturesOfAddress,
  ]
}

extension Media {
  package var amounts: [BudgetAmount] {
    let (open, waiting) = (shared.tickets.openBytes, shared.work.waiting)
    return [
      BudgetAmount(.openUploadBytes, used: open.inAll, bound: UploadTickets.openBytesMax),
      BudgetAmount(.openUploadBytesOfAddress, used: open.ofNetwork, bound: UploadTickets.openBytesMaxOfNetwork),
      BudgetAmount(.waitingPictures, used: waiting.inAll, bound: PictureWork.waitingMax),
      BudgetAmount(.waitingPicturesOfAddress, used: waiting.ofNetwork, bound: PictureWork.waitingMaxOfNetwork),
    ]
  }
}
