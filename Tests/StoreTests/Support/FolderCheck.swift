// The check of a test's folder as a store's.
import Store
import TestSupport

extension TestFolder {
  /// The complaints of the check, except those of rooms' journals, which most tests don't really play.
  var complaints: [String] {
    get throws { try SQLiteStore.check(folder: path).filter { !$0.hasPrefix("room ") } }
  }
}
