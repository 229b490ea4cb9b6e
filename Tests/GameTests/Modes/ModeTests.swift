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

  @Test("A mode's settings name that mode")
  func settings() {
    for mode in Mode.allCases { #expect(ModeSettings(mode).mode == mode) }
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
