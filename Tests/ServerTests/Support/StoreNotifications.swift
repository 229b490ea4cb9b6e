// The operators' notifications about the store.
import Gateway
import Server

extension OperatorNotification {
  var isOfStore: Bool {
    switch self {
    case .gateway(.storeFails), .gateway(.storeWorks), .gateway(.maintenanceFails), .gateway(.segmentLost): true
    default: false
    }
  }
}
