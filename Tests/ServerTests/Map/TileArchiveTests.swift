// PMTiles archives: made-up ones, the one that ships, and damaged ones, which end as errors.
import SeededRandom
import Server
import TestSupport
import Testing
import WebSocket

@Suite struct TileArchiveTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func archive(_ bytes: [UInt8]) throws -> TileArchive {
    try folder.write(bytes, to: "map.pmtiles")
    return try TileArchive(folder.file("map.pmtiles"))
  }

  private func address(_ zoom: Int, _ column: Int, _ row: Int) throws -> TileAddress {
    try #require(TileAddress(zoom: zoom, column: column, row: row))
  }

  @Test("Tiles are numbered along the curve of the format")
  func numbers() throws {
    #expect(try address(0, 0, 0).number == 0)
    #expect(try [(0, 0), (0, 1), (1, 1), (1, 0)].map { try address(1, $0, $1).number } == [1, 2, 3, 4])
    #expect(try address(2, 0, 0).number == 5)
    // From the format's own tests.
    #expect(try address(12, 3_423, 1_763).number == 19_078_479)
    var first: UInt64 = 0
    for zoom in 0...6 {
      let side = 1 << zoom
      let numbers = try (0..<side * side).map { try address(zoom, $0 % side, $0 / side).number }
      #expect(Set(numbers) == Set(first..<first + UInt64(side * side)), "zoom \(zoom)")
      first += UInt64(side * side)
    }
    for (zoom, column, row) in [(-1, 0, 0), (27, 0, 0), (3, 8, 0), (3, 0, 8), (3, -1, 0)] {
      #expect(TileAddress(zoom: zoom, column: column, row: row) == nil)
    }
  }

  @Test("Each tile is found, with directories below directories or without", arguments: [nil, 1, 7, 1_000])
  func tiles(leafEntries: Int?) throws {
    var map = try MadeUpMap.world()
    map.leafEntries = leafEntries
    map.tiles.removeAll { $0.address.zoom == 3 && $0.address.column == 2 }
    let archive = try archive(map.bytes)
    // Twice: directories are kept.
    for _ in 0..<2 {
      for (address, bytes) in map.tiles { #expect(try archive.tile(address) == bytes) }
    }
    #expect(try archive.tile(address(3, 2, 5)) == nil)
    #expect(try archive.tile(address(4, 0, 0)) == nil)
  }

  @Test("Equal tiles in a row are one entry")
  func runs() throws {
    var map = MadeUpMap()
    let sea = Array("the same sea everywhere".utf8)
    for number in 0..<16 { map.tiles.append((try address(2, number % 4, number / 4), sea)) }
    let archive = try archive(map.bytes)
    for number in 0..<16 { #expect(try archive.tile(address(2, number % 4, number / 4)) == sea) }
    #expect(try archive.tile(address(1, 0, 0)) == nil)
    #expect(try archive.tile(address(3, 0, 0)) == nil)
  }

  @Test("The map that ships has tiles at each zoom, which another writer has made")
  func shipped() throws {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let archive = try TileArchive("/\(root)/Sources/Server/Streets/helsinki.pmtiles")
    for (zoom, column, row) in [(12, 2_331, 1_185), (14, 9_327, 4_742), (16, 37_309, 18_969)] {
      let tile = try #require(try archive.tile(address(zoom, column, row)))
      #expect(Gzip.decompress(tile, bytesMax: 1 << 20)?.isEmpty == false)
    }
    #expect(try archive.tile(address(16, 0, 0)) == nil)
  }

  @Test("A file that is no map is refused by what it is")
  func refused() throws {
    let whole = try MadeUpMap.world().bytes
    func complaint(_ index: Int, _ bytes: UInt8...) throws -> String {
      var damaged = whole
      damaged.replaceSubrange(index..<index + bytes.count, with: bytes)
      do {
        _ = try archive(damaged)
        return "it was taken"
      } catch let fault as MapFault {
        return fault.description
      }
    }
    #expect(try complaint(0, 0x51) == "it is no PMTiles file")
    #expect(try complaint(7, 2) == "it is a PMTiles file of version 2, not 3")
    #expect(try complaint(99, 2) == "its tiles are no vector tiles (MVT)")
    #expect(try complaint(98, 3) == "its tiles are compressed by brotli, not by gzip")
    #expect(try complaint(97, 4) == "its directories are compressed by zstd, not by gzip")
    #expect(try complaint(97, 2) == "a directory or the metadata are damaged")
    #expect(try complaint(100, 4) == "its zooms are 4 to 3")
    #expect(try complaint(101, 27) == "its zooms are 0 to 27")
    #expect(try complaint(64, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF) == "its tiles lie beyond its end")
    #expect(try complaint(105, 0x7F) == "its bounds are no place on earth")
    #expect(try complaint(127, 0xFF, 0x7F).hasPrefix("a directory says that it has"))
    for count in [0, 5, 126, 200] {
      #expect(throws: MapFault.self) { try archive(Array(whole.prefix(count))) }
    }
    #expect(throws: MapFault.self) { try TileArchive(folder.file("nowhere")) }
    #expect(throws: MapFault.self) { try TileArchive(folder.path) }
  }

  @Test("A file that is cut while it is open has errors, and no wrong tiles")
  func cut() throws {
    let map = try MadeUpMap.world()
    let whole = map.bytes
    let archive = try archive(whole)
    try folder.write(Array(whole.dropLast(100)), to: "map.pmtiles")
    var damaged = 0
    for (address, bytes) in map.tiles {
      do {
        #expect(try archive.tile(address) == bytes)
      } catch {
        damaged += 1
      }
    }
    #expect(damaged > 0)
  }

  @Test("Damaged bytes anywhere end as an error or as some tile", arguments: 0..<4 as Range<UInt64>)
  func damaged(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var map = try MadeUpMap.world()
    map.leafEntries = random.pick([nil, 3, 40])
    let whole = map.bytes
    let end = whole.count - map.tiles.reduce(0) { $0 + $1.bytes.count }
    for _ in 0..<250 {
      var damaged = whole
      for _ in 0...random.draw(0...3) {
        damaged[random.draw(0...end - 1)] = random.pick([0, 1, 0x7F, 0x80, 0xFF, UInt8(random.draw(0...255))])
      }
      if random.chance(20) { damaged.removeLast(random.draw(1...damaged.count)) }
      guard let archive = try? archive(damaged) else { continue }
      for (address, _) in map.tiles { _ = try? archive.tile(address) }
    }
  }

  @Test("What is unpacked has a bound, and damaged or further bytes are nothing")
  func unpacking() throws {
    let text = Array(String(repeating: "madang ", count: 1_000).utf8)
    let packed = try #require(Gzip.compress(text))
    #expect(Gzip.decompress(packed, bytesMax: text.count) == text)
    #expect(Gzip.decompress(packed, bytesMax: text.count - 1) == nil)
    #expect(Gzip.decompress(packed, bytesMax: 0) == nil)
    #expect(Gzip.decompress(Array(packed.dropLast()), bytesMax: 1 << 20) == nil)
    #expect(Gzip.decompress(packed + [0], bytesMax: 1 << 20) == nil)
    #expect(Gzip.decompress([], bytesMax: 10) == nil)
    for index in packed.indices {
      var damaged = packed
      damaged[index] ^= 0x55
      if let unpacked = Gzip.decompress(damaged, bytesMax: 1 << 20) { #expect(unpacked == text) }
    }
  }
}
