// The capsule that the address of the page names, as a post's link does: `#ID`, or `#ID/LATE7/LNGE7` with a place
// near which it may be. No request asks for one capsule, so the player's lists are looked through, up to a bound.

const scopes = ["OWN", "EVERYONE", "SHARED"];
const pageLimit = 50;
/** Of each list. All lists together take a tenth of the requests of a minute. */
const pagesMax = 4;

/** The `capsuleId` that the address names, and its `place` or null; null for none. */
export function linkedCapsule() {
  const [, capsuleId, latE7, lngE7] = /^#([0-9a-f]{32})(?:\/(-?\d{1,10})\/(-?\d{1,10}))?$/.exec(location.hash) ?? [];
  if (!capsuleId) return null;
  return { capsuleId, place: latE7 ? { latE7: Number(latE7), lngE7: Number(lngE7) } : null };
}

/** The capsule of a link; null where the player's lists do not have it. Throws what the connection throws. */
export async function findCapsule(connection, { capsuleId, place }) {
  const order = place ? { sort: "NEAREST", ...place } : { sort: "LATEST" };
  for (const scope of scopes) {
    let cursor;
    for (let page = 0; page < pagesMax; page++) {
      const answer = await connection.request("listCapsules", { scope, ...order, limit: pageLimit, cursor });
      const found = (answer.capsules ?? []).find((capsule) => capsule.capsuleId === capsuleId);
      if (found) return found;
      cursor = answer.nextCursor;
      if (!cursor) break;
    }
  }
  return null;
}
