// Notifications of the maintenance that the operator has had. A value of the first shard.

/// What the operator has been told, so that nothing is told twice.
struct MaintenanceReports {
  /// Why the last maintenance failed; nil if it did not.
  var failure: String?
  var isToldOfData = false
  /// Newcomers turned away whom the operator has been told of.
  var refusedToldOf = 0
}
