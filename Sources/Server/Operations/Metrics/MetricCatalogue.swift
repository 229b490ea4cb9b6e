// Every metric of the server, for the exporter and the documents' tests.
import Gateway

package enum MetricCatalogue {
  /// The metrics of all features. A feature's folder has its metrics; a new list has its place here.
  package static var all: [Metric] {
    Metric.ofGateway + Metric.ofServer + Metric.ofAccounts + Metric.ofRooms + Metric.ofTaps
  }
}
