"""Reading phone recordings and estimating the true way, for fit-receiver-errors."""
import csv
import io
import json
import math
import numpy as np  # pylint: disable=import-error

STRETCH_GAP = 30.0      # A gap longer than this (seconds) cuts a recording into stretches.
RADIAL_TO_AXIS = 1.515  # A phone claims the radius holding 68 % of errors; per axis it is this much smaller.

# ---- reading ----------------------------------------------------------------

def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return math.nan

def read_table(text):
    """Phyphox and Sensor Logger tables. A column is found by the start of its name."""
    delimiter = max(",;\t", key=text[:400].count)
    rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    names = [name.strip().strip('"') for name in next(rows)]
    def column(*starts):
        for start in starts:
            for index, name in enumerate(names):
                if name.lower().startswith(start):
                    return index
        return None
    time = column("seconds_elapsed", "time (s)", "time")
    wanted = (time, column("latitude"), column("longitude"),
              column("horizontalaccuracy", "horizontal accuracy", "accuracy"),
              column("speed (", "velocity (", "speed"), column("direction", "bearing"))
    # "speedAccuracy" also starts with "speed", so the exact name wins.
    exact = {name.lower(): index for index, name in enumerate(names)}
    wanted = wanted[:4] + (exact.get("speed", wanted[4]), exact.get("bearing", wanted[5]))
    out = []
    for row in rows:
        if len(row) >= len(names) - 1 and row:
            out.append([number(row[i]) if i is not None and i < len(row) else math.nan for i in wanted])
    return out

def read_gnss_log(text):
    """Google GnssLogger: the lines of the satellite provider, else those of the fused provider."""
    streams = {}
    for line in text.splitlines():
        if line.startswith("Fix,"):
            f = line.split(",")
            if f[1].isalpha() and len(f) >= 8:
                if len(f) == 8:     # The first version: no bearing, time last.
                    row = [number(f[7]) / 1000, number(f[2]), number(f[3]), number(f[6]), math.nan, math.nan]
                else:
                    row = [number(f[8]) / 1000, number(f[2]), number(f[3]), number(f[6]), number(f[5]), number(f[7])]
                streams.setdefault(f[1].upper(), []).append(row)
    return max((streams.get(p, []) for p in ("GPS", "FLP")), key=lambda s: min(len(s), 60), default=[])

def read_emission(text):
    """e-mission "background/location" entries, as in MobilityNet."""
    out = []
    for entry in json.loads(text):
        d = entry.get("data", entry)
        nanos = d.get("elapsedRealtimeNanos")
        out.append([nanos / 1e9 if nanos else d["ts"], d["latitude"], d["longitude"], d["accuracy"],
                    number(d.get("sensed_speed")), number(d.get("bearing", d.get("heading")))])
    return out

