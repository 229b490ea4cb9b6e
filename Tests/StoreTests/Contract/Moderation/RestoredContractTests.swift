// Reports of what an operator has restored, over every back end: which of them ask the operator again.
import Game
import Store
import Testing

@Suite("Every store lets few reports bring a restored thing back to operators")
struct RestoredContractTests {
  @Test(
    "Reports of guests bring a restored thing back when they have doubled, and no report keeps it at the queue's top",
    arguments: BackEnd.allCases
  )
  func restored(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...40)
      for number: UInt128 in 1...2 { try await store.write(post(number)) }
      let other = ReportSubject.post(PostID(2))
      try await store.change(report(other, by: 2, at: 50))
      var returned: [UInt128] = []
      for reporter: UInt128 in 2...40 {
        try await store.change(report(.firstPost, by: reporter, from: UInt8(reporter), at: 100 + Int64(reporter)))
        guard try await store.moderated().contains(where: { $0.thing.subject == .firstPost }) else { continue }
        // One who reports is seen as the first of the queue, until the operator has looked.
        #expect(try await store.moderated().map(\.thing.subject) == [.firstPost, other])
        returned.append(reporter - 1)
        #expect(try await store.change(decide(.firstPost, .restore)) != .notFound)
      }
      #expect(returned == [1, 2, 4, 8, 16, 32])
      #expect(try await store.moderated(.state(.restored)).first?.reportsCount == 39)
    }
  }

  @Test("A restored thing that waits again stays where it is in the queue", arguments: BackEnd.allCases)
  func place(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.greet(1...9)
      for number: UInt128 in 1...2 { try await store.write(post(number)) }
      let other = ReportSubject.post(PostID(2))
      #expect(try await store.change(decide(.firstPost, .restore)) != .notFound)
      for reporter: UInt128 in 2...3 { try await store.change(report(.firstPost, by: reporter, at: 100)) }
      try await store.change(report(other, by: 2, at: 200))
      try await store.change(report(.firstPost, by: 4, at: 300))
      #expect(try await store.moderated().map(\.thing.subject) == [other, .firstPost])
      try await store.change(report(.firstPost, by: 5, at: 400))
      #expect(try await store.moderated().map(\.thing.subject) == [.firstPost, other], "they have doubled")
    }
  }

  @Test(
    "Old accounts of three networks bring a restored thing back each time, and hide it not",
    arguments: BackEnd.allCases
  )
  func returning(backEnd: BackEnd) async throws {
    try await backEnd.withStore { store in
      try await store.enroll(1...20)
      try await store.greet(21...21)
      try await store.write(post(1))
      try await store.reportAway(.firstPost)
      #expect(try await store.change(decide(.firstPost, .restore)) != .notFound)
      func waits(after reporter: UInt8, from network: UInt8) async throws -> Bool {
        let outcome = try await store.change(report(.firstPost, by: UInt128(reporter), from: network))
        let thing = ModeratedSubject(.firstPost, author: PlayerID(1), post: PostID(1))
        #expect(outcome == .reported(thing, isNew: true, hides: false))
        return try await !store.moderated().isEmpty
      }
      #expect(try await waits(after: 6, from: 3), "the fourth report has doubled the second")
      #expect(try await store.change(decide(.firstPost, .restore)) != .notFound)
      #expect(try await !waits(after: 7, from: 3))
      #expect(try await !waits(after: 8, from: 3), "one network")
      #expect(try await !waits(after: 9, from: 4))
      #expect(try await waits(after: 21, from: 5), "a guest's is the eighth report")
      #expect(try await store.change(decide(.firstPost, .restore)) != .notFound)
      #expect(try await !waits(after: 10, from: 3))
      #expect(try await !waits(after: 11, from: 4))
      #expect(try await !waits(after: 12, from: 4))
      #expect(try await waits(after: 13, from: 5), "the third network since the decision")
      #expect(try await store.post(1, for: 2) != nil)
    }
  }
}
