// A page of rows, out of one more than it may have: only so is it known whether there are more.
//
// A value.

struct Page<Row> {
  let rows: ArraySlice<Row>
  /// Where the next page goes on; nil when this is the last one.
  let lastOfMore: Row?

  /// `rows` were asked for with a limit of one more.
  init(_ rows: [Row], limit: Int) {
    self.rows = rows.prefix(limit)
    lastOfMore = rows.count > limit ? self.rows.last : nil
  }
}
