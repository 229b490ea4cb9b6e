// The import of fences from a file: its button, the file, and the preview of what would change, for which the server is
// asked before the dialog. Refused features are named and left out.
import { make } from "./dom.js";
import { number, say } from "./language.js";
import { partsOf, readFences } from "./console-fence-file.js";
import { plain } from "./console-format.js";
import { button } from "./console-parts.js";
import { refusalText } from "./console-refusals.js";
import { forAct } from "./console-rights.js";

/** The features of a file that are named, of each kind. */
const namedMax = 8;

export function importButton(app) {
  const field = Object.assign(make("input"), { type: "file", hidden: true });
  field.accept = ".geojson,.json,application/geo+json,application/json";
  field.addEventListener("change", async () => {
    const [file] = field.files;
    if (!file) return;
    await importFile(app, file);
    // The same file may be chosen again.
    field.value = "";
  });
  const press = button(say("importFile"), () => field.click());
  // The browser makes digests for pages of https and of this machine alone.
  press.disabled = !isSecureContext;
  press.title = say(isSecureContext ? "importFileHint" : "importFileNeeds");
  return make("span", "", forAct("importFences", press), field);
}

async function importFile({ feed, actions }, file) {
  const { offers, refused } = await read(file);
  const named = offers.map(({ fence, title }) => ({ fence, name: titleText(title) }));
  const rows = await preview(feed, named);
  const isRefused = (at) => rows[at]?.change === "refused";
  const lines = [
    ...refused.map(({ title, key, values }) => (title === null ? say(key, values) : `${titleText(title)}: ${say(key, values)}`)),
    ...named.flatMap(({ fence, name }, at) => (isRefused(at) ? [refusalText(rows[at].error.replace(`fence ${fence.fenceId}`, name))] : [])),
  ];
  const sound = named.filter((_, at) => !isRefused(at));
  actions.importFences(file.name, partsOf(sound), bounded(lines), changes(rows));
}

/** The rows of the changes, in the order of the offers; none where the server does not answer. */
async function preview(feed, named) {
  const rows = [];
  try {
    for (const part of partsOf(named)) {
      rows.push(...(await feed.query("previewFences", { fences: part.map(({ fence }) => fence) })).preview);
    }
  } catch {
    return [];
  }
  return rows;
}

/** The lines of what would change: how many of each kind, with the names of the first ones. */
function changes(rows) {
  return ["added", "replaced", "unchanged"].flatMap((change) => {
    const found = rows.filter((row) => row.change === change);
    if (found.length === 0) return [];
    const names = found.slice(0, namedMax).map(({ name }) => plain(name));
    if (found.length > namedMax) names.push("…");
    const inside = found.reduce((sum, { playersInside = 0 }) => sum + Number(playersInside), 0);
    const line = `${say(`change.count.${change}`, { n: number(found.length) })}: ${names.join(", ")}`;
    return [change === "replaced" && inside > 0 ? `${line} · ${say("draft.inside", { n: number(inside) })}` : line];
  });
}

function bounded(lines) {
  if (lines.length <= namedMax) return lines;
  return [...lines.slice(0, namedMax), say("refused.more", { n: number(lines.length - namedMax) })];
}

/** The fences of a file; the file itself is refused where it is no GeoJSON. */
async function read(file) {
  try {
    return await readFences(await file.text());
  } catch (error) {
    return { offers: [], refused: [{ title: null, key: error.key ?? "refused.notJSON", values: error.values ?? {} }] };
  }
}

function titleText({ n, name, polygon }) {
  return name ? say("featureNamed", { n, name: plain(`${name}${polygon}`) }) : say("featureNumbered", { n });
}
