// Every word that players read, in Korean and English. Elements with `data-say` are filled by their key, `data-say-label` and
// `data-say-hint` name a label for those who hear the page, and a placeholder.
import { keep, kept } from "./device.js";

const words = {
  tagline: ["함께 뛰노는 진짜 마당", "Games on real ground, together"],
  makeRoom: ["방 만들기", "Make a room"],
  makeRoomHint: ["친구에게 QR을 보여 주면 바로 함께해요", "Show friends the QR, and they are in"],
  haveCode: ["코드로 참여", "Join by code"],
  code: ["방 코드", "Room code"],
  go: ["들어가기", "Go"],
  tapTitle: ["학교 대항 탭", "Schools tap race"],
  tapHint: ["우리 학교를 위해 손가락을 모아요", "Tap for your school, with all your fingers"],
  mode: ["놀이", "Game"],
  FOOTPRINT: ["발자국", "Footprints"],
  TERRITORY: ["땅따먹기", "Territory"],
  LAND: ["학교 돌기", "Lands"],
  FOOTPRINTHint: ["새로 밟은 자리마다 1점", "A point for each new place"],
  TERRITORYHint: ["걸어서 에워싼 땅이 내 땅", "Walk around ground, and it is yours"],
  LANDHint: ["먼저 한 바퀴 돌면 내 땅", "Be the first around a land"],
  duration: ["시간", "Time"],
  capacity: ["인원", "Players"],
  upTo: ["{n}명", "{n}"],
  seconds: ["{n}초", "{n} s"],
  minutes: ["{n}분", "{n} min"],
  nickname: ["별명", "Nickname"],
  dice: ["다른 별명", "Another nickname"],
  invited: ["초대받은 방", "You are invited to room"],
  positions: ["위치", "Position"],
  receiver: ["실제 위치", "My position"],
  receiverHint: ["밖에서 걸으며 놀아요", "Walk outdoors"],
  practice: ["연습 걷기", "Practice"],
  practiceHint: ["화면에서 조이스틱으로", "A joystick on the screen"],
  needsHttps: ["이 주소에서는 실제 위치를 쓸 수 없어요", "Not possible at this address"],
  join: ["참여하기", "Join"],
  byApp: ["앱으로 참여하기", "Join with the app"],
  byAppHint: ["앱에서 이 QR을 찍거나 코드를 입력하세요.", "Scan this QR in the app, or type the code."],
  lobby: ["대기실", "Lobby"],
  share: ["친구 부르기", "Call friends"],
  copy: ["주소 복사", "Copy address"],
  send: ["보내기", "Send"],
  copied: ["주소를 복사했어요", "Address copied"],
  players: ["함께하는 사람", "Players"],
  you: ["나", "you"],
  hostMark: ["방장", "host"],
  heldMark: ["연결 끊김", "away"],
  watching: ["구경 {n}명", "{n} watching"],
  start: ["시작하기", "Start"],
  needTwo: ["두 명부터 시작할 수 있어요", "It takes two to start"],
  waitHost: ["{name} 님이 시작하기를 기다려요", "Waiting for {name} to start"],
  youWatch: ["자리가 나면 다음 판부터 함께해요. 지금은 구경 중!", "You are watching. The next game has a seat for you if one is free."],
  leave: ["나가기", "Leave"],
  left: ["남은 시간", "Time left"],
  points: ["{n}점", "{n} pts"],
  area: ["{n} m²", "{n} m²"],
  lands: ["{n}곳", "{n} lands"],
  standings: ["순위", "Standings"],
  follow: ["내 위치로", "Follow me"],
  everyone: ["모두 보기", "Show everyone"],
  zoomIn: ["확대", "Zoom in"],
  zoomOut: ["축소", "Zoom out"],
  stick: ["조이스틱", "Joystick"],
  practiceTip: ["조이스틱, 방향키, 또는 땅을 눌러 걸어요", "Walk by joystick, arrow keys, or a tap on the ground"],
  arenaWaits: ["{name} 님의 첫 위치를 기다려요", "Waiting for {name}'s first position"],
  chat: ["이야기", "Chat"],
  chatHint: ["한마디…", "Say something…"],
  chatNone: ["아직 아무도 말하지 않았어요", "Nobody has said anything yet"],
  withheld: ["차단한 사람의 말", "hidden: somebody you blocked"],
  close: ["닫기", "Close"],
  won: ["이겼어요!", "You won!"],
  rank: ["{n}등", "No. {n}"],
  over: ["놀이가 끝났어요", "The game is over"],
  again: ["한 판 더", "Play again"],
  againSoon: ["{n}초 뒤 대기실로 돌아가요", "Back to the lobby in {n} s"],
  notCompleted: ["중간에 나감", "left early"],
  line: ["다시 연결하는 중…", "Connecting again…"],
  joined: ["{name} 님이 들어왔어요", "{name} came in"],
  leftRoom: ["{name} 님이 나갔어요", "{name} left"],
  newHost: ["{name} 님이 방장이에요", "{name} is the host now"],
  begin: ["시작!", "Go!"],
  captured: ["{name} 님이 {n} m²를 차지했어요", "{name} took {n} m²"],
  capturedMine: ["{n} m²를 차지했어요!", "You took {n} m²!"],
  capturedLand: ["{name} 님이 {land}을(를) 차지했어요", "{name} took {land}"],
  badge: ["새 배지를 받았어요!", "You have a new badge!"],
  suspect: ["위치가 이상해서 점수를 잠시 멈췄어요. 계속 걸으면 돌아와요", "Your position looks odd, so points wait a moment. Just walk on"],
  trusted: ["다시 점수를 셉니다", "Points count again"],
  TOO_FAST: ["너무 빨라서 세지 않았어요", "Too fast: not counted"],
  MOCKED: ["가짜 위치는 셀 수 없어요", "A made-up position does not count"],
  OFF_THE_MAP: ["지도 밖이에요", "Off the map"],
  fixOther: ["위치 하나를 세지 못했어요", "One position was not counted"],
  OPEN: ["길이 시작됐어요. 에워싸 보세요!", "Your path has begun: go around!"],
  OUTSIDE_ARENA: ["경기장 밖으로 나가 길이 사라졌어요", "Outside the arena: your path is gone"],
  TOO_LONG: ["길이 너무 오래되어 사라졌어요", "Your path took too long"],
  CUT: ["누가 내 길을 끊었어요!", "Somebody cut your path!"],
  SUSPECTED: ["길이 사라졌어요", "Your path is gone"],
  TOO_SMALL: ["조금 더 크게 돌아 보세요", "Too small: go around more"],
  runFar: ["땅 가까이 가면 시작돼요", "Go near a land to begin"],
  runOn: ["{visited} / {needed}", "{visited} / {needed}"],
  runWarned: ["너무 멀어졌어요. 돌아오세요!", "Too far away: come back!"],
  runGivenUp: ["도전이 끝났어요", "The run is over"],
  weak: ["위치 신호가 약해요 (±{n} m)", "Weak signal (±{n} m)"],
  denied: ["위치를 쓸 수 없어 연습 걷기로 바꿨어요", "No position here: changed to practice"],
  missing: ["위치를 찾는 중이에요", "Looking for your position"],
  goneTitle: ["방이 없어졌어요", "This room is gone"],
  goneText: ["모두 나갔거나 끝난 방이에요.", "Everybody has left it."],
  otherTitle: ["다른 방에 있어요", "You are in another room"],
  otherText: ["그 방에서 나와 이 방에 들어갈까요?", "Leave it and come into this one?"],
  otherGo: ["이 방으로 옮기기", "Come into this room"],
  otherBack: ["그 방으로 돌아가기", "Back to that room"],
  elsewhereTitle: ["다른 창에서 놀고 있어요", "You play in another window"],
  elsewhereText: ["여기서 이어서 놀 수도 있어요.", "You can go on here instead."],
  elsewhereGo: ["여기서 계속하기", "Go on here"],
  removedTitle: ["운영자가 내보냈어요", "Removed by an operator"],
  removedText: ["", ""],
  outdatedTitle: ["새로 고침이 필요해요", "Please reload"],
  outdatedText: ["서버가 새로워졌어요.", "The server has changed."],
  reload: ["새로 고침", "Reload"],
  home: ["처음으로", "Home"],
  keepsNothing: ["이 브라우저는 아무것도 기억하지 못해 방을 만들 수 없어요. 쿠키를 허용해 주세요.", "This browser keeps nothing, so it can't make a room. Allow cookies, please."],
  chooseSchool: ["우리 학교 고르기", "Choose your school"],
  schoolName: ["학교 이름", "Name of the school"],
  region: ["지역", "Region"],
  allRegions: ["모든 지역", "All regions"],
  ELEMENTARY: ["초등학교", "elementary"],
  MIDDLE: ["중학교", "middle"],
  HIGH: ["고등학교", "high"],
  SPECIAL: ["특수학교", "special"],
  OTHER: ["기타", "other"],
  more: ["더 보기", "More"],
  noSchools: ["찾는 학교가 없어요", "No school found"],
  changeSchool: ["학교 바꾸기", "Another school"],
  changeWarns: ["학교를 바꾸면 내 탭은 0부터 다시 세어요", "With another school your own count begins at 0"],
  tapHere: ["여기를 두드리세요", "Tap here"],
  schoolTaps: ["우리 학교", "My school"],
  race: ["실시간 순위", "The race"],
  season: ["시즌 {n}", "Season {n}"],
  raceNone: ["아직 아무도 두드리지 않았어요", "Nobody has tapped yet"],
  tooManyTaps: ["너무 빨라요! 이번 묶음은 세지 못했어요", "Too fast! These taps were not counted"],
  schoolClosed: ["문을 닫은 학교예요. 다른 학교를 골라 주세요", "This school is closed. Choose another"],
  waiting: ["+{n} 세는 중", "+{n} on the way"],
  "error.BAD_CODE": ["코드를 다시 확인해 주세요", "Please check the code"],
  "error.ROOM_NOT_FOUND": ["그런 방이 없어요", "There is no such room"],
  "error.ROOM_FULL": ["방이 꽉 찼어요", "The room is full"],
  "error.GAME_ON": ["놀이가 이미 시작됐어요. 끝나면 다시 와 주세요", "The game is on. Come again when it is over"],
  "error.TOO_FEW_PLAYERS": ["두 명부터 시작할 수 있어요", "It takes two to start"],
  "error.HOST_ONLY": ["방장만 할 수 있어요", "Only the host can do this"],
  "error.WRONG_PHASE": ["지금은 할 수 없어요", "Not now"],
  "error.RATE_LIMITED": ["너무 빨라요. {seconds}초 뒤에 다시 해 주세요", "Too fast. Try again in {seconds} s"],
  "error.STORE_UNAVAILABLE": ["서버가 잠시 쉬고 있어요. {seconds}초 뒤에 다시 해 주세요", "The server needs a moment. Try again in {seconds} s"],
  "error.SHUTTING_DOWN": ["서버가 곧 다시 시작해요", "The server restarts soon"],
  "error.OUT_OF_RANGE": ["쓸 수 없는 글자가 있거나 너무 길어요", "Too long, or it has characters that can't be used"],
  "error.OTHER": ["잘 되지 않았어요. 다시 해 주세요", "That did not work. Please try again"],
};

