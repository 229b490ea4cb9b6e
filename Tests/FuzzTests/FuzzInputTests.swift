// The layout of inputs, and that a broken property ends the process: the basis of all other tests here.
import FuzzTargets
import Testing

@Suite("Fuzz inputs")
struct FuzzInputTests {
  @Test("A choice is made by remainder, and the digit 0 makes the first one")
  func choices() {
    Array("02".utf8).withUnsafeBytes { bytes in
      var input = FuzzInput(bytes)
      #expect(input.choose(["a", "b", "c", "d"]) == "a")
      #expect(input.choose(["a", "b", "c", "d"]) == "c")
      #expect(input.choose(["a", "b"]) == "a", "without input the first choice is made")
    }
  }

  @Test(
    "The pieces form the stream, cut at the chosen sizes in turn",
    arguments: [
      ([], [[]]),
      ([0x30], [[]]),
      ([0x30, 7, 8, 9], [[7, 8, 9]]),
      ([0x31, 0, 7, 8, 9], [[7, 8, 9]]),
      ([0x31, 1, 7, 8, 9], [[7], [8], [9]]),
      ([0x33, 2, 0, 1, 7, 8, 9, 10], [[7, 8], [], [9], [10]]),
      ([0x32, 200, 1, 7, 8, 9], [[7, 8, 9]]),
      ([0x3F, 1, 2], []),
    ] as [([UInt8], [[UInt8]])]
  )
  func pieces(bytes: [UInt8], expected: [[UInt8]]) {
    bytes.withUnsafeBytes {
      var input = FuzzInput($0)
      #expect(input.takePieces().map(Array.init) == expected)
    }
  }

  @Test("A broken property ends the process")
  func brokenProperty() async {
    await #expect(processExitsWith: .failure) { mustHold(1 + 1 == 3, "sums") }
    await #expect(processExitsWith: .success) { mustHold(1 + 1 == 2, "sums") }
  }
}
