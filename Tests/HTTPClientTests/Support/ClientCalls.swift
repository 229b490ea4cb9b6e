// The client's calls in the form that tests await.
import HTTPClient
import Synchronization

typealias Outcome = Result<HTTPClientResponse, HTTPFailure>

extension HTTPClient {
  /// A client that may ask the receivers of tests.
  static func local(authorities: String? = nil, _ configure: (inout HTTPClientLimits) -> Void = { _ in }) -> HTTPClient
  {
    var limits = HTTPClientLimits()
    // Only so that a failing test ends.
    limits.connectMs = 300_000
    limits.totalMs = 300_000
    configure(&limits)
    return HTTPClient(version: "1.2.3", addresses: .privateAllowed, limits: limits, authorities: authorities)
  }

  /// The outcome of one request. A second completion would trap.
  func outcome(_ request: HTTPClientRequest) async -> Outcome {
    await withCheckedContinuation { continuation in
      send(request) { continuation.resume(returning: $0) }
    }
  }

  func get(_ url: String) async throws -> Outcome {
    await outcome(HTTPClientRequest(.get, try HTTPURL(url)))
  }

  func stop() async {
    await withCheckedContinuation { continuation in stop { continuation.resume() } }
  }
}

extension Outcome {
  var failure: HTTPFailure? {
    if case .failure(let failure) = self { failure } else { nil }
  }

  var tlsFailure: String? {
    if case .failure(.tls(let reason)) = self { reason } else { nil }
  }
}

/// Values that threads add and a test awaits.
final class Gathered<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    var awaited: [(count: Int, CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var all: [Value] { state.withLock { $0.values } }

  func add(_ value: Value) {
    let reached = state.withLock { state in
      state.values.append(value)
      let reached = state.awaited.filter { $0.count <= state.values.count }
      state.awaited.removeAll { $0.count <= state.values.count }
      return reached
    }
    for (_, continuation) in reached { continuation.resume() }
  }

  /// Waits until there are so many.
  func reach(_ count: Int) async -> [Value] {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.values.count < count { state.awaited.append((count, continuation)) }
        return state.values.count >= count
      }
      if isReached { continuation.resume() }
    }
    return all
  }
}