def read_recording(path):
    """Returns columns time, latitude, longitude, claimed accuracy, speed, bearing; in time order."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    rows = (read_emission(text) if path.endswith(".json") else
            read_gnss_log(text) if "\nFix," in text else read_table(text))
    a = np.array(rows, dtype=float).reshape(-1, 6)
    a = a[np.isfinite(a[:, :4]).all(axis=1) & (a[:, 3] > 0)]
    a = a[np.argsort(a[:, 0], kind="stable")]
    # Phones sometimes hand out the same fix twice; a repeat within 0.3 s is one fix.
    keep, last = [], -math.inf
    for i, t in enumerate(a[:, 0]):
        if t - last >= 0.3:
            keep.append(i); last = t
    return a[keep]

# ---- the true way -----------------------------------------------------------

class Stretch:
    """A run of fixes without long gaps, in metres, with the estimated true way."""

    def __init__(self, a):
        self.t = a[:, 0] - a[0, 0]
        lat0 = math.radians(np.median(a[:, 1]))
        self.z = np.column_stack([np.radians(a[:, 2] - a[0, 2]) * math.cos(lat0), np.radians(a[:, 1] - a[0, 1])]) * 6371008.8
        self.accuracy = a[:, 3]
        self.doppler = self.velocities(a[:, 4], a[:, 5])
        self.hasDoppler = np.isfinite(self.doppler[:, 0])

    def velocities(self, speed, bearing):
        """The receiver's own velocity. It comes from Doppler shift, so it is nearly free of position error."""
        v = np.full((len(speed), 2), math.nan)
        moving = (speed > 0) & np.isfinite(bearing) & (bearing >= 0)
        v[moving, 0] = speed[moving] * np.sin(np.radians(bearing[moving]))
        v[moving, 1] = speed[moving] * np.cos(np.radians(bearing[moving]))
        # A zero may mean "standing" or "unknown". It counts as standing when positions agree over ten fixes.
        n = len(speed)
        for i in np.flatnonzero((speed >= 0) & (speed < 0.5) & ~moving):
            lo, hi = max(0, i - 5), min(n - 1, i + 5)
            if np.hypot(*(self.z[hi] - self.z[lo])) <= 1.0 * max(1.0, self.t[hi] - self.t[lo]):
                v[i] = 0.0
        return v

    def smooth(self, doppler_sd=0.7, acceleration=0.8, memory=20.0, rounds=5, freedom=4.0):
        """RTS smoother of a constant-velocity model with Student-t weights.

        The positions get little weight (their errors last some twenty seconds), the Doppler velocities much.
        So the way keeps the phone's true moves, and the wandering error stays in the residual.
        """
        t, z, n = self.t, self.z, len(self.t)
        step = np.median(np.diff(t))
        scale = np.maximum(self.accuracy, 3.0) / RADIAL_TO_AXIS
        heavy = np.where(self.hasDoppler, math.sqrt(2 * memory / max(step, 0.5)), 2.0)
        wp, wv = np.ones(n), np.ones(n)
        q = acceleration ** 2
        for _ in range(rounds):
            rp = (scale * heavy) ** 2 / wp
            rv = doppler_sd ** 2 / wv
            xs, ps, xp, pp = np.zeros((n, 2, 2)), np.zeros((n, 3)), np.zeros((n, 2, 2)), np.zeros((n, 3))
            x = np.zeros((2, 2)); x[0] = z[0]
            a, b, c = rp[0], 0.0, 100.0         # The covariance: position, both, velocity.
            for i in range(n):
                if i:
                    d = t[i] - t[i - 1]
                    x = np.array([x[0] + d * x[1], x[1]])
                    a, b, c = a + 2 * d * b + d * d * c + q * d ** 3 / 3, b + d * c + q * d * d / 2, c + q * d
                xp[i], pp[i] = x, (a, b, c)
                s = a + rp[i]; ka, kb = a / s, b / s
                y = z[i] - x[0]
                x = np.array([x[0] + ka * y, x[1] + kb * y])
                a, b, c = a - ka * a, b - ka * b, c - kb * b
                if self.hasDoppler[i]:
                    s = c + rv[i]; ka, kb = b / s, c / s
                    y = self.doppler[i] - x[1]
                    x = np.array([x[0] + ka * y, x[1] + kb * y])
                    a, b, c = a - ka * b, b - ka * c, c - kb * c
                xs[i], ps[i] = x, (a, b, c)
            for i in range(n - 2, -1, -1):
                d = t[i + 1] - t[i]
                a, b, c = ps[i]; A, B, C = pp[i + 1]
                det = A * C - B * B
                # Gain = P F' inverse(Ppredicted), written out for two states.
                m0, m1, m2, m3 = a + d * b, b, b + d * c, c
                g00, g01 = (m0 * C - m1 * B) / det, (m1 * A - m0 * B) / det
                g10, g11 = (m2 * C - m3 * B) / det, (m3 * A - m2 * B) / det
                e = xs[i + 1] - xp[i + 1]
                xs[i] = np.array([xs[i][0] + g00 * e[0] + g01 * e[1], xs[i][1] + g10 * e[0] + g11 * e[1]])
            r2 = ((z - xs[:, 0]) ** 2).sum(axis=1) / (1.5 * scale) ** 2
            wp = (freedom + 2) / (freedom + r2)
            v2 = np.where(self.hasDoppler, ((np.nan_to_num(self.doppler) - xs[:, 1]) ** 2).sum(axis=1), 0) / doppler_sd ** 2
            wv = (freedom + 2) / (freedom + v2)
        self.way, self.velocity = xs[:, 0], xs[:, 1]
        self.residual = z - self.way

def stretches(a, minimum=60):
    """Cuts a recording at its long gaps and smooths every stretch of sixty fixes or more."""
    cuts = np.flatnonzero(np.diff(a[:, 0]) > STRETCH_GAP) + 1
    out = []
    for part in np.split(a, cuts):
        if len(part) >= minimum and np.median(np.diff(part[:, 0])) <= 2.5:
            s = Stretch(part); s.smooth(); out.append(s)
    return out
