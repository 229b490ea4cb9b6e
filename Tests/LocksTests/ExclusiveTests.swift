// A value that one queue changes in place traps on overlapping accesses, as a stored property would.
import Locks
import Testing

@Suite("An exclusive value is accessed by one at a time")
struct ExclusiveTests {
  /// An object that tells when it goes.
  private final class Tracked {
    let onEnd: () -> Void
    init(_ onEnd: @escaping () -> Void) { self.onEnd = onEnd }
    deinit { onEnd() }
  }

  /// A look at a value that can't be copied lasts as long as it is used.
  private struct Single: ~Copyable {
    var number = 1
  }

  private final class Owner {
    let numbers = Exclusive([1, 2])

    func change(_ body: (inout [Int]) -> Void) { body(&numbers.value) }
    func look(_ body: (borrowing [Int]) -> Void) { body(numbers.value) }
  }

  private final class SingleOwner {
    let single = Exclusive(Single())

    func change(_ body: (inout Single) -> Void) { body(&single.value) }
    func look(_ body: (borrowing Single) -> Void) { body(single.value) }
  }

  @Test("Changes are made in place, and looks may overlap")
  func changesInPlace() {
    let owner = Owner()
    owner.change { $0.append(3) }
    owner.numbers.value[0] = 7
    var sum = 0
    owner.look { outer in
      sum += outer.count
      owner.look { sum += $0.reduce(0, +) }
    }
    #expect(owner.numbers.value == [7, 2, 3])
    #expect(sum == 15)
    // The looks are over.
    owner.change { $0.removeAll() }
    #expect(owner.numbers.value.isEmpty)
  }

  @Test("A thrown error ends a change")
  func errorEndsChange() {
    struct Fault: Error {}
    func fail(_ value: inout [Int]) throws(Fault) {
      value.append(3)
      throw Fault()
    }
    let owner = Owner()
    #expect(throws: Fault.self) { try fail(&owner.numbers.value) }
    #expect(owner.numbers.value == [1, 2, 3])
  }

  @Test("The value ends with its owner")
  func endsWithOwner() {
    var ends = 0
    do {
      let value = Exclusive(Tracked { ends += 1 })
      #expect(ends == 0)
      _ = value.value
    }
    #expect(ends == 1)
  }

  @Test("A change or a look during a change traps, and a change during a look")
  func overlapTraps() async {
    await #expect(processExitsWith: .failure) {
      let owner = Owner()
      owner.change { _ in owner.change { $0.append(3) } }
    }
    await #expect(processExitsWith: .failure) {
      let owner = SingleOwner()
      owner.change { _ in owner.look { _ in } }
    }
    await #expect(processExitsWith: .failure) {
      let owner = SingleOwner()
      owner.look { _ in owner.change { $0.number = 2 } }
    }
    await #expect(processExitsWith: .success) {
      let owner = SingleOwner()
      owner.look { _ in owner.look { _ in } }
      owner.change { $0.number = 2 }
    }
  }
}
