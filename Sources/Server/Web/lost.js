// The page of an address that leads nowhere: of a room that is gone, or of no page at all. It has a way on.
import { beginCodeForm } from "./code.js";
import { beginWords, say } from "./language.js";
import { rememberedSettings } from "./new-room.js";

const texts = {
  room: {
    title: ["방이 없어졌어요", "This room is gone"],
    text: ["모두 나갔거나 코드가 틀렸어요. 코드를 다시 적거나 새 방을 만들어 보세요.", "Everybody has left it, or the code is wrong. Type the code again, or make a room of your own."],
  },
  path: {
    title: ["이 주소에는 아무것도 없어요", "There is nothing here"],
    text: ["주소가 틀렸거나 없어진 페이지예요. 방을 찾는다면 코드를 적어 주세요.", "The address is wrong, or its page is gone. If you look for a room, type its code."],
  },
};

beginWords(
  {
    ...(texts[document.body.dataset.lost] ?? texts.path),
    code: ["방 코드", "Room code"],
    go: ["들어가기", "Go"],
    home: ["처음으로", "Home"],
    newRoom: ["같은 놀이로 새 방 만들기", "New room, same game"],
    newRoomText: ["그 방에 있었어요. 같은 놀이로 새 방을 만들면, 친구들은 그 방의 QR로 들어와요.", "You were in that room. Make a new one for the same game: your friends come in by its QR."],
    wrong: ["코드를 다시 확인해 주세요", "Please check the code"],
  },
  () => undefined,
);
beginCodeForm(() => say("wrong"));
// Of a room in which this browser's player was.
const symbols = location.pathname.match(/^\/j\/([0-9A-Z]{10})$/i)?.[1].toUpperCase();
for (const part of document.querySelectorAll("#again, #again-text")) part.hidden = !symbols || !rememberedSettings(symbols);
document.querySelector("#again").addEventListener("click", () => location.assign("/#again"));
