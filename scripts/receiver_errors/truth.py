"""The slow error without a guess of the true way: phones carried together, and surveyed routes."""
import itertools
import json
import math
import numpy as np  # pylint: disable=import-error
from receiver_errors.recordings import RADIAL_TO_AXIS  # pylint: disable=import-error
from receiver_errors.recordings import read_recording  # pylint: disable=import-error

EARTH = 6371008.8   # Metres.

def read_shared_clock(path):
    """As read_recording, with the phone's running clock moved onto the shared (satellite) clock."""
    a = read_recording(path)
    with open(path, encoding="utf-8") as file:
        entries = [e.get("data", e) for e in json.load(file)]
    offsets = [d["ts"] - d["elapsedRealtimeNanos"] / 1e9 for d in entries if d.get("elapsedRealtimeNanos")]
    if len(a) and offsets:
        a[:, 0] += np.median(offsets)
    return a

def together(paths, bounds, fastest):
    """Wander from phones carried together: ratio of its size to the claim, and correlation time, per pair and class."""
    out = {kind: [] for kind in bounds}
    tracks = [read_shared_clock(p) for p in paths]
    for a, b in itertools.combinations([x for x in tracks if len(x)], 2):
        g = np.arange(math.ceil(max(a[0, 0], b[0, 0])), min(a[-1, 0], b[-1, 0]))
        if len(g) < 300:
            continue
        def grid(c):
            i = np.clip(np.searchsorted(c[:, 0], g), 1, len(c) - 1)
            scale = EARTH * math.pi / 180
            xy = np.column_stack([np.interp(g, c[:, 0], (c[:, 2] - a[0, 2]) * scale * math.cos(math.radians(a[0, 1]))),
                                  np.interp(g, c[:, 0], (c[:, 1] - a[0, 1]) * scale)])
            return xy, c[i, 0] - c[i - 1, 0] < 2.5, np.interp(g, c[:, 0], c[:, 3]), np.interp(g, c[:, 0], np.nan_to_num(c[:, 4]))
        (za, oka, aa, sa), (zb, okb, ab, sb) = grid(a), grid(b)
        claim, worse = np.sqrt((aa ** 2 + ab ** 2) / 2), np.maximum(aa, ab)
        d = (za - zb) / math.sqrt(2)
        far = np.hypot(*d.T) > 5 * claim          # A jump is not wander.
        ok = oka & okb & (np.maximum(sa, sb) < fastest) & ~far
        for kind, (low, high) in bounds.items():
            here = ok & (worse > low) & (worse <= high)
            if here.sum() < 240:
                continue
            x = np.where(here[:, None], d, math.nan)
            variance = np.nanmean(x ** 2)
            correlation = [np.nanmean(x[k:] * x[:-k]) / variance for k in range(1, 121)]
            tau = next((k + 1 for k, c in enumerate(correlation) if c < math.exp(-1)), 120)
            out[kind].append((math.sqrt(variance) / (np.sqrt(np.mean(claim[here] ** 2)) / RADIAL_TO_AXIS), math.sqrt(variance), tau, int(here.sum())))
    return out

def across(points, line):
    """The distance of every point from a route, in metres."""
    best = np.full(len(points), math.inf)
    for a, b in zip(line, line[1:]):
        way = b - a
        length = way @ way
        if length > 0.01:
            along = np.clip((points - a) @ way / length, 0, 1)
            best = np.minimum(best, np.hypot(*(points - a - along[:, None] * way).T))
    return best

def surveyed(path, begin, end, routes, bounds):
    """One pass of a surveyed route: per class, the ratio of the error across the route to the claim."""
    a = read_shared_clock(path)
    a = a[(a[:, 0] >= begin) & (a[:, 0] <= end)]
    if len(a) < 40:
        return []
    lines = []
    for route in routes:
        lon0, lat0 = route[0]
        flat = lambda lon, lat: EARTH * np.radians(np.column_stack([(lon - lon0) * math.cos(math.radians(lat0)), lat - lat0]))
        route = np.array(route, float)
        lines.append(across(flat(a[:, 2], a[:, 1]), flat(route[:, 0], route[:, 1])))
    error = min(lines, key=np.median)     # A section may have been done by any of several routes.
    out = []
    for kind, (low, high) in bounds.items():
        here = (a[:, 3] > low) & (a[:, 3] <= high)
        if here.sum() >= 30:
            out.append((kind, float(np.quantile(error[here] * RADIAL_TO_AXIS / a[here, 3], 0.68)),
                        float(np.quantile(error[here], 0.68)), int(here.sum())))
    return out
