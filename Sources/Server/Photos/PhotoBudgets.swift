// The budgets of photos: requests for them, and the server's own to their source.
import Gateway
import MadangProtocol

extension Budget {
  // A page of countries shows some twenty; a school of 400 phones is one address.
  static let photosOfAddress = Budget("PHOTOS", for: .address, .perMinute(6_000), exemptsLoopback: true)

  // An amount.
  static let photoRequests = Budget(amountOf: "PHOTO_REQUESTS", for: .process)

  static let ofPhotos: [Budget] = [.photosOfAddress, .photoRequests]
}

extension Photos {
  package var amounts: [BudgetAmount] {
    let requests = shared.requests
    return [BudgetAmount(.photoRequests, used: requests.used, bound: requests.bound)]
  }
}
