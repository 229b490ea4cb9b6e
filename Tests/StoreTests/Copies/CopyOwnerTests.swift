// One copy, and two servers that would write it: one does, and the other says so and leaves it alone.
import Copies
import Game
import Store
import TestSupport
import Testing

extension CopyTrial {
  /// The files of all generations, by their names.
  fileprivate var generationFiles: [String] {
    get throws {
      try destination.entries(in: CopyNames.generations).folders.flatMap { id in
        try destination.entries(in: "\(CopyNames.generations)/\(id)").files.map { "\(id)/\($0)" }
      }
    }
  }

  fileprivate func takeOver() throws {
    try CopyOwner(folder: try CopyOwner.identifier(of: data.path), start: nil).write(to: destination)
  }
}

@Suite("The owner of a copy")
struct CopyOwnerTests {
  @Test("A second server writes nothing into a copy, until it is taken over for it; then the first writes no more")
  func takeover() async throws {
    let first = try CopyTrial()
    try await first.store.commit([(RoomID(1), [1])], RoomChange.open(room(1)))
    try first.becomeWhole()
    let files = try first.generationFiles
    let second = try CopyTrial(sharing: first.place)
    try await second.store.commit([(RoomID(2), [2])], RoomChange.open(room(2)))
    second.step(60)
    second.stepPictures()
    #expect(second.events.isEmpty && second.status.age > .seconds(30))
    #expect(second.status.failure?.contains("another server has the copy for itself") == true)
    #expect(second.status.isAnothers && !first.status.isAnothers)
    #expect(try first.generationFiles == files)
    // The first notices nothing.
    try await first.store.commit([(RoomID(1), [3])])
    first.step(30)
    #expect(first.status.failure == nil && first.status.age == .zero)

    try second.takeOver()
    try second.becomeWhole()
    #expect(second.status.failure == nil && !second.status.isAnothers)
    first.step(30)
    #expect(first.status.failure?.contains("another server has the copy for itself") == true && first.status.isAnothers)
    let then = try first.generationFiles
    try await first.store.commit([(RoomID(1), [4])])
    first.step(60)
    first.stepPictures()
    first.end()
    #expect(try first.generationFiles == then)
    // A server that has lost its copy begins anew when it gets it back.
    second.end()
    let restored = try TestFolder()
    let point = try second.copy.restore(to: restored.file("restored"))
    #expect(second.events == [.becameWhole(generation: point.generation)])
  }

  @Test("A copy goes on with the next start on the same folder; a folder that was copied whole is another server's")
  func starts() async throws {
    let trial = try CopyTrial()
    try await trial.store.commit([(RoomID(1), [1])], RoomChange.open(room(1)))
    try trial.becomeWhole()
    // Only one server at a time has a folder, so this is one on a copy of it.
    let twin = CopyOwnership(of: trial.data.path, to: trial.destination)
    try twin.confirm()
    trial.step(30)
    #expect(trial.status.failure?.contains("another server has the copy for itself") == true)
    try twin.confirm()
    try trial.takeOver()
    trial.step(90)
    #expect(trial.status.failure == nil)
    #expect(throws: CopyFailure.self) { try twin.confirm() }
    trial.end()
  }

  @Test("Only a data folder that has never had a copy is a stranger to one, and only where somebody owns it")
  func strangers() throws {
    let trial = try CopyTrial()
    let new = try TestFolder()
    #expect(CopyOwner.stranger(at: FolderDestination(new.file("copy")), for: new.path) == nil)
    let own = try CopyOwner.identifier(of: trial.data.path)
    #expect(CopyOwner.stranger(at: trial.destination, for: new.path)?.folder == own)
    #expect(CopyOwner.stranger(at: trial.destination, for: trial.data.path) == nil)
    // To ask changes nothing.
    #expect(try CopyOwner.identifier(in: new.path) == nil)
    // What can't be looked at is tried again later.
    try trial.destination.put("owner", Array("nonsense".utf8))
    #expect(CopyOwner.stranger(at: trial.destination, for: new.path) == nil)
    try trial.takeOver()
    _ = try CopyOwner.identifier(of: new.path)
    #expect(CopyOwner.stranger(at: trial.destination, for: new.path) == nil)
  }

  @Test("A damaged name of an owner stops the copy, and says what to do")
  func damaged() throws {
    let trial = try CopyTrial()
    for text in ["", "nonsense", "00 -", "\(String(repeating: "g", count: 32)) -"] {
      try trial.destination.put("owner", Array(text.utf8))
      trial.step(120)
      #expect(trial.status.failure?.contains("madang take-over") == true, "\(text)")
    }
    try trial.takeOver()
    trial.step(120)
    #expect(trial.status.failure == nil)
  }
}
