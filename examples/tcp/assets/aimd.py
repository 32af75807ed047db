"""One AIMD flow: a sawtooth in a buffer, then throughput under random loss."""

import math
import random

CAPACITY = 100  # packets that the link carries in one base round trip
BASE_RTT = 0.040  # seconds, with every queue empty
PACKET = 1500 * 8  # bits


def sawtooth(buffer, rounds=4000):
    """Share of the link in use, and the least and greatest round trip."""
    window, sent, clock, trips = CAPACITY / 2, 0.0, 0.0, []
    for turn in range(rounds):
        if window > CAPACITY + buffer:
            window /= 2
        rtt = BASE_RTT * max(1.0, window / CAPACITY)
        if turn >= rounds // 2:
            sent += window
            clock += rtt
            trips.append(rtt)
        window += 1
    share = sent / (CAPACITY * clock / BASE_RTT)
    return share, min(trips), max(trips)


def random_loss(p, rounds=200_000, seed=7):
    """Mean window of a flow that loses each packet with probability p."""
    dice = random.Random(seed)
    window, total = 10.0, 0.0
    for _ in range(rounds):
        total += window
        clean = (1 - p) ** window
        if dice.random() > clean:
            window = max(1.0, window / 2)
        else:
            window += 1
    return total / rounds


print("buffer    in use   round trip (ms)")
for buffer in (0, 25, 100, 400):
    share, least, most = sawtooth(buffer)
    print(f"{buffer:6}   {share:6.1%}   {least * 1e3:.0f} to {most * 1e3:.0f}")

print()
print("   loss   window   sqrt(1.5/p)   Mbit/s at 20 ms   at 100 ms")
for p in (0.01, 0.001, 0.0001):
    mean = random_loss(p)
    law = math.sqrt(1.5 / p)
    near, far = (mean * PACKET / rtt / 1e6 for rtt in (0.020, 0.100))
    print(f"{p:7.2%}   {mean:6.1f}   {law:11.1f}   {near:15.1f}   {far:9.1f}")
