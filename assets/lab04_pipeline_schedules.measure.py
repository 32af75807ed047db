"""A pipeline on real processes: who works when, and who keeps how much?"""
import time

import torch
from torch.distributed.pipelining import PipelineStage, Schedule1F1B, ScheduleGPipe, schedules

from measure_common import RANK, RANKS, Report, all_ranks, dist, knob, now, refuse, say, start

MICRO_BATCHES = knob("micro_batches", 8)
FORWARD_MS = knob("forward_ms", 20)
BACKWARD_MS = knob("backward_ms", 40)
WIDTH = 256
if MICRO_BATCHES < RANKS:
    refuse(f"1F1B needs at least as many micro-batches as stages: {MICRO_BATCHES} are fewer than {RANKS}")

device = start()
report = Report("04-pipeline-schedules")


class AllOf:
    """Several messages as one."""

    def __init__(self, messages):
        self.messages = messages

    def wait(self):
        for message in self.messages:
            message.wait()


if "list" not in str(schedules._batch_p2p.__annotations__.get("return")):
    # PyTorch 2.6 and 2.7 wait for the last message of a batch alone: enough for NCCL, which
    # sends a batch as one, and not for Gloo. Newer ones wait for all.
    schedules._batch_p2p = lambda operations, desc=None: (
        AllOf(dist.batch_isend_irecv(operations)) if operations else None)


class Work(torch.autograd.Function):
    """Takes a known time and computes nothing. A stage's kernels run on its own GPU; here
    several stages share a few cores, and asleep they do not take them from one another."""

    @staticmethod
    def forward(context, x):
        time.sleep(FORWARD_MS / 1000)
        return x.clone()

    @staticmethod
    def backward(context, gradient):
        time.sleep(BACKWARD_MS / 1000)
        return gradient


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x):
        # The layer comes first, so that backward passes Work on stage 0 too.
        return Work.apply(self.layer(x))


def build(schedule_class):
    torch.manual_seed(RANK)
    block = Block().to(device)
    stage = PipelineStage(block, RANK, RANKS, device)
    events = []

    def recorded(kind, run):
        def wrapper(chunk, *args, **kwargs):
            begin = now()
            result = run(chunk, *args, **kwargs)
            events.append((kind, chunk, begin, now()))
            return result
        return wrapper

    stage.forward_one_chunk = recorded("F", stage.forward_one_chunk)
    stage.backward_one_chunk = recorded("B", stage.backward_one_chunk)
    schedule = schedule_class(stage, MICRO_BATCHES, loss_fn=torch.nn.functional.mse_loss)
    return block, schedule, events


def step(schedule):
    torch.manual_seed(0)
    batch, target = torch.randn(2, MICRO_BATCHES * 4, WIDTH, device=device)
    if RANK == 0:
        schedule.step(batch)
    elif RANK == RANKS - 1:
        schedule.step(target=target)
    else:
        schedule.step()


def most_alive(events):
    """The most micro-batches whose forward was done and whose backward was not."""
    alive = peak = 0
    for kind, *_ in events:
        alive += 1 if kind == "F" else -1
        peak = max(peak, alive)
    return peak


def draw(timelines, end):
    column_s = end / 66
    for rank, events in enumerate(timelines):
        row = ["."] * 67
        for kind, chunk, begin, done in events:
            sign = f"{chunk:x}"[-1] if kind == "F" else "="
            for column in range(int(begin / column_s), max(int(begin / column_s) + 1, int(done / column_s))):
                row[min(column, 66)] = sign
        say(f"  stage {rank} {''.join(row)}")


gradients = {}
for name, schedule_class in (("gpipe", ScheduleGPipe), ("1f1b", Schedule1F1B)):
    block, schedule, events = build(schedule_class)
    step(schedule)  # the first step exchanges shapes
    block.zero_grad()
    events.clear()
    dist.barrier()
    begin = now()
    step(schedule)
    gradients[name] = block.layer.weight.grad.clone()
    timelines = all_ranks([(kind, chunk, b - begin, e - begin) for kind, chunk, b, e in events])
    total = max(e[3] for row in timelines for e in row) - min(e[2] for row in timelines for e in row)
    busy = sum(e[3] - e[2] for row in timelines for e in row)
    say(f"{name}: digits are forwards, = backwards, . waiting")
    draw(timelines, total)
    for stage, row in enumerate(timelines):
        report.figure(f"alive_{name}_{stage}", f"micro-batches alive on stage {stage}, {name}",
                      most_alive(row), "count", exact=True)
    passes = [len(row) for row in timelines]
    report.figure(f"passes_{name}", f"passes of a stage, {name}", passes[0], "count", exact=True)
    report.check(f"work_{name}", len(set(passes)) == 1, f"{name}: every stage does the same number of passes")
    report.figure(f"total_{name}", f"step, {name}", total, "s")
    report.figure(f"bubble_{name}", f"idle share of the step, {name}", 1 - busy / (RANKS * total), "share")
report.check("same_gradients", torch.allclose(gradients["gpipe"], gradients["1f1b"], atol=1e-6),
             "both schedules give the same gradients")
report.finish()
