// The preferences in a request: compression or not, the copy that the client already has (RFC 9110 §12.5.3, §13.1.2),
// and the origin of the request. Pure functions of the head; unreadable fields count as absent.

extension RequestHead {
  /// Whether the answer may be compressed by gzip.
  package var acceptsGzip: Bool {
    var byStar = false
    for element in headers.listElements(of: "Accept-Encoding") {
      let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      guard let coding = parts.first else { continue }
      let accepts = !parts.dropFirst().contains(where: Self.isZeroWeight)
      if HTTPGrammar.equalIgnoringCase(coding, "gzip") { return accepts }
      if coding == "*" { byStar = accepts }
    }
    return byStar
  }

  /// Whether the client has the answer with this entity tag, written with its quotes: weak comparison.
  package func hasCopy(tagged tag: String) -> Bool {
    headers.listElements(of: "If-None-Match").contains { element in
      element == "*" || (element.hasPrefix("W/") ? element.dropFirst(2) : element[...]) == tag
    }
  }

  /// `q=0`, with any allowed number of zeros behind the point: "not this one".
  private static func isZeroWeight(_ parameter: String) -> Bool {
    let weight = parameter.lowercased()
    return weight.hasPrefix("q=0") && weight.dropFirst(3).allSatisfy { $0 == "." || $0 == "0" }
  }

  /// Whether a page of another origin has caused this. Browsers say so (W3C, Fetch Metadata); other clients say
  /// nothing, or anything.
  package var isOfForeignPage: Bool {
    guard let site = values(of: "Sec-Fetch-Site").first else { return false }
    return site != "same-origin" && site != "none"
  }

  /// Whether a page of another origin embeds this, as a picture or the like, so that no user has opened it.
  package var isForeignEmbedding: Bool {
    guard isOfForeignPage else { return false }
    guard values(of: "Sec-Fetch-Mode").first == "navigate" else { return true }
    // Frames and objects navigate too; only a page in a window of its own is a document.
    guard let destination = values(of: "Sec-Fetch-Dest").first else { return false }
    return destination != "document"
  }
}
