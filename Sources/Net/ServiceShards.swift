// The shards of a process by their services, or by a part of each service. Work is posted to one, gathered from all, or
// walks from one to the next.
//
// Values; any thread may hold them. A service is called on its own shard's queue, after work posted there before.
// Shards that have ended no longer know each other; then no service is called.

/// One shard by its service.
package struct ServiceShard<Service: SendableMetatype>: Sendable {
  fileprivate let shard: Shard?
  fileprivate let find: @Sendable (ShardCore) -> Service

  /// Calls `body` on the shard's queue.
  package func post(_ body: @escaping @Sendable (Service) -> Void) {
    shard?.post(toCore: { [find] in body(find($0)) })
  }
}

/// All shards of a process by their services, in order.
package struct ServiceShards<Service: SendableMetatype>: Sendable {
  private let shards: [Shard]
  private let find: @Sendable (ShardCore) -> Service

  /// `find` finds the service, or a part of it, on the shard's queue.
  package init(_ shards: [Shard], _ find: @escaping @Sendable (ShardCore) -> Service) {
    self.shards = shards
    self.find = find
  }

  /// The services of `shards` must be of this type.
  package init(_ shards: [Shard]) where Service: ShardService {
    self.init(shards) { $0.service(as: Service.self) }
  }

  package var count: Int { shards.count }

  package subscript(index: Int) -> ServiceShard<Service> {
    ServiceShard(shard: shards.isEmpty ? nil : shards[index], find: find)
  }

  /// The service of the shard on whose queue the caller is.
  package func service(on core: ShardCore) -> Service { find(core) }

  /// Calls `body` for every service.
  package func postToAll(_ body: @escaping @Sendable (Service) -> Void) {
    for index in shards.indices { self[index].post(body) }
  }

  /// Calls `body` for every service, one after the other, then `completion` with the results in the shards' order, on
  /// the last shard's queue.
  package func gather<Value: Sendable>(
    _ body: @escaping @Sendable (Service) -> Value,
    completion: @escaping @Sendable ([Value]) -> Void
  ) {
    gather(from: 0, [], body, completion)
  }

  private func gather<Value: Sendable>(
    from index: Int,
    _ values: [Value],
    _ body: @escaping @Sendable (Service) -> Value,
    _ completion: @escaping @Sendable ([Value]) -> Void
  ) {
    self[index].post { service in
      let values = values + [body(service)]
      guard index + 1 < shards.count else { return completion(values) }
      gather(from: index + 1, values, body, completion)
    }
  }

  /// Calls `body` for the first service, then for each next one when `body` has called its argument, and `completion`
  /// after the last. The next call happens on the queue of the shard that called the argument.
  package func walk(
    _ body: @escaping @Sendable (Service, _ next: @escaping @Sendable () -> Void) -> Void,
    completion: @escaping @Sendable () -> Void
  ) {
    walk(from: 0, body, completion)
  }

  private func walk(
    from index: Int,
    _ body: @escaping @Sendable (Service, _ next: @escaping @Sendable () -> Void) -> Void,
    _ completion: @escaping @Sendable () -> Void
  ) {
    self[index].post { service in
      body(service) {
        guard index + 1 < shards.count else { return completion() }
        walk(from: index + 1, body, completion)
      }
    }
  }
}
