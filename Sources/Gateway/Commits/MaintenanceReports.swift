// Past notifications of the maintenance to the operator. A value of the first shard.

/// Past reports to the operator, so that nothing is reported twice.
struct MaintenanceReports {
  /// The failure of the last maintenance; nil if it did not fail.
  var failure: String?
  var isDataReported = false
  /// The refused newcomers that the operator knows of.
  var refusedReported = 0
}
