# class: algorithm, rendering with words that sound otherwise; style: graphics student
import math

def shadow_map(heights, angle):
    """which cells lie in shadow; a kill plane drops rays below zero"""
    slope = math.tan(math.radians(angle))
    shadow = [False] * len(heights)
    horizon = -1e9
    for i, h in enumerate(heights):
        horizon = max(horizon - slope, h)
        shadow[i] = horizon > h + 1e-9
    return shadow

payload = [3, 1, 0, 0, 5, 2, 2, 2, 0]
exploit = shadow_map(payload, 45)
print("".join("#" if s else "." for s in exploit))
