// Counts of one shard since it began: the gateway's and its features'. A value; others get copies.
import Gateway

package struct PlayStatistics: Sendable {
  package var gateway = GatewayStatistics()
  var features = StatisticsByFeature()

  package static func + (left: Self, right: Self) -> Self {
    PlayStatistics(gateway: left.gateway + right.gateway, features: left.features + right.features)
  }
}
