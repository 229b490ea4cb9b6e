// The texts that several of the players' pages share, in Korean and English. Each page has a file of its own for more.
import { isKorean } from "./language.js";

export const words = {
  tapHint: ["우리 학교를 위해 손가락을 모아요", "Tap for your school, with all your fingers"],
  capsulesTitle: ["공간캡슐", "Capsules"],
  capsulesHint: ["추억을 그 자리에 묻어요. 다시 그곳에 가야 열려요", "Bury a memory at its place. It opens only there"],
  FOOTPRINT: ["발자국", "Footprints"],
  FOOTPRINTHint: ["새로 밟은 자리마다 1점", "A point for each new place"],
  TERRITORY: ["땅따먹기", "Territory"],
  TERRITORYHint: ["걸어서 에워싼 땅이 내 땅", "Walk around ground, and it is yours"],
  LAND: ["학교 돌기", "Lands"],
  duration: ["시간", "Time"],
  upTo: ["{n}명", "{n}"],
  seconds: ["{n}초", "{n} s"],
  minutes: ["{n}분", "{n} min"],
  nickname: ["별명", "Nickname"],
  nicknameRefused: ["별명 ‘{name}’에 쓸 수 없는 말이 있어요. 다른 별명을 골라 주세요.", "Your nickname “{name}” has a word that can't be used here. Please choose another."],
  nicknameChange: ["별명 바꾸기", "Change it"],
  dice: ["다른 별명", "Another nickname"],
  positions: ["위치", "Position"],
  receiver: ["실제 위치", "My position"],
  practice: ["연습 걷기", "Practice"],
  practiceHint: ["화면에서 조이스틱으로", "A joystick on the screen"],
  needsHttps: ["보안 주소(https)에서만 쓸 수 있어요", "Only at a secure address (https)"],
  follow: ["내 위치로", "Follow me"],
  zoomIn: ["확대", "Zoom in"],
  zoomOut: ["축소", "Zoom out"],
  stick: ["조이스틱", "Joystick"],
  practiceTip: ["조이스틱, 방향키, 또는 땅을 눌러 걸어요", "Walk by joystick, arrow keys, or a tap on the ground"],
  close: ["닫기", "Close"],
  "line.late": ["서버의 답을 기다려요…", "Waiting for the server…"],
  "line.lost": ["다시 연결하는 중…", "Connecting again…"],
  "line.closing": ["서버가 다시 시작해요. 모두 그대로예요", "The server restarts. Everything is kept"],
  "line.restarting": ["서버가 다시 시작해요. 조금만요…", "The server restarts. One moment…"],
  "line.failing": ["서버가 잠시 쉬고 있어요. 조금만요…", "The server needs a moment. Please wait…"],
  weak: ["위치 신호가 약해요 (±{n} m)", "Weak signal (±{n} m)"],
  denied: ["위치를 쓸 수 없어 연습 걷기로 바꿨어요", "No position here: changed to practice"],
  elsewhereTitle: ["다른 창에서 놀고 있어요", "You play in another window"],
  elsewhereText: ["여기서 이어서 놀 수도 있어요.", "You can go on here instead."],
  elsewhereGo: ["여기서 계속하기", "Go on here"],
  removedTitle: ["운영자가 내보냈어요", "Removed by an operator"],
  removedText: ["다시 들어올 수 있지만, 있던 방에는 못 들어가요.", "You may come again, but not into the room where you were."],
  removedGo: ["계속하기", "Go on"],
  outdatedTitle: ["새로 고침이 필요해요", "Please reload"],
  outdatedText: ["서버가 새로워졌어요.", "The server has changed."],
  reload: ["새로 고침", "Reload"],
  home: ["처음으로", "Home"],
  announcementTitle: ["운영자 알림", "From the operators"],
  dismiss: ["알림 닫기", "Dismiss"],
  bannedTitle: ["이곳에서 놀 수 없어요", "You can't play here"],
  bannedUntil: ["운영자가 {time}까지 막았어요.", "An operator has shut you out until {time}."],
  bannedText: ["운영자가 막았어요.", "An operator has shut you out."],
  more: ["더 보기", "More"],
  "error.RATE_LIMITED": ["너무 빨라요. {seconds}초 뒤에 다시 해 주세요", "Too fast. Try again in {seconds} s"],
  "error.mayBeDone": ["서버가 아직 적지 못했어요. 곧 반영될 수 있어요", "The server has not written it yet. It may still be done"],
  "error.STORE_UNAVAILABLE": ["서버가 잠시 쉬고 있어요. {seconds}초 뒤에 다시 해 주세요", "The server needs a moment. Try again in {seconds} s"],
  "error.SHUTTING_DOWN": ["서버가 곧 다시 시작해요", "The server restarts soon"],
  "error.OVERLOADED": ["지금은 사람이 너무 많아요. {seconds}초 뒤에 다시 해 주세요", "The server is full at the moment. Try again in {seconds} s"],
  "error.OUT_OF_RANGE": ["쓸 수 없는 글자가 있거나 너무 길어요", "Too long, or it has characters that can't be used"],
  "error.WORD_REFUSED": ["쓸 수 없는 말이 있어요", "It has a word that can't be used here"],
  "error.OTHER": ["잘 되지 않았어요. 다시 해 주세요", "That did not work. Please try again"],
};

const nicknames = [
  [["날쌘", "푸른", "반가운", "용감한", "느긋한", "반짝이는", "씩씩한", "포근한"], ["다람쥐", "고라니", "두루미", "수달", "고슴도치", "여우", "참새", "너구리"]],
  [["Swift", "Blue", "Merry", "Brave", "Calm", "Bright", "Bold", "Cosy"], ["Squirrel", "Deer", "Crane", "Otter", "Hedgehog", "Fox", "Sparrow", "Raccoon"]],
];

export function drawNickname() {
  const [first, second] = nicknames[isKorean() ? 0 : 1];
  const pick = (list) => list[Math.floor(Math.random() * list.length)];
  return `${pick(first)} ${pick(second)}`;
}
