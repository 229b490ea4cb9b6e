// Rooms that servers of older rules have written are read by these.
import Foundation
import Game
import Testing

@Suite("Older rules")
struct OlderRulesTests {
  /// The journal of a room by version 6: two players and a late comer in a running game, with snapshots.
  private static let journal = """
    AQAyANeFzsyhNAYABMDPJAIAAAHUYXh4BcSllLKL1f3uPQIACAH+POAGi/WVmvJ0zXJD/QEUAQgB/jzgBov1lZrydM1yQ/0CcDAsipc8AQEY\
    AoyGzsyhNBigR0vf6L0bt8sjhz+aObwBFAEYoEdL3+i9G7fLI4c/mjm8AnAxC3lgxgEC0gEPlYfOzKE0BgAEwM8kAgAAAdRheHgFxKWUsovV\
    /e49jIbOzKE0AAA1NQAAAAAAAwAAAgIBCAH+POAGi/WVmvJ0zXJD/QEBNQABAIgn3JXOzKE0ARigR0vf6L0bt8sjhz+aObwCAgAAAwCIJ9yV\
    zsyhNAAAAQIAAAAA0A/clc7MoTQAAAAAAAAAAADoB9yVzsyhNAAAAACk6APclc7MoTQAAAAAAADQD9yVzsyhNAAAAAAAAAAAAOgH3JXOzKE0\
    AAAAAKToA9yVzsyhNAAAAAAGAAAoAggB/jzgBov1lZrydM1yQ/0CcDACGKBHS9/ovRu3yyOHP5o5vAJwMbvgwzIBAxgCw4fOzKE0oNQHGl4j\
    60/kjQ1G7T9EbgEUAaDUBxpeI+tP5I0NRu0/RG4CcDKGjEASAQQdEfiHzsyhNABoMWQWIE6vSwURCgJoMWQWqGGvSwUAzpJajgEFERHuj87M\
    oTQAJDRkFiBOr0sFANAd2o8BBhER+I/OzKE0AiQ0ZBaoYa9LBQAygJiIAQcREeOXzsyhNADgNmQWIE6vSwUADyMQWgEIERHll87MoTQC4DZk\
    Fqhhr0sFAKlVBl8BCRER0p/OzKE0AJw5ZBYgTq9LBQDDFuN1AQoREdOfzsyhNAKcOWQWqGGvSwUA4GQKJwELERG9p87MoTQAWDxkFiBOr0sF\
    APtVxBMBDBERvqfOzKE0Alg8ZBaoYa9LBQBCgA3vAQ0REayvzsyhNAAUP2QWIE6vSwUAa9uL8gEOERGwr87MoTQCFD9kFqhhr0sFABtPyTMB\
    DxER1LfOzKE0ANBBZBYgTq9LBQDT0A+IARAREdW3zsyhNALQQWQWqGGvSwUAmDL8JwERERHBv87MoTQAjERkFiBOr0sFAJkuMHsBEhERyb/O\
    zKE0AoxEZBaoYa9LBQAty6CWARMREbjHzsyhNABIR2QWIE6vSwUArfxmpgEUERG4x87MoTQCSEdkFqhhr0sFAGFHUPMBFRERsM/OzKE0AARK\
    ZBYgTq9LBQAEItASARYREbzPzsyhNAIESmQWqGGvSwUALCf0NA==
    """

  @Test("A room of version 6 is read, and nobody in it watches alone")
  func versionSix() throws {
    let bytes = [UInt8](try #require(Data(base64Encoded: Self.journal)))
    let recovery = try #require(try RoomRecovery(from: bytes))
    #expect(recovery.rulesVersion == 6 && recovery.loss == nil)
    let room = recovery.room
    #expect(room.phase == .playing && room.gameNumber == 1)
    #expect(room.members.map(\.nickname) == ["p0", "p1", "p2"])
    #expect(room.members.map(\.place) == [.seat(0), .seat(1), .spectator(0)])
    #expect(room.members.allSatisfy { !$0.isWatching })
    // From here on the room is written by these rules.
    var journal = JournalWriter(nextChunk: recovery.nextChunk)
    journal.append(snapshotOf: room, at: room.nextDeadline ?? Instant(milliseconds: 1_800_000_000_000))
    var written: [UInt8] = []
    journal.take(into: &written)
    let again = try #require(try RoomRecovery(from: written))
    #expect(again.rulesVersion == RulesVersion.current)
    #expect(again.room.members == room.members)
  }
}
