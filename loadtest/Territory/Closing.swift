// A path that has closed by its bot's calculation, and the cells that it must have taken.
//
// A value, compared with the server's message when that comes.
import Net

struct Closing {
  let since: Timestamp
  /// The path with the step that closed it.
  let path: WalkedPath
  /// The polygon that it goes around; nil for a path that came home.
  let loop: Polygon?
  /// The ground that it encloses with its player's own; nil for other paths.
  let enclosure: Enclosure?
  /// The cells that must be taken, however millimetres decide about those at the edge.
  let certain: [Int]
  /// The number of those that others held.
  let foreignCount: Int
  private let marginM: Double

  init(_ step: WalkedPath.Step, of path: WalkedPath, by seat: Int, on ground: GroundCopy, at now: Timestamp) {
    since = now
    self.path = path
    let marginM = max(3, ground.cellM / 2)
    self.marginM = marginM
    switch step {
    case .crossed(let polygon), .back(let polygon):
      loop = polygon
      enclosure = nil
      certain = Self.cells(in: polygon, marginM: marginM, on: ground)
    case .home, .open:
      let enclosure = Enclosure(path: path.points, by: seat, on: ground)
      loop = nil
      self.enclosure = enclosure
      certain = enclosure.certain
    }
    foreignCount = certain.count { ground.holder(of: $0).map { $0 != seat } ?? false }
  }

  private static func cells(in polygon: Polygon, marginM: Double, on ground: GroundCopy) -> [Int] {
    let (low, high) = polygon.bounds
    guard let first = ground.cell(at: low), let last = ground.cell(at: high) else { return [] }
    return (ground.row(of: first)...ground.row(of: last)).flatMap { row in
      (ground.column(of: first)...ground.column(of: last)).map { row * ground.side + $0 }
    }.filter { cell in
      let middle = ground.middle(of: cell)
      return polygon.contains(middle) && polygon.metresToEdge(from: middle) > marginM
    }
  }

  /// Whether it must be large enough to be taken (true) or can't be (false); nil when a millimetre decides.
  func isLarge(cellAreaM2: Double) -> Bool? {
    guard let enclosure else { return true }
    if Double(enclosure.certain.count) * cellAreaM2 >= 100 { return true }
    return Double(enclosure.certain.count + enclosure.doubtful.count) * cellAreaM2 < 100 ? false : nil
  }

  /// Whether it may take a cell.
  func mayTake(_ cell: Int, on ground: GroundCopy) -> Bool {
    if let enclosure { return enclosure.doubtful.contains(cell) || certain.contains(cell) }
    guard let loop else { return false }
    let middle = ground.middle(of: cell)
    return loop.contains(middle) || loop.metresToEdge(from: middle) <= marginM
  }
}

extension Closing: CustomStringConvertible {
  var description: String {
    enclosure != nil ? "home" : "around \(Int(loop?.areaM2 ?? 0)) m²"
  }
}
