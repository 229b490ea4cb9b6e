// Comma-separated values: every form of fields and line ends; a broken line loses only itself.
import SeededRandom
import Testing
import Commands

@Suite("Comma-separated values")
struct CSVReaderTests {
  /// The records or faults of a text, each as one text with its line: `1: a|b`.
  private func rows(_ text: String, fieldCount: Int? = nil) throws -> [String] {
    var reader = CSVReader(try FileText(Array(text.utf8)))
    reader.fieldCount = fieldCount
    var rows: [String] = []
    while let row = reader.next() {
      switch row.fields {
      case .success(let fields): rows.append("\(row.line): \(fields.joined(separator: "|"))")
      case .failure(let fault): rows.append("\(row.line)! \(fault)")
      }
    }
    return rows
  }

  @Test(
    "Fields and records are read as RFC 4180 writes them",
    arguments: [
      ("a,b\nc,d\n", ["1: a|b", "2: c|d"]),
      ("a,b\r\nc,d", ["1: a|b", "2: c|d"]),
      ("a,,\n", ["1: a||"]),
      (",", ["1: |"]),
      (" a , b ", ["1:  a | b "]),
      ("\"a\",\"b,c\"", ["1: a|b,c"]),
      ("\"a\"\"b\"", ["1: a\"b"]),
      ("\"\"", ["1: "]),
      ("\"\",\"\"\"\"", ["1: |\""]),
      ("\"a\nb\"\nc", ["1: a\nb", "3: c"]),
      ("\"a\r\nb\",c\r\nd", ["1: a\r\nb|c", "3: d"]),
      ("가람,나루\n\"다,리\",마을", ["1: 가람|나루", "2: 다,리|마을"]),
      // A carriage return that ends no line belongs to its field.
      ("a\rb\n", ["1: a\rb"]),
      ("a\r", ["1: a"]),
    ]
  )
  func sound(text: String, expected: [String]) throws {
    #expect(try rows(text) == expected)
  }

  @Test("Empty lines are no records and count as lines", arguments: ["", "\n", "\r\n\r\n", "\n\r\n\n"])
  func empty(lines: String) throws {
    #expect(try rows(lines) == [])
    let count = lines.utf8.count { $0 == UInt8(ascii: "\n") }
    #expect(try rows(lines + "a" + lines + "\nb") == ["\(count + 1): a", "\(2 * count + 2): b"])
  }

  @Test(
    "A broken record is reported with its line, and reading continues with the next one",
    arguments: [
      ("a\"b,c\nd", ["1! a quote inside a field that does not begin with one", "2: d"]),
      ("\"a\"b\nc", ["1! something between a closing quote and the next comma", "2: c"]),
      ("\"a\" ,b\nc", ["1! something between a closing quote and the next comma", "2: c"]),
      ("a\n\"b\nc\nd", ["1: a", "2! a quote that is never closed", "3: c", "4: d"]),
      ("a\n\"", ["1: a", "2! a quote that is never closed"]),
      // The closing quote belongs to another field, some lines on.
      ("\"a\nb,\"c\"\nd", ["1! something between a closing quote and the next comma", "2: b|c", "3: d"]),
    ]
  )
  func broken(text: String, expected: [String]) throws {
    #expect(try rows(text) == expected)
  }

  @Test("A record with a different number of fields than the header is reported")
  func fieldCounts() throws {
    #expect(
      try rows("a,b\nc\nd,e,f\ng,h", fieldCount: 2) == [
        "1: a|b", "2! 1 fields, where the header has 2", "3! 3 fields, where the header has 2", "4: g|h",
      ]
    )
  }

  @Test("Any fields written in quotes are read back unchanged, with their line numbers")
  func roundTrips() throws {
    var random = SplitMix64(seed: 11)
    for _ in 0..<500 {
      let records = (0..<random.draw(1...6)).map { _ in
        (0..<3).map { _ in
          String(
            (0..<random.draw(0...5)).map { _ in random.pick(["a", "가", ",", "\"", "\n", " ", "\t"] as [Character]) }
          )
        }
      }
      let text = records.map { record in
        record.map {
          "\"" + $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        }
        .joined(separator: ",")
      }.joined(separator: "\n")
      var line = 1
      let expected = records.map { record in
        defer { line += 1 + record.joined().count { $0 == "\n" } }
        return "\(line): \(record.joined(separator: "|"))"
      }
      #expect(try rows(text, fieldCount: 3) == expected, "\(text)")
    }
  }

  @Test("Any bytes are read to their end, each line once at most")
  func anyBytes() throws {
    var random = SplitMix64(seed: 12)
    for _ in 0..<3_000 {
      let bytes = (0..<random.draw(0...30)).map { _ in random.pick(Array("ab,\"\r\n".utf8)) }
      var reader = CSVReader(try FileText(bytes))
      var last = 0
      while let row = reader.next() {
        #expect(row.line > last, "\(bytes)")
        last = row.line
      }
      #expect(last <= bytes.count { $0 == UInt8(ascii: "\n") } + 1)
    }
  }
}
