// Every metric of the server, for the exporter and the documents' tests.
import Gateway

package enum MetricCatalogue {
  package static var all: [Metric] { Metric.ofGateway + PlayService.features.flatMap { $0.metrics } }
}
