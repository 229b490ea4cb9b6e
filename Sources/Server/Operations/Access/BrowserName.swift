// A browser in short, for the list of sessions: what it says of itself, in a few words. Pure.

enum BrowserName {
  /// In the order in which they are looked for: most browsers also name others.
  private static let browsers = [
    ("Edg/", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Whale/", "Whale"),
    ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ("curl/", "curl"),
  ]
  private static let systems = [
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"), ("Linux", "Linux"),
  ]

  /// Empty for a client that is none of the known ones: nothing of a stranger's text is kept.
  static func short(_ userAgent: String) -> String {
    let find: ([(String, String)]) -> String? = { names in names.first { userAgent.contains($0.0) }?.1 }
    return [find(browsers), find(systems)].compactMap { $0 }.joined(separator: ", ")
  }
}
