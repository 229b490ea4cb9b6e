// Unicode's normal form C, in which letters that look the same are the same bytes, however a keyboard or a file system has
// composed them. Pure.

extension String {
  /// The text in normal form C.
  ///
  /// The standard library's own form of comparison, by the one name that it gives out: public and part of its binary
  /// interface, underscored for want of a proposal. `UTF8Span.checkForNFC` is the public word on it, which the tests ask.
  var normalFormC: String {
    String(decoding: _nfcCodeUnits, as: UTF8.self)
  }
}
