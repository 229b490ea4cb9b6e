// Operators, machines' tokens and sessions: who may come in, and who has. What an admin is shown once, a link or a token,
// stands in a card until the view is left.
import { make } from "./dom.js";
import { say } from "./language.js";
import { moment } from "./console-format.js";
import { button, card, iconButton, openMenu, tag } from "./console-parts.js";
import { forAct } from "./console-rights.js";
import { showOnce } from "./console-shown-once.js";
import { Table } from "./console-table.js";

export class OperatorsView {
  element;
  #app;
  #people;
  #sessions;
  #shown = make("div");

  constructor(app) {
    this.#app = app;
    this.#people = new Table({
      label: say("people"),
      empty: say("noOperators"),
      keyOf: ({ name }) => name,
      columns: [
        { label: "operatorName", className: "name", text: ({ name }) => name },
        { label: "roleOf", fill: (cell, { role }) => cell.replaceChildren(tag(say(`role.${role}`), role === "admin" ? "good" : "")) },
        { label: "operatorKind", className: "wide-only", text: ({ kind }) => say(`kind.${kind}`) },
        { label: "proofOf", text: proofOf },
        { label: "since", className: "number wide-only", text: ({ createdAtMs }) => moment(createdAtMs) },
        { className: "tools", once: (cell, rowOf) => this.#personTools(cell, rowOf) },
      ],
    });
    this.#sessions = new Table({
      label: say("sessions"),
      empty: say("noSessions"),
      keyOf: ({ session }) => session,
      columns: [
        { label: "operatorName", className: "name", fill: sessionName },
        { label: "since", className: "number", text: ({ startedAtMs }) => moment(startedAtMs) },
        { label: "seenAt", className: "number wide-only", text: ({ seenAtMs }) => moment(seenAtMs) },
        { label: "address", className: "mono wide-only", text: ({ address }) => address },
        { label: "browser", text: ({ browser }) => browser || "–" },
        { className: "tools", once: (cell, rowOf) => this.#sessionTools(cell, rowOf) },
      ],
    });
    const { actions } = app;
    const tools = make(
      "div",
      "head-tools",
      forAct("addOperator", button(say("addOperatorGo"), () => this.#add("addOperator"), "primary")),
      forAct("addToken", button(say("addTokenGo"), () => this.#add("addToken"))),
    );
    this.#shown.setAttribute("role", "status");
    this.element = make(
      "div",
      "operators",
      make("div", "view-head", make("h1", "", say("operators")), tools),
      this.#shown,
      card(say("people"), "", make("p", "hint", say("rolesHint")), this.#people.element),
      card(say("sessions"), "", this.#sessions.element),
    );
  }

  enter() {
    this.#app.feed.watch({ watch: "operators" });
  }

  leave() {}

  receive(kind, body) {
    if (kind !== "operators") return;
    this.#people.show(body.operators);
    this.#sessions.show(body.sessions);
  }

  async #add(act) {
    this.#show(await this.#app.actions.addAccess(act));
  }

  #personTools(cell, rowOf) {
    const { actions } = this.#app;
    const more = iconButton("more", say("actions"), () => {
      const row = rowOf();
      const reset = { text: say("resetGo"), act: async () => this.#show(await actions.resetOperator(row)) };
      openMenu(more, [
        { text: say("setRoleGo"), act: () => actions.setRole(row) },
        ...(row.kind === "token" ? [] : [reset]),
        { text: say("removeIt"), act: () => actions.removeOperator(row), isDangerous: true },
      ]);
    });
    // All that is in the menu is an admin's.
    cell.append(forAct("setRole", more));
  }

  #sessionTools(cell, rowOf) {
    const act = rowOf()?.own ? "endOwnSession" : "endSession";
    cell.append(forAct(act, button(say("endIt"), () => this.#app.actions.endSession(rowOf()), "danger")));
  }

  /** Shows what the server shows once. */
  #show(reply) {
    if (!reply?.link && !reply?.token) return;
    // The server may not know the address by which this page has come.
    const text = reply.link ? `${location.origin}/join${new URL(reply.link).hash}` : reply.token;
    showOnce(this.#shown, say(reply.link ? "linkHint" : "tokenHint", { name: reply.text.split(" ")[1] ?? "" }), text);
  }
}

function proofOf({ kind, hasPassword, hasCodes, linkExpiresAtMs }) {
  if (kind === "token") return say("withToken");
  if (hasPassword) return say(hasCodes ? "withCodes" : "withPassword");
  return linkExpiresAtMs > Date.now() ? say("withLink", { time: moment(linkExpiresAtMs) }) : say("withLinkOver");
}

function sessionName(cell, { operator, own, consoles, this: isThis }) {
  const parts = [operator ?? say("byToken")];
  if (isThis) parts.push(" ", tag(say("thisSession"), "good"));
  if (consoles > 0) parts.push(" ", tag(say("consolesOpen", { n: consoles })));
  cell.replaceChildren(...parts);
}
