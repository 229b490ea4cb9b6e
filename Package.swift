// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
// In a release build the tests stay as they are written, and try the optimized code of the program.
let tests: [SwiftSetting] = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// A release contains the Swift runtime: one file to copy, and no calls through linkage tables. GRDB uses Foundation, so
// Foundation's own libraries are named too. Tests link the shared runtime of the testing library, so no test may depend
// on these programs.
// Decisions: 101 (docs/decisions).
let staticRuntime: [LinkerSetting] = [
  .unsafeFlags(
    ["-static-stdlib", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims", "-l_FoundationCollections"],
    .when(platforms: [.linux], configuration: .release)
  )
]

let package = Package(
  name: "madang",
  products: [
    .library(name: "MadangProtocol", targets: ["MadangProtocol"]),
    .executable(name: "madang", targets: ["madang"]),
    .executable(name: "madang-loadtest", targets: ["madang-loadtest"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
  ],
  targets: [
    .systemLibrary(name: "CLinux"),
    .systemLibrary(
      name: "CCurl",
      pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
    ),
    .systemLibrary(
      name: "COpenSSL",
      pkgConfig: "openssl",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
    ),
    .systemLibrary(
      name: "CQREncode",
      pkgConfig: "libqrencode",
      providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]
    ),
    .systemLibrary(
      name: "CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
    ),

    .target(
      name: "MadangProtocol",
      dependencies: [.product(name: "SwiftProtobuf", package: "swift-protobuf")],
      path: "Protocol",
      exclude: ["madang.proto", "PROTOCOL.md", "vectors"],
      swiftSettings: strict
    ),
    .target(
      name: "ConsoleProtocol",
      dependencies: [.product(name: "SwiftProtobuf", package: "swift-protobuf")],
      exclude: ["console.proto"],
      swiftSettings: strict
    ),
    .target(name: "Locks", swiftSettings: strict),
    .target(name: "Cryptography", dependencies: ["COpenSSL"], swiftSettings: strict),
    .target(name: "HTTPClient", dependencies: ["Cryptography", "Locks", "CCurl"], swiftSettings: strict),
    .target(name: "WebSocket", dependencies: ["Cryptography", "CZlib"], swiftSettings: strict),
    .target(
      name: "Game",
      dependencies: [.product(name: "DequeModule", package: "swift-collections")],
      resources: [.embedInCode("Countries/countries.tsv"), .embedInCode("Words/letters.tsv")],
      swiftSettings: strict
    ),
    .target(
      name: "Store",
      dependencies: [
        "Game", "Locks", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "Copies",
      dependencies: ["Game", "Store", "Locks", "Cryptography", "HTTPClient", "CZlib"],
      swiftSettings: strict
    ),
    .target(name: "OperatorAccounts", dependencies: ["Cryptography", "Game"], swiftSettings: strict),
    .target(
      name: "Net",
      dependencies: ["WebSocket", "Locks", "CLinux", "COpenSSL"],
      swiftSettings: strict
    ),
    .target(
      name: "PrometheusExporter",
      dependencies: ["Locks", .product(name: "CoreMetrics", package: "swift-metrics")],
      swiftSettings: strict
    ),
    .target(
      name: "Gateway",
      dependencies: [
        "MadangProtocol", "Cryptography", "WebSocket", "Game", "Store", "Net", "Locks",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "Server",
      dependencies: [
        "MadangProtocol", "ConsoleProtocol", "Cryptography", "WebSocket", "Game", "Store", "Net", "Gateway",
        "Locks", "HTTPClient", "OperatorAccounts", "CQREncode", "CZlib",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      resources: [.copy("Web"), .copy("Streets")],
      swiftSettings: strict
    ),
    .target(
      name: "Commands",
      dependencies: [
        "MadangProtocol", "ConsoleProtocol", "WebSocket", "Store", "Copies", "Game", "Net", "Cryptography",
        "HTTPClient", "OperatorAccounts", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      resources: [.embedInCode("Schools/schools.csv")],
      swiftSettings: strict
    ),
    .target(
      name: "Logs",
      dependencies: [
        "Commands", "Server", "Gateway", "Game", "Locks", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "madang",
      dependencies: [
        "Commands", "Logs", "Server", "Gateway", "Store", "Copies", "Game", "Net", "Locks", "PrometheusExporter",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Sources/Madang",
      swiftSettings: strict,
      linkerSettings: staticRuntime
    ),
    .executableTarget(
      name: "madang-loadtest",
      dependencies: [
        "MadangProtocol", "WebSocket", "Net", "ReceiverErrors", "SeededRandom",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ],
      path: "loadtest",
      swiftSettings: strict
    ),
    // The counted server has the tests' store in memory and their random numbers, so that all runs are identical.
    .executableTarget(
      name: "madang-bench",
      dependencies: [
        "WebSocket", "Net", "MadangProtocol", "Game", "Store", "Server", "SeededRandom", "StoreDoubles",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ],
      path: "Benchmarks/Madang",
      swiftSettings: strict,
      linkerSettings: staticRuntime
    ),

    .target(
      name: "TestSupport",
      dependencies: ["MadangProtocol", "Net", "WebSocket", "COpenSSL"],
      path: "Tests/TestSupport",
      swiftSettings: tests
    ),
    .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: strict),
    .target(
      name: "ReceiverErrors",
      dependencies: ["SeededRandom"],
      path: "Tests/ReceiverErrors",
      swiftSettings: strict
    ),
    .target(name: "ClientModel", dependencies: ["MadangProtocol"], path: "Tests/ClientModel", swiftSettings: strict),
    .target(
      name: "StoreDoubles",
      dependencies: ["Store", "Game"],
      path: "Tests/StoreDoubles",
      swiftSettings: strict
    ),
    .target(
      name: "GameSimulation",
      dependencies: ["Game", "ReceiverErrors", "SeededRandom"],
      path: "Tests/GameSimulation",
      swiftSettings: strict
    ),
    .target(
      name: "ServerSimulation",
      dependencies: [
        "Server", "Gateway", "Store", "StoreDoubles", "Net", "WebSocket", "Game", "MadangProtocol", "ClientModel",
        "SeededRandom",
      ],
      path: "Tests/ServerSimulation",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "madang-simulate",
      dependencies: ["GameSimulation", "ReceiverErrors", "ServerSimulation"],
      path: "Tests/Simulate",
      swiftSettings: strict
    ),
    .target(
      name: "FuzzTargets",
      dependencies: ["MadangProtocol", "WebSocket", "Game"],
      path: "Tests/FuzzTargets",
      swiftSettings: strict
    ),
    .testTarget(name: "ArchitectureTests", swiftSettings: tests),
    .testTarget(name: "ProtocolTests", dependencies: ["MadangProtocol", "SeededRandom"], swiftSettings: tests),
    .testTarget(name: "LocksTests", dependencies: ["Locks"], swiftSettings: tests),
    .testTarget(name: "CryptographyTests", dependencies: ["Cryptography"], swiftSettings: tests),
    .testTarget(
      name: "OperatorAccountsTests",
      dependencies: ["OperatorAccounts", "Cryptography", "Game", "TestSupport"],
      swiftSettings: tests
    ),
    .testTarget(
      name: "HTTPClientTests",
      dependencies: ["HTTPClient", "COpenSSL", "TestSupport"],
      swiftSettings: tests
    ),
    .testTarget(name: "WebSocketTests", dependencies: ["WebSocket", "SeededRandom"], swiftSettings: tests),
    .testTarget(
      name: "GameTests",
      dependencies: ["Game", "SeededRandom"],
      exclude: ["Tracks", "Vectors"],
      swiftSettings: tests
    ),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["Game", "GameSimulation", "ReceiverErrors", "SeededRandom", "ServerSimulation"],
      swiftSettings: tests
    ),
    .testTarget(
      name: "StoreTests",
      dependencies: [
        "Store", "Copies", "HTTPClient", "StoreDoubles", "Game", "TestSupport", "SeededRandom",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: tests
    ),
    .testTarget(
      name: "NetTests",
      dependencies: ["Net", "WebSocket", "COpenSSL", "TestSupport", "SeededRandom"],
      swiftSettings: tests
    ),
    .testTarget(
      name: "GatewayTests",
      dependencies: [
        "Gateway", "Store", "StoreDoubles", "Net", "Game", "TestSupport",
        .product(name: "CoreMetrics", package: "swift-metrics"),
      ],
      swiftSettings: tests
    ),
    .testTarget(
      name: "PrometheusExporterTests",
      dependencies: ["PrometheusExporter", .product(name: "CoreMetrics", package: "swift-metrics")],
      swiftSettings: tests
    ),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "Server", "Gateway", "Store", "StoreDoubles", "Net", "WebSocket", "HTTPClient", "Game", "MadangProtocol",
        "PrometheusExporter", "TestSupport", "ClientModel", "SeededRandom", "OperatorAccounts", "Cryptography",
      ],
      swiftSettings: tests
    ),
    .testTarget(
      name: "CommandsTests",
      dependencies: [
        "Commands", "ConsoleProtocol", "Game", "SeededRandom",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: tests
    ),
    .testTarget(name: "LogsTests", dependencies: ["Logs", "Game"], swiftSettings: tests),
    .testTarget(
      name: "LoadTestTests",
      dependencies: ["madang-loadtest", "MadangProtocol", "ReceiverErrors"],
      swiftSettings: tests
    ),
    .testTarget(
      name: "FuzzTests",
      dependencies: ["FuzzTargets", "SeededRandom"],
      exclude: ["Corpora", "Crashers"],
      swiftSettings: tests
    ),
  ]
)

// The fuzzers' command needs libFuzzer's runtime and instrumented code, which only scripts/fuzz gives it.
if Context.environment["MADANG_FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "Tests/CLibFuzzer"),
    .executableTarget(
      name: "madang-fuzz",
      dependencies: ["FuzzTargets", "CLibFuzzer"],
      path: "Tests/FuzzDriver",
      swiftSettings: strict
    ),
  ]
}
