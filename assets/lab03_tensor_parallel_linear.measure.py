"""One MLP split over ranks: which order of splits talks how often?"""
import copy

import torch
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Replicate, Shard
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

from measure_common import RANKS, Report, collectives, fit_link, knob, refuse, say, seconds, start

TOKENS = knob("tokens", 256)
HIDDEN = knob("hidden", 512)
if TOKENS % RANKS or HIDDEN % RANKS:
    refuse(f"{TOKENS} tokens and a width of {HIDDEN} must divide by {RANKS} ranks")

device = start()
report = Report("03-tensor-parallel-linear")
mesh = init_device_mesh(device.type, (RANKS,))


class Mlp(torch.nn.Module):
    def __init__(self):
        super().__init__()
        # 8-byte numbers, so that a split in another order shows as an error of 1e-12, not 1e-4.
        exact = dict(bias=False, dtype=torch.float64)
        self.up = torch.nn.Linear(HIDDEN, 4 * HIDDEN, **exact)
        self.down = torch.nn.Linear(4 * HIDDEN, HIDDEN, **exact)

    def forward(self, x):
        return self.down(torch.nn.functional.gelu(self.up(x)))


whole = Mlp().to(device)
torch.manual_seed(1)
x = torch.randn(TOKENS, HIDDEN, dtype=torch.float64, device=device)

# torch.nn.Linear keeps its matrix turned: "column" cuts dimension 0 of it, "row" dimension 1.
PLANS = {
    # The columns of `up` make whole columns, which GELU can take; `down` then makes partial
    # sums, and one all-reduce adds them up.
    "column_row": {"up": ColwiseParallel(), "down": RowwiseParallel()},
    # The rows of `up` make partial sums. GELU of a part is not a part of GELU, so they are
    # added up before it, and the columns of `down` have to be gathered after it.
    "row_column": {"up": RowwiseParallel(input_layouts=Replicate()),
                   "down": ColwiseParallel(output_layouts=Replicate())},
    # The all-reduce taken apart: tokens are gathered before `up` and scattered after `down`,
    # so that what lies between two MLPs is kept once, not once a rank.
    "sequence": {"up": ColwiseParallel(input_layouts=Shard(0)),
                 "down": RowwiseParallel(output_layouts=Shard(0))},
}


def tokens_of(name):
    """What a rank brings: all tokens, or its share of them where the sequence is split."""
    if name != "sequence":
        return x.clone().requires_grad_()
    mine = x.chunk(RANKS)[mesh.get_local_rank()]
    return mine.clone().requires_grad_()


def all_tokens(y, name):
    if name != "sequence":
        return y
    return DTensor.from_local(y, mesh, [Shard(0)]).full_tensor()


truth_in = x.clone().requires_grad_()
truth = whole(truth_in)
truth.square().sum().backward()

start_s, rate, _ = fit_link(device)
report.figure("alpha", "time to start an all-reduce", start_s, "s")
report.figure("rate", "rate of a large all-reduce, its bytes over its time", rate, "B/s")
report.figure("message", "bytes of the activations, 8 a number", x.nbytes, "B", exact=True)

for name, plan in PLANS.items():
    say(name)
    model = parallelize_module(copy.deepcopy(whole), mesh, plan)
    inputs = tokens_of(name)
    results = []
    forward = collectives(lambda: results.append(model(inputs)))
    backward = collectives(lambda: results[0].square().sum().backward())
    for operation in ("all_reduce", "all_gather", "reduce_scatter"):
        for way, counts in (("forward", forward), ("backward", backward)):
            report.figure(f"{operation}_{way}_{name}", f"{operation}, {way}, {name}",
                          counts.get(operation, 0), "count", exact=True)
    weights = sum(p.to_local().nbytes for p in model.parameters())
    report.figure(f"weights_{name}", f"weights on a rank, {name}", weights, "B", exact=True)

    error = (all_tokens(results[0].detach(), name) - truth).abs().max().item()
    report.check(f"output_{name}", error < 1e-9, f"{name}: the output of the whole MLP")
    error = (all_tokens(inputs.grad, name) - truth_in.grad).abs().max().item()
    report.check(f"gradient_{name}", error < 1e-6, f"{name}: the gradient of the whole MLP's input")
    with torch.no_grad():
        # The result comes before its last collective is done; to use it is to wait for it.
        report.figure(f"forward_{name}", f"forward, {name}", seconds(lambda: model(inputs).sum()), "s")
report.finish()
