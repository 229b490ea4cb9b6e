// Of what an operator is told, the part that is about the store.
import Server

extension OperatorNews {
  var isOfStore: Bool {
    switch self {
    case .storeFails, .storeWorks, .careFails, .segmentLost: true
    default: false
    }
  }
}
