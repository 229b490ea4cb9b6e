// swift-tools-version: 6.2
// The fixed peer that Madang is measured beside. A package of its own, so that no second network stack comes anywhere
// near the server's dependencies; scripts/bench builds it.
import PackageDescription

let package = Package(
  name: "benchmarks",
  dependencies: [
    // Fixed: a figure means something only beside the same peer as last time.
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2")
  ],
  targets: [
    .executableTarget(
      name: "nio-peer",
      dependencies: [
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ],
      path: "NIOPeer",
      swiftSettings: [.treatAllWarnings(as: .error)]
    )
  ]
)
