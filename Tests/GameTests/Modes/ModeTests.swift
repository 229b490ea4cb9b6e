// The names and numbers of modes, which journals, databases and clients hold.
import Game
import Testing

@Suite("Modes") struct ModeTests {
  @Test("A mode's number and name are permanent; a new mode has the next number")
  func numbers() {
    let modes = ["FOOTPRINT": 0, "TERRITORY": 1, "LAND": 2]
    #expect(Dictionary(uniqueKeysWithValues: Mode.allCases.map { ($0.name, $0.rawValue) }) == modes)
    #expect(Mode.allCases.map(\.rawValue) == Array(0..<Mode.allCases.count))
  }

  @Test("A room takes the settings of its own mode from a request, by default the mode's own")
  func settings() throws {
    let lands = LandSettings(lands: try TestLands.squares(2))
    let requested: [ModeSettings] = [.territory(TerritorySettings(arena: .standard, cutting: true)), .land(lands)]
    #expect(ModeSettings(.footprint, from: requested) == .footprint)
    #expect(ModeSettings(.territory, from: requested) == requested[0])
    #expect(ModeSettings(.land, from: requested) == requested[1])
    #expect(ModeSettings(.territory) == .territory(TerritorySettings()))
    for mode in Mode.allCases {
      #expect(ModeSettings(mode).mode == mode && ModeSettings(mode, from: requested).mode == mode)
    }
  }

  @Test("A room has the settings of its mode alone")
  func alone() throws {
    let plain = try RoomConfiguration()
    #expect(plain.arena == nil && !plain.cutting && plain.lands.isEmpty)
    let territory = try RoomConfiguration(mode: .territory(TerritorySettings(arena: .standard, cutting: true)))
    #expect(territory.arena == .standard && territory.cutting && territory.lands.isEmpty)
    let lands = try TestLands.squares(2)
    let land = try RoomConfiguration(mode: .land(LandSettings(lands: lands)))
    #expect(land.lands == lands && land.arena == nil && !land.cutting)
  }

  @Test("Settings are equal when their modes and values are")
  func equality() throws {
    let all: [ModeSettings] = [
      .footprint, .territory(TerritorySettings()), .territory(TerritorySettings(arena: .standard, cutting: true)),
      .land(LandSettings(lands: [])), .land(LandSettings(lands: try TestLands.squares(1))),
    ]
    for (index, settings) in all.enumerated() { #expect(all.firstIndex(of: settings) == index) }
    #expect(Set(all + all).count == all.count)
  }

  @Test(
    "Points have the unit of their mode",
    arguments: [
      (Mode.footprint, UInt32(3), "3"), (.territory, 25, "25 m²"), (.land, 1, "1 land"), (.land, 2, "2 lands"),
    ]
  )
  func units(_ mode: Mode, _ points: UInt32, _ text: String) {
    #expect(mode.text(ofPoints: points) == text)
  }
}
