// The rule of inside and outside, line by line.
import Game
import Testing

@Suite("Fences: a stay")
struct FenceStayTests {
  /// Takes fixes of one accuracy in a fence of this half depth; returns the states behind each.
  private func states(
    _ depthsM: [Int64],
    accuracyM: UInt32,
    halfDepthM: Int64 = 500,
    from state: FenceStay.State = .outside
  ) -> [FenceStay.State] {
    var stay = FenceStay(state)
    return depthsM.enumerated().map { number, depthM in
      _ = stay.take(
        depthMm: depthM * 1_000,
        halfDepthMm: halfDepthM * 1_000,
        accuracyM: accuracyM,
        at: .seconds(number)
      )
      return stay.state
    }
  }

  @Test("Two fixes in a row with their whole circles inside enter; one does not, and a fix between begins anew")
  func twoFixes() {
    #expect(states([10, 10], accuracyM: 10) == [.entering, .inside])
    #expect(states([9, 9, 9], accuracyM: 10) == [.outside, .outside, .outside])
    #expect(states([10, 9, 10, 19], accuracyM: 10) == [.entering, .outside, .entering, .inside])
  }

  @Test("One fix enters with twice its circle inside")
  func oneFix() {
    #expect(states([19], accuracyM: 10) == [.entering])
    #expect(states([20], accuracyM: 10) == [.inside])
  }

  @Test("In a fence that is smaller than the circle, the half depth takes the circle's place")
  func smallFence() {
    #expect(states([5, 5], accuracyM: 10, halfDepthM: 5) == [.entering, .inside])
    #expect(states([4, 4], accuracyM: 10, halfDepthM: 5) == [.outside, .outside])
  }

  @Test("Two fixes in a row leave that lie six accuracies and the margin outside of the line for entering")
  func leaving() {
    // 10 - 60 - 10 m.
    #expect(states([-59, -59], accuracyM: 10, from: .inside) == [.inside, .inside])
    #expect(states([-60, -59, -60, -60], accuracyM: 10, from: .inside) == [.leaving, .inside, .leaving, .outside])
    #expect(states([-119], accuracyM: 10, from: .inside) == [.leaving])
    #expect(states([-120], accuracyM: 10, from: .inside) == [.outside])
  }

  @Test("The margin of a small fence is an eighth of a circle's radius, a quarter of the half depth")
  func margin() {
    // 4 - 60 - 1 m.
    #expect(states([-56, -56], accuracyM: 10, halfDepthM: 4, from: .inside) == [.inside, .inside])
    #expect(states([-57, -57], accuracyM: 10, halfDepthM: 4, from: .inside) == [.leaving, .outside])
  }

  @Test("A better accuracy than 3 m counts as 3 m")
  func bestAccuracy() {
    #expect(states([2, 2], accuracyM: 0) == [.outside, .outside])
    #expect(states([3, 3], accuracyM: 0) == [.entering, .inside])
    #expect(states([-24, -24], accuracyM: 0, from: .inside) == [.inside, .inside])
    #expect(states([-25, -25], accuracyM: 0, from: .inside) == [.leaving, .outside])
  }

  @Test("A stay is small, and its dwelling counts from its beginning")
  func dwelling() {
    #expect(MemoryLayout<FenceStay>.size <= 24)
    var stay = FenceStay()
    #expect(stay.dwellDue(afterS: 60) == nil)
    let hasEntered = stay.take(depthMm: 90_000, halfDepthMm: 90_000, accuracyM: 5, at: .seconds(7))
    #expect(hasEntered)
    #expect(stay.dwellDue(afterS: nil) == nil)
    #expect(stay.dwellDue(afterS: 60) == .seconds(67))
    stay.isDwellTold = true
    #expect(stay.dwellDue(afterS: 60) == nil)
  }
}
