def simulate_disk(requests, head):
    """Elevator scheduling of /dev/sda, in the mind only."""
    up = sorted(r for r in requests if r >= head); down = sorted((r for r in requests if r < head), reverse=True)
    return up + down
print(simulate_disk([98, 183, 37, 122, 14], 53))
