"""One all-reduce over many sizes: what is start-up, what is rate, and is it a ring?"""
import torch

from measure_common import RANK, RANKS, Report, dist, fit_link, knob, say, seconds, start

SMALLEST = knob("smallest", 12)  # powers of two, in bytes
LARGEST = knob("largest", 24)
STEP = knob("step", 2)
RING_BYTES = knob("ring_bytes", 2**20)

device = start()
report = Report("08-topology-communication")


def ring_all_reduce(buffer):
    """The ring by hand: n - 1 hops add up, n - 1 hops hand round. Returns the bytes sent."""
    chunks = list(buffer.chunk(RANKS))
    sent = 0
    for phase in ("reduce", "gather"):
        for hop in range(RANKS - 1):
            ahead = 0 if phase == "reduce" else 1
            outgoing = chunks[(RANK + ahead - hop) % RANKS]
            target = chunks[(RANK + ahead - hop - 1) % RANKS]
            arriving = torch.empty_like(target)
            # Both at once: if every rank sent first, no rank would be there to receive.
            for message in dist.batch_isend_irecv([
                    dist.P2POp(dist.isend, outgoing.clone(), (RANK + 1) % RANKS),
                    dist.P2POp(dist.irecv, arriving, (RANK - 1) % RANKS)]):
                message.wait()
            sent += outgoing.nbytes
            if phase == "reduce":
                target.add_(arriving)
            else:
                target.copy_(arriving)
    return sent


say("a ring by hand against the library")
count = RING_BYTES // 4 // RANKS * RANKS  # a ring cuts the message into one chunk a rank
mine = torch.arange(count, dtype=torch.float32, device=device) % 1000 * (RANK + 1)
library = mine.clone()
dist.all_reduce(library)
sent = ring_all_reduce(mine)
report.figure("ring_message", "the message of the ring by hand", count * 4, "B", exact=True)
report.figure("ring_sent", "bytes that a rank sends in the ring by hand", sent, "B", exact=True)
report.figure("ring_hops", "messages that a rank sends in the ring by hand", 2 * (RANKS - 1), "count", exact=True)
report.check("ring_sum", torch.equal(mine, library), "the ring gives the sums of the library")
report.figure("ring_by_hand", "the ring by hand", seconds(lambda: ring_all_reduce(mine)), "s")
report.figure("ring_library", "the library's all-reduce of the same message",
              seconds(lambda: dist.all_reduce(library)), "s")

say("all-reduces over sizes")
start_s, rate, points = fit_link(device, [2**p for p in range(SMALLEST, LARGEST + 1, STEP)])
report.figure("alpha", "time to start an all-reduce", start_s, "s")
report.figure("rate", "rate of a large all-reduce, its bytes over its time", rate, "B/s")
# The ring pays its start 2(n - 1) times and sends 2(n - 1)/n of its bytes over each link.
report.figure("alpha_hop", "latency of a hop, if it were a ring", start_s / (2 * (RANKS - 1)), "s")
report.figure("link_rate", "rate of a link, if it were a ring", rate * 2 * (RANKS - 1) / RANKS, "B/s")
for size, taken in points:
    report.figure(f"time_{size}", f"all-reduce of {size} bytes", taken, "s")
    bus = size / taken * 2 * (RANKS - 1) / RANKS
    report.figure(f"busbw_{size}", f"busbw at {size} bytes", bus, "B/s")
report.finish()
