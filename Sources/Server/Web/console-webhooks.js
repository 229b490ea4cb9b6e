// Webhooks: the addresses that are told of events, what waits for them, and how their deliveries go. Each can be tried.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { duration, moment, plain } from "./console-format.js";
import { StoredCard, button, iconButton, openMenu, setText, tag } from "./console-parts.js";
import { forAct } from "./console-rights.js";
import { showOnce } from "./console-shown-once.js";
import { Table } from "./console-table.js";
import { deliveryFaultText } from "./console-told.js";

export class WebhooksView {
  element;
  #app;
  #table;
  #card;
  #count = make("span", "count");
  #shown = make("div");

  constructor(app) {
    this.#app = app;
    this.#table = new Table({
      label: say("webhooks"),
      empty: say("noWebhooks"),
      keyOf: ({ webhook }) => webhook,
      columns: [
        { label: "webhookUrl", className: "long", fill: addressCell },
        { label: "webhookState", fill: stateCell },
        { label: "webhookEvents", className: "wide-only", text: ({ events }) => (events ?? []).join(", ") },
        { label: "pendingEvents", className: "number", text: pendingOf },
        { label: "deliveredEvents", className: "number wide-only", text: ({ delivered }) => number(delivered) },
        { label: "droppedEvents", className: "number wide-only", text: ({ dropped }) => number(dropped) },
        { label: "lastFailure", className: "long wide-only", text: failureOf },
        { className: "tools", once: (cell, rowOf) => this.#tools(cell, rowOf) },
      ],
    });
    this.#card = new StoredCard(this.#table.element);
    this.#shown.setAttribute("role", "status");
    const add = button(say("addWebhookGo"), async () => this.#show(await app.actions.addWebhook()), "primary");
    this.element = make(
      "div",
      "",
      make(
        "div",
        "view-head",
        make("h1", "", say("webhooks")),
        this.#count,
        make("div", "head-tools", forAct("addWebhook", add)),
      ),
      this.#shown,
      this.#card.element,
    );
  }

  enter() {
    this.#app.feed.watch({ watch: "webhooks" });
  }

  leave() {}

  receive(kind, body) {
    if (kind !== "webhooks" || !this.#card.take(body)) return;
    setText(this.#count, `${body.rows.length}`);
    this.#table.show(body.rows);
  }

  #tools(cell, rowOf) {
    const { actions } = this.#app;
    const more = iconButton("more", say("actions"), () => {
      const row = rowOf();
      openMenu(more, [
        { text: say("testWebhookGo"), act: () => actions.onWebhook("testWebhook", row) },
        { text: say("enableWebhookGo"), act: () => actions.onWebhook("enableWebhook", row) },
        { text: say("removeIt"), act: () => actions.onWebhook("removeWebhook", row), isDangerous: true },
      ]);
    });
    // All that is in the menu is an admin's.
    cell.append(forAct("testWebhook", more));
  }

  #show(reply) {
    if (reply?.secret) showOnce(this.#shown, say("secretHint", { id: reply.webhook }), reply.secret);
  }
}

function addressCell(cell, { url, name }) {
  cell.replaceChildren(plain(url), ...(name ? [" ", tag(plain(name))] : []));
}

function stateCell(cell, { switchedOff, failingSinceMs }) {
  const [word, kind] = switchedOff !== undefined ? ["switchedOff", "bad"] : failingSinceMs ? ["failing", "warn"] : ["working", "good"];
  cell.replaceChildren(tag(say(`webhook.${word}`), kind));
}

function pendingOf({ pending, oldestAtMs }) {
  return oldestAtMs ? `${number(pending)} · ${duration(Math.max(0, Date.now() - oldestAtMs))}` : number(pending);
}

function failureOf({ failedAtMs, failure, switchedOff }) {
  if (switchedOff !== undefined) return plain(deliveryFaultText(switchedOff));
  return failedAtMs ? `${moment(failedAtMs)} ${plain(deliveryFaultText(failure))}` : "–";
}
