"""Three jobs, one symptom: a straggler and a slow link are hidden in them. The trace finds both."""
import json
import os
import time

import torch

from measure_common import ON_ONE_MACHINE, RANK, RANKS, Report, all_ranks, dist, knob, refuse, say, start

STEPS = knob("steps", 5)
COMPUTE_MS = knob("compute_ms", 30)
LATE_MS = knob("late_ms", 20)
STRAGGLER = knob("straggler", RANKS - 1)
SLOW_LINK = knob("slow_link", 0)  # from this rank to the next one
WIRE_MS = knob("wire_ms", 15)
TRACE = os.environ.get("INFRALENS_TRACE")  # a file for chrome://tracing or ui.perfetto.dev
if not (0 <= STRAGGLER < RANKS and 0 <= SLOW_LINK < RANKS):
    refuse(f"straggler and slow_link are ranks, from 0 to {RANKS - 1}")

device = start()
report = Report("09-interview-scenarios")
NEXT, BEFORE = (RANK + 1) % RANKS, (RANK - 1) % RANKS


def run_job(late_rank=None, slow_rank=None):
    """Runs the steps; returns this rank's trace: (name, step, hop, begin, end) in seconds."""
    trace = []
    dist.barrier()
    # Ranks of one machine share a clock. Those of several start theirs as the barrier opens.
    zero = 0 if ON_ONE_MACHINE else time.perf_counter()

    def record(name, step, hop, begin):
        trace.append((name, step, hop, begin - zero, time.perf_counter() - zero))

    for step in range(STEPS):
        begin = time.perf_counter()
        # Asleep a rank leaves the core to the others, as a GPU's kernel would.
        time.sleep((COMPUTE_MS + (LATE_MS if RANK == late_rank else 0)) / 1000)
        record("compute", step, 0, begin)
        gradient = torch.ones(2**14)
        for hop in range(2 * (RANKS - 1)):  # as many messages as a ring all-reduce sends
            arriving = torch.empty_like(gradient)
            receiving = dist.irecv(arriving, BEFORE)
            begin = time.perf_counter()
            if RANK == slow_rank:
                time.sleep(WIRE_MS / 1000)  # stands for a link that takes so long
            sending = dist.isend(gradient, NEXT)
            record("send", step, hop, begin)
            begin = time.perf_counter()
            receiving.wait()
            record("receive", step, hop, begin)
            begin = time.perf_counter()
            sending.wait()  # until the next rank is there to take it
            record("hand over", step, hop, begin)
    rows = all_ranks(trace)
    first = min(b for row in rows for *_, b, _ in row)
    return [[(name, step, hop, b - first, e - first) for name, step, hop, b, e in row] for row in rows]


def median(values):
    return sorted(values)[len(values) // 2]


def columns(trace):
    """For each rank: compute of a step, and the wait for its neighbours in it. A message needs
    both its ranks, so a wait is somebody else's lateness."""
    def of_step(row, *wanted):
        return median([sum(e - b for name, s, _, b, e in row if s == step and name in wanted)
                       for step in range(STEPS)])
    return ([of_step(row, "compute") for row in trace],
            [of_step(row, "receive", "hand over") for row in trace])


def flights(trace):
    """For each link: how long a message was under way, from the later of "handed over" and
    "waited for" to its arrival. Who waits tells nothing, since one slow link makes all wait."""
    result = []
    for sender in range(RANKS):
        receiver = (sender + 1) % RANKS
        posted = {(s, h): b for name, s, h, b, _ in trace[sender] if name == "send"}
        times = [e - max(posted[s, h], b) for name, s, h, b, e in trace[receiver] if name == "receive"]
        result.append(median(times))
    return result


def step_time(trace):
    return max(row[-1][4] for row in trace) / STEPS


def write_trace(trace, path):
    """The format that Chrome and Perfetto open: one row a rank, microseconds."""
    events = [dict(name=f"{name} {hop}" if name != "compute" else name, ph="X", pid=0, tid=rank,
                   ts=b * 1e6, dur=(e - b) * 1e6, args=dict(step=step))
              for rank, row in enumerate(trace) for name, step, hop, b, e in row]
    with open(path, "w") as file:
        json.dump(dict(traceEvents=events), file)


JOBS = {"healthy": {}, "job_a": dict(late_rank=STRAGGLER), "job_b": dict(slow_rank=SLOW_LINK)}
run_job()  # opens the connections
for name, fault in JOBS.items():
    trace = run_job(**fault)
    compute, wait = columns(trace)
    under_way = flights(trace)
    say(f"{name}   rank  compute  wait for neighbours  under way to the next rank, ms")
    for rank in range(RANKS):
        say(f"{'':9} {rank:4} {compute[rank] * 1e3:8.1f} {wait[rank] * 1e3:19.1f} {under_way[rank] * 1e3:27.1f}")
    report.figure(f"step_{name}", f"step, {name}", step_time(trace), "s")
    # Later than the others by more than half of what they take: no accident.
    late = [r for r in range(RANKS) if compute[r] > min(compute) + LATE_MS / 2000]
    slow = [r for r in range(RANKS) if under_way[r] > min(under_way) + WIRE_MS / 2000]
    report.figure(f"late_{name}", f"ranks found late, {name}", late, "ranks", exact=True)
    report.figure(f"slow_{name}", f"links found slow, by their sender, {name}", slow, "ranks", exact=True)
    if name == "job_a":
        report.figure("least_wait", "the straggler's own wait over the mean",
                      wait[STRAGGLER] * RANKS / sum(wait), "x")
        # Least, up to the noise of a machine with fewer cores than ranks.
        report.check("straggler_waits_little", wait[STRAGGLER] * RANKS < sum(wait) / 2,
                     "the rank that all wait for waits less than half of the mean")
    if TRACE and RANK == 0:
        write_trace(trace, f"{TRACE}.{name}.json")
report.finish()
