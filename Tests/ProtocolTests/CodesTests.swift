// Subprotocols, close codes and error codes: the names, numbers and texts that clients rely on.
import MadangProtocol
import Testing

@Suite("Names and codes")
struct CodesTests {
  @Test("Subprotocols are named as handshakes name them, JSON first and by default")
  func subprotocols() {
    #expect(Subprotocol.allCases.map(\.rawValue) == ["madang.v1.json", "madang.v1.proto"])
    #expect(Subprotocol.whenNoneIsOffered == .json)
    #expect(Subprotocol.json.isText)
    #expect(!Subprotocol.proto.isText)
  }

  @Test("Close codes below 4500 mean a reconnect, the others don't, and each has a reason that fits its frame")
  func closeCodes() {
    let comingBack = CloseCode.allCases.filter(\.comesBack).map(\.rawValue)
    #expect(comingBack == [4000, 4001, 4002, 4003, 4004, 4005, 4006])
    #expect(CloseCode.allCases.map(\.rawValue).filter { $0 >= 4500 } == [4500, 4501, 4503, 4504, 4506])
    #expect(CloseCode.comesBack(4499))
    #expect(!CloseCode.comesBack(4999))
    for code in CloseCode.allCases {
      // RFC 6455 section 5.5: a control frame's payload is at most 125 bytes, 2 of which are the code.
      #expect((1...123).contains(code.reason.utf8.count))
    }
    #expect(Set(CloseCode.allCases.map(\.reason)).count == CloseCode.allCases.count)
  }

  @Test("An error code's name is its word in JSON", arguments: WireErrorCode.allCases)
  func errorNames(_ code: WireErrorCode) throws {
    var message = WireServerMessage()
    message.error.code = code
    let json = String(decoding: Subprotocol.json.encode(message), as: UTF8.self)
    #expect(json == (code == .unspecified ? #"{"error":{}}"# : #"{"error":{"code":"\#(code.name)"}}"#))
    #expect(!code.text.isEmpty)
  }

  @Test("An unknown error code has its number for a name")
  func unknownErrorCode() {
    #expect(WireErrorCode.UNRECOGNIZED(77).name == "77")
  }
}
