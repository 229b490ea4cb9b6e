// The lists of connections with work left in a turn, beside an array that does the same.
import Net
import SeededRandom
import Testing

@Suite struct TokenListTests {
  @Test("Any calls give what an array gives", arguments: 0..<20 as Range<UInt64>)
  func model(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let list = TokenList()
    var model: [UInt64] = []
    for token in 0..<2_000 as Range<UInt64> {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<80:
        list.append(token)
        model.append(token)
      case 80..<90:
        #expect(list.popLast() == model.popLast())
      case 90..<95:
        #expect(list.first == model.first)
        #expect(list.popFirst() == model.first)
        model = Array(model.dropFirst())
      case 95..<97:
        #expect(list.takeAll() == model)
        model = []
      case 97..<98:
        let all = list.takeAll()
        list.append(token)
        list.putBack(all[(all.count / 2)...])
        model = model[(model.count / 2)...] + [token]
      default:
        var drained: [UInt64] = []
        list.drain { drained.append($0) }
        #expect(drained == model)
        model = []
      }
      #expect(list.isEmpty == model.isEmpty)
    }
    #expect(list.takeAll() == model)
  }

  @Test("Tokens that come while the list is drained stay for the next time, however many they are")
  func appendingWhileDraining() {
    let list = TokenList()
    for token in 0..<10 as Range<UInt64> { list.append(token) }
    var drained: [UInt64] = []
    var appended: [UInt64] = []
    list.drain { token in
      drained.append(token)
      for later in 0..<10 as Range<UInt64> {
        list.append(100 * token + later)
        appended.append(100 * token + later)
      }
    }
    #expect(drained == Array(0..<10))
    #expect(list.takeAll() == appended)
  }
}
