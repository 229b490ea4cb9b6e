// The order in which rooms forget players under deletion.
import Game
import Gateway
import MadangProtocol
import Server
import Testing

@Suite("Rooms take turns to forget players") struct RoomErasuresTests {
  private let erasures = RoomErasures()
  private let first = PlayerID(1)
  private let second = PlayerID(2)
  private let third = PlayerID(3)

  private static func room(_ number: UInt64) -> RoomPlace { RoomPlace(code: RoomCode(drawing: number), shard: 0) }

  /// Surveys players with the numbers and bytes of the rooms that know them.
  ///
  /// - Returns: whether erasing has to begin.
  private func survey(_ players: [PlayerID: [UInt64: Int]]) -> Bool {
    for player in players.keys.sorted() { _ = erasures.add(player) {} }
    #expect(erasures.beginSurvey() == Set(players.keys))
    for (player, rooms) in players {
      for room in rooms.sorted(by: { $0.key < $1.key }) {
        erasures.note(Self.room(room.key), bytes: room.value, knownPlayers: [player])
      }
    }
    return erasures.endSurvey().begins
  }

  /// Ends the turn of the next room.
  ///
  /// - Returns: the room, the players whom it has forgotten, and the number of players who are gone with that.
  private func turn() -> (place: RoomPlace, players: [PlayerID], gone: Int)? {
    erasures.nextRoom().map { place, players in
      (place, players, erasures.endTurn(of: place, forgotten: players).count)
    }
  }

  @Test("Turns alternate between the player with the least to write and the one who has waited longest")
  func turns() {
    #expect(survey([first: [1: 50, 2: 50, 3: 50]]))
    #expect(!survey([second: [4: 40, 5: 40]]), "turns are already under way")
    let rooms = (0..<5).map { _ in turn()?.place }
    let (wide, narrow) = ([3, 2, 1].map(Self.room), [5, 4].map(Self.room))
    #expect(rooms == [narrow[0], wide[0], narrow[1], wide[1], wide[2]])
    #expect(turn() == nil)
  }

  @Test("A room erases all waiting players in one turn")
  func together() {
    #expect(survey([first: [1: 50], second: [1: 50]]))
    let turn = turn()
    #expect(turn?.players == [first, second] && turn?.gone == 2)
  }

  @Test("A player found by a survey during a room's turn waits for that room's next turn")
  func duringTurn() throws {
    #expect(survey([first: [1: 50]]))
    let (place, players) = try #require(erasures.nextRoom())
    #expect(!survey([second: [1: 50]]))
    #expect(erasures.endTurn(of: place, forgotten: players).count == 1)
    let turn = turn()
    #expect(turn?.place == place && turn?.players == [second] && turn?.gone == 1)
  }

  @Test("A room erases a bounded number of players in a turn and the others in later ones")
  func crowd() {
    let crowd = (1...100).map { PlayerID(UInt128($0)) }
    #expect(survey(Dictionary(uniqueKeysWithValues: crowd.map { ($0, [7: 50]) })))
    var forgotten: [PlayerID] = []
    while let turn = turn() {
      #expect(turn.players.count <= 32 && turn.gone == turn.players.count)
      forgotten += turn.players
    }
    #expect(forgotten == crowd)
  }

  @Test(
    "Players unknown to every room are done after the survey; if no room is left, a later survey starts the turns again"
  )
  func begins() {
    _ = erasures.add(first) {}
    _ = erasures.beginSurvey()
    let (completions, begins, _) = erasures.endSurvey()
    #expect(completions.count == 1 && !begins)
    #expect(erasures.beginSurvey().isEmpty)
    #expect(survey([second: [1: 50]]))
    #expect(turn()?.gone == 1)
    #expect(turn() == nil)
    #expect(survey([third: [1: 50]]))
  }
}
