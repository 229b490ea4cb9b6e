// The golden messages beside the protocol's code, read for the tests.
import Foundation
import MadangProtocol

/// One golden message.
struct Vector: CustomStringConvertible, Sendable {
  /// The sender: the folder of the message.
  enum Side: String, CaseIterable {
    case client, server
  }

  let side: Side
  let name: String

  var description: String { "\(side.rawValue)/\(name)" }

  /// The body's name, or `none`.
  var body: String { name.prefix { $0 != "-" }.description }

  func bytes(_ subprotocol: Subprotocol) throws -> [UInt8] {
    try Self.read("\(side.rawValue)/\(name).\(subprotocol.fileExtension)")
  }

  static let all = Side.allCases.flatMap { side in
    files(in: side.rawValue).filter { $0.hasSuffix(".json") }.map { Vector(side: side, name: String($0.dropLast(5))) }
  }

  /// The project's `Protocol` folder.
  static let protocolFolder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Protocol")

  /// A file's bytes; `path` is relative to the folder of vectors.
  static func read(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: protocolFolder.appendingPathComponent("vectors/\(path)")))
  }

  static func files(in folder: String) -> [String] {
    let path = protocolFolder.appendingPathComponent("vectors/\(folder)").path
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}

extension Subprotocol {
  var fileExtension: String { isText ? "json" : "binpb" }

  init(ofFile name: String) {
    self = name.hasSuffix(".json") ? .json : .proto
  }
}

/// Codecs on arrays, for the tests' convenience.
extension Subprotocol {
  func decodeClient(_ bytes: [UInt8]) throws -> WireClientMessage {
    try bytes.withUnsafeBytes { try decodeClientMessage($0) }
  }

  func decodeServer(_ bytes: [UInt8]) throws -> WireServerMessage {
    try bytes.withUnsafeBytes { try decodeServerMessage($0) }
  }

  func move(_ bytes: [UInt8]) -> MoveFix? {
    bytes.withUnsafeBytes(decodeMove)
  }

  func encode(_ message: WireClientMessage) -> [UInt8] {
    var bytes: [UInt8] = []
    append(message, to: &bytes)
    return bytes
  }

  func encode(_ message: WireServerMessage) -> [UInt8] {
    var bytes: [UInt8] = []
    append(message, to: &bytes)
    return bytes
  }
}
