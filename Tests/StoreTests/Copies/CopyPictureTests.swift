// Pictures in a streamed copy, its old generations, and data folders that are made of it.
import Copies
import Game
import Store
import TestSupport
import Testing

@Suite("Pictures and old generations of a copy")
struct CopyPictureTests {
  /// A store with a player and a post with a picture that was there before the copy.
  private func trial(_ settings: CopySettings = .quick) async throws -> CopyTrial {
    let trial = try CopyTrial(settings)
    try await trial.store.greet(1...1)
    try await write(1, in: trial)
    return trial
  }

  private func write(_ number: UInt128, in trial: CopyTrial) async throws {
    try await trial.store.addPicture(number, of: 1)
    var written = post(number)
    written.pictures = [MediaID(number)]
    try await trial.store.write(written)
  }

  private func pictures(_ trial: CopyTrial) throws -> [String] {
    try trial.destination.entries(in: "media").folders.flatMap {
      try trial.destination.entries(in: "media/\($0)").files
    }
  }

  @Test("A data folder that is made of a copy has its pictures, and a server's rules find no fault in it")
  func restored() async throws {
    let trial = try await trial()
    try trial.becomeWhole()
    trial.stepPictures()
    try await write(2, in: trial)
    trial.step()
    trial.stepPictures()
    #expect(try pictures(trial).count == 2 * MediaSize.allCases.count)
    trial.end()
    let (checked, target) = (try TestFolder(), try TestFolder())
    let check = try CopyRestoration.check(trial.copy, in: checked.path)
    #expect(check.complaints == [] && check.missingPictures == 0)
    #expect(checked.names == ["madang.lock"])
    let outcome = try CopyRestoration.restore(trial.copy, to: target.path)
    #expect(outcome == check)
    #expect(try target.complaints == [])
    let store = try SQLiteStore(folder: target.path)
    #expect(try Set(store.blobNames()) == Set(trial.store.blobNames()))
    store.close()
    // A folder with a store is left alone.
    #expect(throws: StoreFailure.self) { try CopyRestoration.restore(trial.copy, to: target.path) }
  }

  @Test("A picture that the copy lacks is counted, and the rest is restored")
  func missing() async throws {
    let trial = try await trial()
    try trial.becomeWhole()
    trial.stepPictures()
    let name = try #require(pictures(trial).first)
    try trial.destination.delete("media/\(name.prefix(2))/\(name)")
    trial.end()
    let target = try TestFolder()
    let outcome = try CopyRestoration.restore(trial.copy, to: target.path)
    #expect(outcome.complaints == [] && outcome.missingPictures == 1)
    #expect(target.names.contains("madang.sqlite"))
  }

  @Test("Old generations are deleted, and deleted pictures once no kept generation can name them")
  func retention() async throws {
    var settings = CopySettings.quick
    settings.generationSpan = .seconds(7_200)
    settings.generationsKept = 2
    let trial = try await trial(settings)
    try trial.becomeWhole()
    trial.stepPictures()
    #expect(try pictures(trial).count == MediaSize.allCases.count)
    // The picture's post and the picture go.
    try await trial.store.delete(PlayerID(1))
    try await trial.store.maintain()
    #expect(try trial.store.blobNames() == [])
    for round in 1...4 {
      trial.pass(.seconds(7_201))
      try trial.becomeWhole()
      trial.stepPictures(100)
      #expect(try trial.destination.entries(in: "generations").folders.count == 2)
      if round == 1 { #expect(try pictures(trial).count == MediaSize.allCases.count) }
    }
    #expect(try pictures(trial) == [])
    trial.end()
    #expect(try trial.restored().count > 0)
  }
}
