"""ZeRO on real processes: how many bytes of what does each rank really hold?"""
from contextlib import ExitStack

import torch
from torch.distributed.fsdp import fully_shard
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.distributed.tensor import DTensor
from torch.nn.parallel import DistributedDataParallel

from measure_common import RANKS, Report, all_ranks, collectives, knob, refuse, say, seconds, start

LAYERS = knob("layers", 4)
WIDTH = knob("width", 512)

device = start()
report = Report("02-zero-sharding")
if LAYERS % RANKS or WIDTH % RANKS:
    refuse(f"{LAYERS} layers of {WIDTH} rows do not divide over {RANKS} ranks; change layers or width")
data = torch.randn(8, WIDTH, device=device, dtype=torch.bfloat16)


class MixedAdam(torch.optim.Optimizer):
    """Adam as mixed precision has it: 2-byte weights and gradients, and for each of them
    a 4-byte copy of the weight and two 4-byte moments. That is the ledger of 16 bytes."""

    def __init__(self, params, lr=1e-3):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                mine, grad = local(p), local(p.grad).float()
                state = self.state[p]
                if not state:
                    state["master"] = mine.float().clone()
                    state["m"], state["v"] = torch.zeros_like(grad), torch.zeros_like(grad)
                state["m"].lerp_(grad, 0.1)
                state["v"].lerp_(grad * grad, 0.01)
                state["master"] -= group["lr"] * state["m"] / (state["v"].sqrt() + 1e-8)
                mine.copy_(state["master"])


def local(tensor):
    """The part of a tensor that is on this rank."""
    return tensor.to_local() if isinstance(tensor, DTensor) else tensor


def held(model, optimizer):
    """Bytes of weights, gradients and optimizer state on this rank."""
    size = lambda tensors: sum(local(t).nbytes for t in tensors)  # noqa: E731
    parameters = list(model.parameters())
    states = [t for s in optimizer.state.values() for t in s.values()]
    return size(parameters), size(p.grad for p in parameters if p.grad is not None), size(states)


def lend_to_old_fully_shard():
    """On the CPU, PyTorch 2.6 has streams without events, and autograd takes each gather for a
    change of the weights. Both are as in 2.7 after this; collectives and shards stay its own."""
    from torch.distributed.fsdp._fully_shard import _fsdp_param_group as groups

    torch.cpu.Stream.record_event = lambda stream: None
    torch.cpu.Stream.wait_event = lambda stream, event: None
    copy_out = groups.foreach_all_gather_copy_out

    def unnoticed(gathered, parameters, ranks):
        with ExitStack() as kept:
            for tensor in (t for p in parameters for t in p.all_gather_outputs):
                kept.enter_context(torch.autograd._unsafe_preserve_version_counter(tensor))
            copy_out(gathered, parameters, ranks)

    groups.foreach_all_gather_copy_out = unnoticed
    say("  note: PyTorch 2.6 on the CPU: what fully_shard lacks there is lent to it")


if device.type == "cpu" and not hasattr(torch.cpu.Stream, "record_event"):
    lend_to_old_fully_shard()


def build(stage):
    torch.manual_seed(0)
    layers = [torch.nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(LAYERS)]
    model = torch.nn.Sequential(*layers, torch.nn.GELU()).to(device, torch.bfloat16)
    if stage == 3:
        for layer in layers:
            fully_shard(layer)  # a layer is gathered when it is needed, and freed after it
        fully_shard(model)
        return model, MixedAdam(model.parameters())
    # One bucket, so that DDP's all-reduces are easy to count.
    ddp = DistributedDataParallel(model, bucket_cap_mb=1000, gradient_as_bucket_view=True)
    if stage == 1:
        return ddp, ZeroRedundancyOptimizer(ddp.parameters(), optimizer_class=MixedAdam, lr=1e-3)
    return ddp, MixedAdam(ddp.parameters())


def whole(model):
    full = [p.full_tensor() if isinstance(p, DTensor) else p for p in model.parameters()]
    return torch.cat([p.detach().float().flatten() for p in full])


final = {}
for stage, name in ((0, "ddp"), (1, "zero1"), (3, "fsdp")):
    say(name)
    model, optimizer = build(stage)

    def step():
        optimizer.zero_grad()
        model(data).square().mean().backward()
        optimizer.step()

    step()
    step()
    counts = collectives(step)
    inner = getattr(optimizer, "optim", optimizer)  # ZeRO-1 hides the rank's own part
    bytes_held = held(model, inner)
    final[name] = whole(model)
    for part, count in zip(("weights", "gradients", "optimizer"), bytes_held):
        report.figure(f"{part}_{name}", f"{part} on a rank, {name}", count, "B", exact=True)
    report.figure(f"state_{name}", f"all three on a rank, {name}", sum(bytes_held), "B", exact=True)
    report.check(f"even_{name}", len(set(all_ranks(bytes_held))) == 1, f"{name}: all ranks hold the same")
    for operation in ("all_reduce", "all_gather", "reduce_scatter", "broadcast"):
        count = counts.get(operation, 0)
        report.figure(f"{operation}_{name}", f"{operation} a step, {name}", count, "count", exact=True)
    report.figure(f"step_{name}", f"step, {name}", seconds(step), "s")

for name in ("zero1", "fsdp"):
    apart = (final[name] - final["ddp"]).abs().max().item()
    # All ran the same steps; fsdp adds up in another order, and bf16 keeps 8 bits.
    report.check(f"same_{name}", apart < 2e-2, f"{name}: the weights of DDP after the same steps")
report.finish()
