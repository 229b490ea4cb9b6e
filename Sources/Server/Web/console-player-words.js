// The console's texts about players' addresses, in Korean and English.

export const playerWords = {
  addressBan: ["같은 주소의 새 손님도", "New guests of the same address too"],
  "addressBan.none": ["막지 않음", "let them in"],
  "addressBan.room": ["이 방({code})에서 막기", "keep them out of this room ({code})"],
  "addressBan.server": ["모든 곳에서 막기", "keep them out everywhere"],
  "addressBan.hint": [
    "지금 이 주소에서 다른 {n}명이 접속해 있습니다. 아는 사람들은 그대로 놀고 다시 올 수 있고, 새 손님만 추방이 끝날 때까지, 길어야 24시간 못 들어옵니다.",
    "{n} other players are connected from this address. Known ones stay and come back; only new guests are kept out, until the ban ends and for 24 hours at most.",
    "One other player is connected from this address. Known ones stay and come back; only new guests are kept out, until the ban ends and for 24 hours at most.",
  ],
  "addressBan.tag": ["주소의 새 손님 {time}까지", "its new guests until {time}"],
};
