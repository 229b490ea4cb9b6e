// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "madang",
  products: [
    .library(name: "MadangProtocol", targets: ["MadangProtocol"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
  ],
  targets: [
    .systemLibrary(name: "CLinux"),
    .systemLibrary(
      name: "COpenSSL",
      pkgConfig: "openssl",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
    ),
    .target(
      name: "MadangProtocol",
      dependencies: [.product(name: "SwiftProtobuf", package: "swift-protobuf")],
      path: "Protocol",
      exclude: ["madang.proto", "PROTOCOL.md", "vectors"],
      swiftSettings: strict
    ),
    .target(name: "Cryptography", dependencies: ["COpenSSL"], swiftSettings: strict),
    .target(name: "WebSocket", dependencies: ["Cryptography"], swiftSettings: strict),
    .target(
      name: "Game",
      dependencies: [.product(name: "DequeModule", package: "swift-collections")],
      swiftSettings: strict
    ),
    .target(
      name: "Net",
      dependencies: ["WebSocket", "CLinux"],
      swiftSettings: strict
    ),
    .target(
      name: "TestSupport",
      dependencies: ["MadangProtocol", "Net", "WebSocket"],
      path: "Tests/TestSupport",
      swiftSettings: strict
    ),
    .testTarget(name: "ArchitectureTests", swiftSettings: strict),
    .testTarget(name: "ProtocolTests", dependencies: ["MadangProtocol"], swiftSettings: strict),
    .testTarget(name: "CryptographyTests", dependencies: ["Cryptography"], swiftSettings: strict),
    .testTarget(name: "WebSocketTests", dependencies: ["WebSocket"], swiftSettings: strict),
    .testTarget(name: "GameTests", dependencies: ["Game"], exclude: ["Tracks"], swiftSettings: strict),
    .testTarget(name: "SimulationTests", dependencies: ["Game"], swiftSettings: strict),
    .testTarget(name: "NetTests", dependencies: ["Net", "WebSocket", "TestSupport"], swiftSettings: strict),
  ]
)
