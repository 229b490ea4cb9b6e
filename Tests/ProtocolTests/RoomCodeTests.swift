// Room codes: the errors that the check symbol finds, the accepted spellings, and no duplicate in a million draws.
import SeededRandom
import MadangProtocol
import Testing

@Suite("Room codes")
struct RoomCodeTests {
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

  @Test("The example of the documentation is a code")
  func example() throws {
    let code = try #require(RoomCode("7K3F9-QXA25"))
    #expect(code.symbols == "7K3F9QXA25")
    #expect(code.description == "7K3F9-QXA25")
  }

  @Test("The check symbol of each single symbol is its value times a power of 2 in GF(32)")
  func checkSymbols() {
    // A basis: the check is linear over GF(2), so these 45 decide all 2⁴⁵ codes.
    for position in 0..<9 {
      for bit in 0..<5 {
        let code = RoomCode(drawing: 1 << UInt64(position * 5 + bit))
        var check = 1 << bit
        for _ in 0...position {
          check <<= 1
          if check >= 32 { check ^= 0b100101 }
        }
        #expect(code.symbols.last == Self.alphabet[check])
        #expect(code.symbols.dropLast() == word(symbol: 1 << bit, at: position))
      }
    }
    #expect(RoomCode(drawing: 0).symbols == "0000000000")
    var random = SplitMix64(seed: 5)
    for _ in 0..<10_000 {
      let (a, b) = (random.next(), random.next())
      let sum = zip(values(of: RoomCode(drawing: a)), values(of: RoomCode(drawing: b))).map { $0 ^ $1 }
      #expect(values(of: RoomCode(drawing: a ^ b)) == sum)
    }
  }

  @Test("Every single wrong symbol is detected, for all codes")
  func singleErrors() {
    // By linearity: a wrong symbol is found in every code when it is found in the code of zeros.
    for index in 0..<10 {
      for symbol in Self.alphabet.dropFirst() {
        var symbols = Array("0000000000")
        symbols[index] = symbol
        #expect(RoomCode(String(symbols)) == nil)
      }
    }
  }

  @Test("Every swap of two different neighbours is detected, for all codes")
  func swaps() {
    // By linearity: swapping a and b adds a XOR b at both places, and is found in every code when that is in zeros.
    for index in 0..<9 {
      for symbol in Self.alphabet.dropFirst() {
        var symbols = Array("0000000000")
        symbols[index] = symbol
        symbols[index + 1] = symbol
        #expect(RoomCode(String(symbols)) == nil)
      }
    }
  }

  @Test("The same errors are detected on a thousand real codes, symbol by symbol")
  func errorsOfRandomCodes() {
    var random = SplitMix64(seed: 6)
    for _ in 0..<1_000 {
      let right = Array(RoomCode(drawing: random.next()).symbols)
      for index in right.indices {
        for symbol in Self.alphabet where symbol != right[index] {
          var wrong = right
          wrong[index] = symbol
          if RoomCode(String(wrong)) != nil { Issue.record("\(String(wrong)) for \(String(right))") }
        }
        guard index > 0, right[index] != right[index - 1] else { continue }
        var swapped = right
        swapped.swapAt(index, index - 1)
        if RoomCode(String(swapped)) != nil { Issue.record("\(String(swapped)) for \(String(right))") }
      }
    }
  }

  @Test("The mapping of 45 bits to nine symbols is one to one")
  func bits() throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<10_000 {
      let bits = random.next()
      let code = RoomCode(drawing: bits)
      #expect(code.bits == bits & 0x1FFF_FFFF_FFFF)
      #expect(RoomCode(drawing: code.bits) == code)
      #expect(try #require(RoomCode(code.symbols)) == code)
      #expect(code.bits == values(of: code).dropLast().reduce(0) { $0 << 5 | UInt64($1) })
    }
    #expect(RoomCode(drawing: .max).symbols.dropLast() == "ZZZZZZZZZ")
  }

  @Test("A million codes drawn from one seed are all different")
  func noRepeat() {
    var random = SplitMix64(seed: 0x6D61_6461_6E67)
    var drawn = Set<UInt64>(minimumCapacity: 1_000_000)
    for _ in 0..<1_000_000 { drawn.insert(RoomCode(drawing: random.next()).bits) }
    #expect(drawn.count == 1_000_000)
  }

  @Test("A code is read in either case, with hyphens and spaces anywhere, O as 0, I and L as 1")
  func readings() throws {
    let code = try #require(RoomCode("7K3F9-QXA25"))
    for text in ["7k3f9qxa25", " 7K3F9 QXA25 ", "7-k-3-f-9-q-x-a-2-5", "--7K3F9QXA25--", "7k3f9-QxA25"] {
      #expect(RoomCode(text) == code, "\(text)")
    }
    let random = (0..<UInt64(4_096)).map { RoomCode(drawing: $0 &* 0x9E37_79B9_7F4A_7C15) }
    let withZerosAndOnes = random.filter { $0.symbols.contains("0") && $0.symbols.contains("1") }
    #expect(!withZerosAndOnes.isEmpty)
    for code in withZerosAndOnes {
      for (zero, one) in [("O", "I"), ("o", "i"), ("o", "L"), ("O", "l")] {
        let misread = code.symbols.map { $0 == "0" ? zero : $0 == "1" ? one : String($0) }.joined()
        #expect(RoomCode(misread) == code)
      }
    }
  }

  @Test("Text that is no code is refused")
  func refused() {
    for text in [
      "", "-", "7K3F9QXA2", "7K3F9QXA255", "07K3F9QXA25", "7K3F9QXA25 0", "7K3F9QXA2U", "UUUUUUUUUU", "7K3F9_QXA25",
      "7K3F9‐QXA25", "７K3F9QXA25", "7K3F9QXA2\u{308}5", "7K3F9\tQXA25", "7K3F9QXA2\0", "마당마당마당마당마당",
    ] {
      #expect(RoomCode(text) == nil, "\(text)")
    }
  }

  private func values(of code: RoomCode) -> [Int] {
    code.symbols.map { Self.alphabet.firstIndex(of: $0) ?? -1 }
  }

  /// Nine symbols, all 0 but one; position 0 is the last.
  private func word(symbol: Int, at position: Int) -> Substring {
    var symbols = Array("000000000")
    symbols[8 - position] = Self.alphabet[symbol]
    return Substring(String(symbols))
  }
}
