// Bounds of the wire and the rules: the same numbers in both places.
import Game
import MadangProtocol
import Testing

@Suite struct BoundsTests {
  @Test("What the protocol promises about texts and chats is what the rules hold")
  func texts() {
    #expect(Limits.nicknameCharacters == 1...Nickname.charactersMax)
    #expect(Limits.nicknameBytesMax == Nickname.bytesMax)
    #expect(Limits.chatCharacters == 1...ChatText.charactersMax)
    #expect(Limits.announcementCharacters == 1...AnnouncementText.charactersMax)
    #expect(Limits.chatBytesMax == ChatText.bytesMax)
    #expect(Limits.chatBurst == Int(ChatRules.burst))
    #expect(1_000 / Limits.chatsPerSecond == Int(ChatRules.tokenMs))
  }

  @Test("What is told of missed events is reckoned as what a room keeps of them")
  func events() {
    #expect(Limits.missedEventBytesMax == EventRules.bytesMax)
    #expect(Limits.eventBytes == EventRules.eventBytes)
  }
}
