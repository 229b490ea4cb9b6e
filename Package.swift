// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "madang",
  products: [
    .library(name: "MadangProtocol", targets: ["MadangProtocol"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
  ],
  targets: [
    .target(
      name: "MadangProtocol",
      dependencies: [.product(name: "SwiftProtobuf", package: "swift-protobuf")],
      path: "Protocol",
      exclude: ["madang.proto", "PROTOCOL.md", "vectors"],
      swiftSettings: strict
    ),
    .testTarget(name: "ArchitectureTests", swiftSettings: strict),
    .testTarget(name: "ProtocolTests", dependencies: ["MadangProtocol"], swiftSettings: strict),
  ]
)
