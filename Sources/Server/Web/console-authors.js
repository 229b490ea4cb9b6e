// The authors of chats, as the feed names them: a chat's seat may be another player's by the time it is read.
import { say } from "./language.js";
import { plain } from "./console-format.js";
import { openMenu } from "./console-parts.js";
import { may } from "./console-rights.js";

const keptMax = 2_000;

export class Authors {
  #players = new Map();
  #nicknames = new Map();

  /** Takes the feed's authors: players by the event numbers of their chats. */
  take(authors = {}) {
    for (const [event, player] of Object.entries(authors)) this.#players.set(Number(event), player);
    for (const event of [...this.#players.keys()].slice(0, -keptMax)) this.#players.delete(event);
  }

  /** Remembers the nicknames of a room's players, for the time after they have left. */
  meet(room) {
    for (const { playerId, nickname } of room.players.values()) this.#nicknames.set(playerId, nickname);
  }

  /** A chat's author: `player`, `name`, and `seat` while that player has it. */
  of({ number, chat }, room) {
    const player = this.#players.get(number);
    const key = chat.seat === undefined ? `w${chat.spectator}` : `s${chat.seat}`;
    const isThere = room.players.get(key)?.playerId === player;
    if (isThere || player === undefined) return { player, name: plain(room.nameAt(chat)), seat: chat.seat };
    const nickname = this.#nicknames.get(player);
    return { player, name: nickname === undefined ? player.slice(0, 8) : plain(nickname) };
  }
}

/** Opens the menu of actions against a chat's author, also after they have left. */
export function openAuthorMenu(actions, anchor, author) {
  if (!may("mute")) return;
  openMenu(anchor, [
    { text: say("mute.go"), act: () => actions.mute(author) },
    { text: say("kick.go"), act: () => actions.kick(author), isDangerous: true },
    { text: say("ban.go"), act: () => actions.ban(author), isDangerous: true },
  ]);
}
