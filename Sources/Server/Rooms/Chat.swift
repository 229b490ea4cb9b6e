// The request to chat.
//
// Part of `Rooms`, on the shard's queue. The rules of chats are in `Game` (RoomChat.swift).
// Decisions: 074 (docs/decisions).
import Game
import Gateway
import MadangProtocol

extension Rooms {
  func chat(_ wire: WireChatRequest, _ request: PlayerRequest) {
    guard gateway.allowsWriting(request) else { return }
    // A room judges all texts by the rule at its journal's beginning; a text typed today must also pass today's.
    if request.session.room != nil {
      do throws(TextFault) {
        _ = try ChatText(wire.text)
      } catch {
        return request.refuse(.badText(error.description))
      }
    }
    ask(request) { .chat($0, text: wire.text) }
  }
}
