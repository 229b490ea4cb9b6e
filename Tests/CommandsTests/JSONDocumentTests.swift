// Texts in somebody else's JSON, by pointers.
import ConsoleProtocol
import Testing

@Suite struct JSONDocumentTests {
  private func text(_ json: String, at pointer: String) throws -> String? {
    try #require(JSONDocument(Array(json.utf8))).text(at: #require(JSONPointer(pointer)))
  }

  @Test("A pointer leads through members and elements to a text")
  func found() throws {
    let json = #"{"photos":[{"src":{"large":"https://a.example/1"}},{"a/b~c":"x","":"y"}],"n":7,"t":true}"#
    #expect(try text(json, at: "/photos/0/src/large") == "https://a.example/1")
    #expect(try text(json, at: "/photos/1/a~1b~0c") == "x" && text(json, at: "/photos/1/") == "y")
    #expect(try text(#""whole""#, at: "") == "whole")
  }

  @Test(
    "Nothing is found where there is no text",
    arguments: [
      "", "/n", "/t", "/photos", "/photos/2", "/photos/00", "/photos/+0", "/photos/-", "/photos/0/src/large/x", "/none",
      "/photos/99999999999999999999",
    ]
  )
  func notFound(_ pointer: String) throws {
    #expect(try text(#"{"photos":[{"src":{"large":"u"}},null],"n":7,"t":true}"#, at: pointer) == nil)
  }

  @Test("Texts that are no pointers are refused", arguments: ["a", "a/b", "/~", "/~2", "/a~"])
  func badPointers(_ text: String) {
    #expect(JSONPointer(text) == nil)
  }

  @Test("Bytes that are no JSON are refused, also deep ones")
  func badDocuments() {
    let deep = String(repeating: "[", count: 100_000)
    for text in ["", "{", #"{"a":}"#, "<html>", deep, deep + String(repeating: "]", count: 100_000)] {
      #expect(JSONDocument(Array(text.utf8)) == nil)
    }
    #expect(JSONDocument([0xFF, 0xFE]) == nil)
  }
}
