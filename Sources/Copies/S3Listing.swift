// A page of the answer to ListObjectsV2. Pure.
//
// The answer is XML of a fixed form, and the names in it are the copy's own, so its elements are found by their tags.

struct S3Listing: Hashable, Sendable {
  /// The names of objects, and of folders with a slash at the end.
  private(set) var keys: [String] = []
  private(set) var prefixes: [String] = []
  /// The token for the next page; nil on the last one.
  private(set) var next: String?

  /// Reads an answer; nil for other texts.
  init?(_ xml: String) {
    guard xml.contains("<ListBucketResult"), xml.contains("</ListBucketResult>") else { return nil }
    for contents in Self.elements("Contents", in: xml[...]) {
      guard let key = Self.elements("Key", in: contents).first else { return nil }
      keys.append(Self.unescaped(key))
    }
    for common in Self.elements("CommonPrefixes", in: xml[...]) {
      guard let prefix = Self.elements("Prefix", in: common).first else { return nil }
      prefixes.append(Self.unescaped(prefix))
    }
    if Self.elements("IsTruncated", in: xml[...]).first == "true" {
      guard let token = Self.elements("NextContinuationToken", in: xml[...]).first else { return nil }
      next = Self.unescaped(token)
    }
  }

  /// The name of the error in another answer; nil where it names none.
  static func error(in xml: String) -> String? {
    elements("Code", in: xml[...]).first.map {
      String($0.prefix(60).filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }
  }

  /// The contents of all elements of a name, which does not occur inside itself.
  private static func elements(_ name: String, in text: Substring) -> [Substring] {
    var found: [Substring] = []
    var rest = text
    while let start = rest.firstRange(of: "<\(name)>"),
      let end = rest[start.upperBound...].firstRange(of: "</\(name)>")
    {
      found.append(rest[start.upperBound..<end.lowerBound])
      rest = rest[end.upperBound...]
    }
    return found
  }

  private static func unescaped(_ text: Substring) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&amp;", "&")].reduce(
      String(text)
    ) {
      $0.replacing($1.0, with: $1.1)
    }
  }
}
