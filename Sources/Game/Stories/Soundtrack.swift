// The soundtrack of a post: sounds of the apps' catalogue by their numbers, never the sounds themselves. A plain value.

/// One sound with its volume.
package struct Sound: Hashable, Sendable {
  /// Its place in the catalogue.
  package var number: Int
  /// 0 to 100.
  package var volumePercent: Int

  package init(_ number: Int, volumePercent: Int) {
    self.number = number
    self.volumePercent = volumePercent
  }
}

/// One music at most, and up to three effects, each once.
package struct Soundtrack: Hashable, Sendable {
  package static let effectsMax = 3
  package static let musicNames = ["활기찬 축제", "설레는 피서", "나만의 공간", "낭만적인 밤", "조용한 사색", "오후의 티타임"]
  package static let effectNames = [
    "조용한 해변가", "고요한 숲 속", "산들바람", "장엄한 폭포", "한적한 길가", "혼잡한 번화가", "벽난로 앞", "비행기 안", "음식점 안",
  ]
  package static let silent = Soundtrack()

  /// By `musicNames`.
  package let music: Sound?
  /// By `effectNames`, in the author's order.
  package let effects: [Sound]

  private init() {
    (music, effects) = (nil, [])
  }

  /// Nil for a sound that is not in the catalogue, for a volume outside of 0 to 100, and for more than three effects or
  /// one twice.
  package init?(music: Sound?, effects: [Sound]) {
    guard effects.count <= Self.effectsMax, Set(effects.map(\.number)).count == effects.count,
      ([music].compactMap { $0 } + effects).allSatisfy({ (0...100).contains($0.volumePercent) }),
      music.map({ Self.musicNames.indices.contains($0.number) }) ?? true,
      effects.allSatisfy({ Self.effectNames.indices.contains($0.number) })
    else { return nil }
    (self.music, self.effects) = (music, effects)
  }

  package var isSilent: Bool { self == Self.silent }
  /// Whether it has a music and all three effects.
  package var isFull: Bool { music != nil && effects.count == Self.effectsMax }
}
