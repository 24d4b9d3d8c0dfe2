#!/usr/bin/env python3
"""Prints the expected colors of RareColorTests, by the formulas of ITU-T H.273 and BT.2100.

    pip install numpy
    python3 make-colors.py
"""
import numpy as np

D65, RED = (0.3127, 0.3290), np.array([200, 120, 40]) / 255
BRADFORD = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])


def xyz(point):
    return np.array([point[0], point[1], 1 - point[0] - point[1]])


def to_xyz(primaries, white):
    matrix = np.stack([xyz(point) for point in primaries], 1)
    return matrix * np.linalg.solve(matrix, xyz(white) / white[1])


def adaptation(white):
    ratio = (BRADFORD @ (xyz(D65) / D65[1])) / (BRADFORD @ (xyz(white) / white[1]))
    return np.linalg.inv(BRADFORD) @ np.diag(ratio) @ BRADFORD


def shown(light, primaries, white=D65):
    sRGB = to_xyz([(0.64, 0.33), (0.3, 0.6), (0.15, 0.06)], D65)
    light = np.clip(np.linalg.inv(sRGB) @ adaptation(white) @ to_xyz(primaries, white) @ light, 0, 1)
    coded = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.round(255 * coded).astype(int).tolist()


def st240(v):
    return np.where(v < 0.091286342118, 0.25 * v, (0.899626676224 * v + 0.100373323776) ** (1 / 0.45))


def pq(v):
    power = v ** (1 / 78.84375)
    return 10000 / 203 * (np.maximum(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power)) ** (1 / 0.1593017578125)


def hlg(v):
    scene = np.where(v <= 0.5, v * v / 3, (np.exp((v - 0.55991073) / 0.17883277) + 0.28466892) / 12)
    return scene * (scene @ [0.2627, 0.678, 0.0593]) ** 0.2 * 1000 / 203


def tone(light, peak=1000):
    """The reference white tone mapping operator (SMPTE ST 2094-50), as Chromium 156 applies it to BT.2020."""
    top = peak / 203
    if top <= 1:
        return light
    white = 1 - 0.5 * min(np.log2(top) / np.log2(1000 / 203), 1)
    middle = np.array([0.35 + 0.65 / white, 0.35 * white + 0.65])
    start, end, t = np.array([1, white]), np.array([top, 1]), np.arange(8)[:, None] / 7
    x, y = ((1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end).T
    dx, dy = (2 * (1 - t) * (middle - start) + 2 * t * (end - middle)).T
    gain, slope, most = np.log2(y / x), (x * dy / dx - y) / (np.log(2) * x * y), light.max()
    if most >= top:
        return light / most
    if most <= 1:
        return light * white
    i = np.searchsorted(x, most, side="right") - 1
    h, s = x[i + 1] - x[i], (most - x[i]) / (x[i + 1] - x[i])
    mixed = np.array([gain[i], h * slope[i], gain[i + 1], h * slope[i + 1]])
    weights = [2 * s**3 - 3 * s**2 + 1, s**3 - 2 * s**2 + s, 3 * s**2 - 2 * s**3, s**3 - s**2]
    return light * 2 ** (mixed @ weights)


OLD, SMPTE = [(0.64, 0.33), (0.29, 0.6), (0.15, 0.06)], [(0.63, 0.34), (0.31, 0.595), (0.155, 0.07)]
P3, WIDE = [(0.68, 0.32), (0.265, 0.69), (0.15, 0.06)], [(0.708, 0.292), (0.17, 0.797), (0.131, 0.046)]
print("5/5", shown(RED**2.8, OLD))
print("6/6", shown(RED**2.4, SMPTE))
print("7/7", shown(st240(RED), SMPTE))
print("10/8", shown(RED, [(1, 0), (0, 1), (0, 0)], (1 / 3, 1 / 3)))
print("11/17", shown(np.clip(52.37 / 48 * RED**2.6, 0, 1), P3, (0.314, 0.351)))
print("cHRM, 1/2.2", shown(RED**2.2, P3))
print("cHRM, 1/1.8", shown(RED**1.8, P3))
for name, curve, samples, peak in [
    ("PQ", pq, [150, 110, 80], 1000), ("PQ", pq, [120, 150, 100], 1000), ("HLG", hlg, [200, 120, 60], 1000),
    ("PQ", pq, [105] * 3, 1000), ("PQ", pq, [148] * 3, 1000), ("HLG", hlg, [191] * 3, 1000),
    ("PQ", pq, [170, 150, 120], 4000), ("PQ", pq, [140, 110, 90], 400), ("PQ", pq, [140, 110, 90], 150),
]:
    print(name, peak, shown(tone(curve(np.array(samples) / 255), peak), WIDE))