const nicknames = [
  [["날쌘", "푸른", "반가운", "용감한", "느긋한", "반짝이는", "씩씩한", "포근한"], ["다람쥐", "고라니", "두루미", "수달", "고슴도치", "여우", "참새", "너구리"]],
  [["Swift", "Blue", "Merry", "Brave", "Calm", "Bright", "Bold", "Cosy"], ["Squirrel", "Deer", "Crane", "Otter", "Hedgehog", "Fox", "Sparrow", "Raccoon"]],
];

let language = kept("language") ?? (navigator.language.startsWith("ko") ? "ko" : "en");

/** The words of a key, with `{name}` filled in. */
export function say(key, values = {}, otherwise = key) {
  const text = words[key]?.[language === "ko" ? 0 : 1] ?? otherwise;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

export function drawNickname() {
  const [first, second] = nicknames[language === "ko" ? 0 : 1];
  const pick = (list) => list[Math.floor(Math.random() * list.length)];
  return `${pick(first)} ${pick(second)}`;
}

export function number(value) {
  return Number(value).toLocaleString(language);
}

/** Fills all that has a key. */
export function sayAll(root = document) {
  document.documentElement.lang = language;
  for (const element of root.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const element of root.querySelectorAll("[data-say-label]")) {
    element.setAttribute("aria-label", say(element.dataset.sayLabel));
  }
  for (const element of root.querySelectorAll("[data-say-hint]")) element.placeholder = say(element.dataset.sayHint);
}

/** Fills the page and lets its button change the language; `changed` draws what has no key. */
export function beginWords(changed) {
  const button = document.querySelector("#language");
  const show = () => {
    sayAll();
    button.textContent = language === "ko" ? "English" : "한국어";
    button.lang = language === "ko" ? "en" : "ko";
  };
  button.addEventListener("click", () => {
    language = language === "ko" ? "en" : "ko";
    keep("language", language);
    show();
    changed();
  });
  show();
}
