"""Ring attention on real processes: the same output, and who waits under a causal mask?"""
import time

import torch

from measure_common import RANK, RANKS, Report, all_ranks, dist, knob, now, refuse, say, start

TOKENS = knob("tokens", 2048)
HEADS = knob("heads", 4)
HEAD_DIM = knob("head_dim", 64)
PIECES = 2 * RANKS
if TOKENS % PIECES:
    refuse(f"{TOKENS} tokens do not divide into {PIECES} pieces; change tokens")
PIECE = TOKENS // PIECES

device = start()
report = Report("05-context-parallel")
# 8-byte numbers: the sums run in another order, and an error of 1e-12 shows that only that differs.
q, k, v = torch.randn(3, HEADS, TOKENS, HEAD_DIM, dtype=torch.float64, device=device)

# Both cuts give a rank two pieces. Zigzag pairs an early one, which sees little, with a late one.
CUTS = {"contiguous": lambda rank: (2 * rank, 2 * rank + 1),
        "zigzag": lambda rank: (rank, PIECES - 1 - rank)}


def take(tensor, pieces):
    return torch.cat([tensor[:, p * PIECE:(p + 1) * PIECE] for p in pieces], dim=1)


def clock():
    """Time that this rank worked. Waiting for a core or for the network does not count."""
    return now() if device.type == "cuda" else time.thread_time()


class OnlineSoftmax:
    """Attention over keys that come piece by piece. It keeps the greatest score so far, the
    sum of exponentials, and the output; a greater score rescales what is there."""

    def __init__(self, rows):
        self.highest = torch.full((HEADS, rows, 1), -torch.inf, dtype=q.dtype, device=device)
        self.total = torch.zeros_like(self.highest)
        self.output = torch.zeros(HEADS, rows, HEAD_DIM, dtype=q.dtype, device=device)

    def add(self, queries, keys, values, rows, diagonal):
        scores = queries @ keys.transpose(1, 2) / HEAD_DIM**0.5
        if diagonal:
            later = torch.ones(PIECE, PIECE, dtype=torch.bool, device=device).triu(1)
            scores = scores.masked_fill(later, -torch.inf)
        highest = torch.maximum(self.highest[:, rows], scores.amax(-1, keepdim=True))
        weights = (scores - highest).exp()
        rescale = (self.highest[:, rows] - highest).exp()
        self.total[:, rows] = self.total[:, rows] * rescale + weights.sum(-1, keepdim=True)
        self.output[:, rows] = self.output[:, rows] * rescale + weights @ values
        self.highest[:, rows] = highest

    def result(self):
        return self.output / self.total


def pass_on(block):
    """To the next rank, from the one before."""
    arriving = torch.empty_like(block)
    operations = [dist.P2POp(dist.isend, block, (RANK + 1) % RANKS),
                  dist.P2POp(dist.irecv, arriving, (RANK - 1) % RANKS)]
    return arriving, dist.batch_isend_irecv(operations)


def ring(cut):
    """One forward. Returns output, bytes sent, and for each hop the pairs seen and the time worked."""
    mine = CUTS[cut](RANK)
    my_q, block = take(q, mine), torch.stack([take(k, mine), take(v, mine)])
    softmax, sent, pairs, worked = OnlineSoftmax(2 * PIECE), 0, [], []
    for hop in range(RANKS):
        if hop + 1 < RANKS:
            arriving, messages = pass_on(block)  # travels while this block is worked on
            sent += block.nbytes
        theirs = CUTS[cut]((RANK - hop) % RANKS)
        begin, seen = clock(), 0
        for i, my_piece in enumerate(mine):
            for j, piece in enumerate(theirs):
                if piece > my_piece:
                    continue  # all of it lies in the future
                rows, columns = slice(i * PIECE, (i + 1) * PIECE), slice(j * PIECE, (j + 1) * PIECE)
                softmax.add(my_q[:, rows], block[0][:, columns], block[1][:, columns], rows, piece == my_piece)
                seen += PIECE * (PIECE + 1) // 2 if piece == my_piece else PIECE**2
        pairs.append(seen)
        worked.append(clock() - begin)
        if hop + 1 < RANKS:
            for message in messages:
                message.wait()
            block = arriving
    return softmax.result(), sent, pairs, worked


truth = torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=True)[0]
for cut in CUTS:
    say(cut)
    ring(cut)  # warms up
    dist.barrier()
    begin = now()
    output, sent, pairs, worked = ring(cut)
    step_s = max(all_ranks(now() - begin))
    error = (output - take(truth, CUTS[cut](RANK))).abs().max().item()
    report.check(f"output_{cut}", error < 1e-10, f"{cut}: the same output as attention over the whole sequence")
    report.figure(f"sent_{cut}", f"keys and values sent by a rank, {cut}", sent, "B", exact=True)
    all_pairs, all_worked = all_ranks(pairs), all_ranks(worked)
    for rank in range(RANKS):
        report.figure(f"pairs_{cut}_{rank}", f"pairs of rank {rank}, {cut}", sum(all_pairs[rank]), "count", exact=True)
        report.figure(f"worked_{cut}_{rank}", f"work of rank {rank}, {cut}", sum(all_worked[rank]), "s")
    # A hop is over when its slowest rank is: the next block comes from a neighbour.
    wall = sum(max(hop) for hop in zip(*all_pairs))
    ideal = sum(map(sum, all_pairs)) / RANKS
    report.figure(f"efficiency_{cut}", f"mean pairs over those of the busiest rank, hop by hop, {cut}",
                  ideal / wall, "share", exact=True)
    wall_s = sum(max(hop) for hop in zip(*all_worked))
    report.figure(f"time_efficiency_{cut}", f"mean work time over the longest, hop by hop, {cut}",
                  sum(map(sum, all_worked)) / RANKS / wall_s, "share")
    report.figure(f"step_{cut}", f"attention, {cut}", step_s, "s")
report.finish()
