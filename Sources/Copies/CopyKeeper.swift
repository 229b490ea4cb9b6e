// Copies pictures as they come, and deletes what the copy keeps no longer: old generations, and pictures that no kept
// one names. On a queue of its own, beside the deltas: a picture that takes long holds up no delta. It leaves a copy
// alone that is another server's.
// Decisions: 153, 160 (docs/decisions).
import Game
import Store

package final class CopyKeeper {
  /// The calls of one step, so that new pictures come before the rest of a long sweep.
  private static let callsMax = 32
  /// The folders of pictures, by the first two digits of their digests.
  private static let prefixes = (0..<256).map { number in
    let text = String(number, radix: 16)
    return text.utf8.count == 1 ? "0\(text)" : text
  }

  private let blobs: BlobFolder
  private let destination: any CopyDestination
  private let ownership: CopyOwnership
  private let settings: CopySettings
  private let arrivals: CopyArrivals
  private let progress: CopyProgress

  /// Folders of pictures that are still to be looked at.
  private var sweep: ArraySlice<String> = CopyKeeper.prefixes[...]
  /// Pictures that the store has and the copy lacks.
  private var missing: [BlobName] = []
  /// Pictures in the copy that the store has no longer, with the moment when that was first seen.
  private var absent: [String: Instant] = [:]
  /// Files that are still to be deleted, the last one first.
  private var doomed: [String] = []
  /// The beginning of the oldest generation that is kept, as its identifier begins.
  private var oldestKept: String?
  private var retry: CopyRetry

  package init(
    _ blobs: BlobFolder,
    to destination: any CopyDestination,
    _ ownership: CopyOwnership,
    _ settings: CopySettings,
    _ arrivals: CopyArrivals,
    _ progress: CopyProgress
  ) {
    (self.blobs, self.destination, self.ownership, self.settings) = (blobs, destination, ownership, settings)
    (self.arrivals, self.progress) = (arrivals, progress)
    retry = CopyRetry(settings)
  }

  /// Does a part of what there is to do. Returns the time until the next call.
  package func step(at now: Instant) -> Duration {
    guard ownership.isOwn else { return settings.interval / 4 }
    if let rest = retry.rest(at: now) { return rest }
    do throws(CopyFailure) {
      var calls = 0
      while calls < Self.callsMax, try advance(now) { calls += 1 }
      retry.succeeded()
      progress.update { figures in
        figures.failures[.pictures] = nil
        figures.waitingPictures = missing.count
      }
      return calls == Self.callsMax ? .zero : settings.interval / 4
    } catch {
      progress.update { figures in
        figures.failures[.pictures] = error.description
        figures.waitingPictures = missing.count
      }
      return retry.failed(at: now)
    }
  }

  /// Copies the pictures that have come, for a last time.
  package func finish(at now: Instant) {
    guard ownership.isOwn else { return }
    do throws(CopyFailure) {
      takeArrivals()
      while try copyPicture() {}
    } catch {
      progress.update { $0.failures[.pictures] = error.description }
    }
  }

  /// Does one thing; false where there is nothing to do.
  private func advance(_ now: Instant) throws(CopyFailure) -> Bool {
    takeArrivals()
    if try copyPicture() { return true }
    if arrivals.takeGeneration() {
      try review()
      return true
    }
    if let name = doomed.last {
      try destination.delete(name)
      doomed.removeLast()
      return true
    }
    guard let prefix = sweep.first else { return false }
    try look(at: prefix, now)
    sweep.removeFirst()
    return true
  }

  private func takeArrivals() {
    guard let names = arrivals.take() else {
      // Too many have come at once: the folders show them.
      sweep = Self.prefixes[...]
      return
    }
    missing += names.reversed()
  }

  private func copyPicture() throws(CopyFailure) -> Bool {
    guard let name = missing.last else { return false }
    let bytes: [UInt8]?
    do throws(StoreFailure) {
      bytes = try blobs.bytes(of: name)
    } catch {
      throw CopyFailure("\(error)")
    }
    // A picture that is gone was deleted meanwhile.
    if let bytes {
      try destination.put(CopyNames.picture(name), bytes)
      progress.update { $0.writtenBytes += bytes.count }
    }
    missing.removeLast()
    return true
  }

  /// Compares a folder of pictures with its copy.
  private func look(at prefix: String, _ now: Instant) throws(CopyFailure) {
    let folder = "\(CopyNames.media)/\(prefix)"
    let copied = Set(try destination.entries(in: folder).files)
    let names: [BlobName]
    do throws(StoreFailure) {
      names = try blobs.names(withPrefix: prefix)
    } catch {
      throw CopyFailure("\(error)")
    }
    missing += names.filter { !copied.contains($0.fileName) }
    let kept = Set(names.map(\.fileName))
    for name in copied where !kept.contains(name) {
      let since = absent["\(folder)/\(name)"] ?? now
      absent["\(folder)/\(name)"] = since
      guard let oldestKept, CopyNames.generation(at: since) < oldestKept else { continue }
      doomed.append("\(folder)/\(name)")
      absent["\(folder)/\(name)"] = nil
    }
    for name in names { absent["\(folder)/\(name.fileName)"] = nil }
  }

  /// Chooses the generations that go, behind a new one; then the folders of pictures are looked at again.
  private func review() throws(CopyFailure) {
    var generations: [StoredGeneration] = []
    for id in try destination.entries(in: CopyNames.generations).folders {
      generations.append(StoredGeneration(id, files: try destination.entries(in: CopyNames.folder(id)).files))
    }
    let kept = CopyRetention.kept(of: generations, settings)
    for generation in generations where !kept.contains(generation.id) {
      let folder = CopyNames.folder(generation.id)
      // The last one is deleted first: without it a generation is none.
      let names = generation.files.filter { $0 != CopyNames.whole } + [CopyNames.whole]
      doomed += names.map { "\(folder)/\($0)" }
    }
    oldestKept = kept.min()
    sweep = Self.prefixes[...]
  }
}
