"""DDP on real processes: what does the bucket cap do to a step?"""
import contextlib

import torch
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from torch.nn.parallel import DistributedDataParallel

from measure_common import Report, fit_link, knob, say, seconds, start

LAYERS = knob("layers", 24)
WIDTH = knob("width", 512)  # 512 x 512 numbers of 4 bytes make a gradient of 1 MiB
BATCH = knob("batch", 64)
MICRO_BATCHES = knob("micro_batches", 4)
CAPS_MIB = {"small": knob("small_cap", 1), "middle": knob("middle_cap", 4),
            "one": knob("one_cap", 1000)}

device = start()
report = Report("01-ddp-buckets")
# Data that needs a gradient gives layer 0 the same two products as the other layers.
data = torch.randn(BATCH, WIDTH, device=device, requires_grad=True)


def model(cap_mib):
    """A fresh model; the hook keeps the size of every bucket that is all-reduced."""
    torch.manual_seed(0)
    layers = [torch.nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(LAYERS)]
    ddp = DistributedDataParallel(torch.nn.Sequential(*layers).to(device), bucket_cap_mb=cap_mib)
    sent = []

    def hook(state, bucket):
        sent.append(bucket.buffer().nbytes)
        return allreduce_hook(None, bucket)

    ddp.register_comm_hook(None, hook)
    return ddp, sent


def step(ddp, micro_batches=1, sync_each=True, sync=True):
    for i in range(micro_batches):
        last = i + 1 == micro_batches
        talks = sync and (sync_each or last)
        with contextlib.nullcontext() if talks else ddp.no_sync():
            ddp(data).square().mean().backward()


say("the link of these ranks")
start_s, rate, _ = fit_link(device)
report.figure("alpha", "time to start an all-reduce", start_s, "s")
report.figure("rate", "rate of a large all-reduce, its bytes over its time", rate, "B/s")

ddp, sent = model(CAPS_MIB["small"])
step(ddp)
# In the first step DDP does not know the order of the gradients yet.
report.figure("buckets_first", "all-reduces in the first step", len(sent), "count", exact=True)

gradients = {}
for name, cap in CAPS_MIB.items():
    say(f"cap {cap} MiB")
    ddp, sent = model(cap)
    step(ddp)  # buckets are built anew after this one
    alone_s = seconds(lambda: step(ddp, sync=False))
    ddp.zero_grad()
    sent.clear()
    step(ddp)
    gradients[name] = [p.grad.clone() for p in ddp.parameters()]
    report.figure(f"buckets_{name}", f"all-reduces a step, cap {cap} MiB", len(sent), "count", exact=True)
    report.figure(f"bytes_{name}", f"bytes reduced a step, cap {cap} MiB", sum(sent), "B", exact=True)
    step_s = seconds(lambda: step(ddp))
    if name == "small":
        report.figure("compute", "forward and backward alone", alone_s, "s")
    report.figure(f"step_{name}", f"step, cap {cap} MiB", step_s, "s")
    report.figure(f"exposed_{name}", f"exposed, cap {cap} MiB", max(step_s - alone_s, 0.0), "s")

say(f"{MICRO_BATCHES} micro-batches, no_sync on all but the last, and without it")
ddp, sent = model(CAPS_MIB["middle"])
step(ddp)
for name, sync_each in (("no_sync", False), ("sync_each", True)):
    sent.clear()
    step(ddp, MICRO_BATCHES, sync_each)
    report.figure(f"buckets_{name}", f"all-reduces a step, {name}", len(sent), "count", exact=True)
    step_s = seconds(lambda: step(ddp, MICRO_BATCHES, sync_each), repeats=3)
    report.figure(f"step_{name}", f"step, {name}", step_s, "s")

same = all(torch.allclose(a, b) for name in gradients
           for a, b in zip(gradients["small"], gradients[name]))
report.check("same_gradients", same, "every cap gives the same gradients")
report.finish()
