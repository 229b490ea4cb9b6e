// Dates of HTTP's headers, read by libcurl: its three forms (RFC 9110, 5.6.7). Pure.
import CCurl

package enum HTTPDate {
  /// The seconds since 1970 of a date like `Sun, 06 Nov 1994 08:49:37 GMT`; nil for another text.
  package static func seconds(_ text: String) -> Int64? {
    // libcurl takes a number for a date without separators.
    guard text.utf8.contains(UInt8(ascii: ":")) else { return nil }
    let seconds = curl_getdate(text, nil)
    return seconds == -1 ? nil : Int64(seconds)
  }
}
