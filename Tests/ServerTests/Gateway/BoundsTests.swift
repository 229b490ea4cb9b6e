// Bounds of the wire and the rules: the same numbers in both places.
import Game
import MadangProtocol
import Testing

@Suite struct BoundsTests {
  @Test("The protocol's limits of texts and chats equal those of the rules")
  func texts() {
    #expect(Limits.nicknameCharacters == 1...Nickname.charactersMax)
    #expect(Limits.nicknameBytesMax == Nickname.bytesMax)
    #expect(Limits.chatCharacters == 1...ChatText.charactersMax)
    #expect(Limits.announcementCharacters == 1...AnnouncementText.charactersMax)
    #expect(Limits.chatBytesMax == ChatText.bytesMax)
    #expect(Limits.landNameCharacters == 1...Land.nameCharactersMax)
    #expect(Limits.chatBurst == Int(ChatRules.rate.burst))
    #expect(1_000 / Limits.chatsPerSecond == Int(ChatRules.rate.tokenMs))
  }

  @Test("The protocol and the room count the bytes of missed events alike")
  func events() {
    #expect(Limits.missedEventBytesMax == EventRules.bytesMax)
    #expect(Limits.eventBytes == EventRules.eventBytes)
  }
}
