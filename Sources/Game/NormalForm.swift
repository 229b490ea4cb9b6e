// Unicode's normal form C, in which letters that look the same have the same bytes, whatever keyboard or file system
// composed them. Pure.

extension String {
  /// The text in normal form C.
  ///
  /// Uses the standard library's own form of comparison by its only exported name: public and part of the binary
  /// interface, underscored for want of a proposal. `UTF8Span.checkForNFC` is the public check, which the tests use.
  var normalFormC: String {
    // Twice: two of U+0F73, U+0F75 or U+0F81 in a row begin no letter and decompose. One pass orders only marks that an
    // earlier pass has decomposed.
    String(decoding: String(decoding: _nfcCodeUnits, as: UTF8.self)._nfcCodeUnits, as: UTF8.self)
  }
}
