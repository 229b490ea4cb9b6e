// The settings of a client. A value.

/// The settings that all exchanges of a client share.
struct HTTPClientSettings: Sendable {
  let userAgent: String
  let addresses: AddressPolicy
  let limits: HTTPClientLimits
  /// The path of a PEM file; nil for the system's authorities.
  let authorities: String?
}
