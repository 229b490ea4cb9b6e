// Unicode's normal form C, in which letters that look the same are the same bytes, however a keyboard or a file system has
// composed them. Pure.

extension String {
  /// The text in normal form C.
  ///
  /// The standard library's own form of comparison, by the one name that it gives out: public and part of its binary
  /// interface, underscored for want of a proposal. `UTF8Span.checkForNFC` is the public word on it, which the tests ask.
  var normalFormC: String {
    // Twice: two of U+0F73, U+0F75 or U+0F81 in a row, which are no beginning of a letter and come apart, it brings
    // into their order only when they have come apart before.
    String(decoding: String(decoding: _nfcCodeUnits, as: UTF8.self)._nfcCodeUnits, as: UTF8.self)
  }
}
