// A new room with the settings of the one that this browser was in last, for when that one is gone. Loaded where it is
// needed. The server keeps nothing of a closed room's settings, so the browser does: `play.js` keeps them with each state.
import { kept } from "./device.js";

/** The settings of the remembered room as `createRoom` takes them; null where the room of `symbols` is not remembered. */
export function rememberedSettings(symbols = null) {
  try {
    const known = JSON.parse(kept("room"));
    return symbols === null || known.symbols === symbols ? settingsOf(known.state) : null;
  } catch {
    return null;
  }
}

/** The state does not tell the speed that the room allowed, nor whether its arena's place was chosen. */
function settingsOf(state) {
  const { mode, capacity, durationS, tickMs, lateS, holdS, arena, lands = [], fill = 0, fillStrength } = state;
  const ofMode = {
    TERRITORY: () => ({ arena: { cellM: arena?.cellM, cells: arena?.cells }, cutting: state.cutting }),
    LAND: () => ({ landIds: lands.map(({ landId }) => landId) }),
  };
  return {
    mode,
    capacity,
    durationS,
    tickHz: tickMs ? Math.min(20, Math.round(1_000 / tickMs)) : undefined,
    hostOnly: state.hostOnly ?? false,
    spectators: state.spectators ?? false,
    accountsOnly: state.accountsOnly ?? false,
    consent: state.consent ?? false,
    lateS: lateS ?? 0,
    holdS,
    ...(fill > 0 ? { fill, fillStrength } : {}),
    ...ofMode[mode]?.(),
  };
}
