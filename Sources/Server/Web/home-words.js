// The texts of the start page, in Korean and English, beside those of `words.js`.

export const homeWords = {
  tagline: ["함께 뛰노는 진짜 마당", "Games on real ground, together"],
  makeRoom: ["방 만들기", "Make a room"],
  makeRoomHint: ["친구에게 QR을 보여 주면 바로 함께해요", "Show friends the QR, and they are in"],
  haveCode: ["코드로 참여", "Join by code"],
  code: ["방 코드", "Room code"],
  go: ["들어가기", "Go"],
  tapTitle: ["학교 대항 탭", "Schools tap race"],
  storiesTitle: ["이야기", "Stories"],
  storiesHint: ["다녀온 곳의 사진과 이야기를 나눠요", "Share pictures and stories of where you have been"],
  runsTitle: ["혼자 하기", "Solo runs"],
  runsHint: ["땅 둘레를 돌아 기록을 남겨요", "Run around a land against the clock"],
  meTitle: ["내 기록", "My records"],
  meHint: ["배지, 이번 주의 걸음, 지난 놀이", "Badges, the week's walks, past games"],
  mode: ["놀이", "Game"],
  capacity: ["인원", "Players"],
  consent: ["들어올 사람은 내가 정하기", "I let each player in"],
  closedTitle: ["방이 닫혔어요", "The room was closed"],
  closedText: ["운영자가 방을 닫았어요. 다른 방에서 다시 만나요.", "An operator has closed the room you were in."],
  keepsNothing: ["이 브라우저는 아무것도 기억하지 못해 방을 만들 수 없어요. 쿠키를 허용해 주세요.", "This browser keeps nothing, so it can't make a room. Allow cookies, please."],
  "error.BAD_CODE": ["코드를 다시 확인해 주세요", "Please check the code"],
};
