"""The plan for 64 GPUs without the GPUs: 64 ranks, real meshes and layers, collectives that send nothing."""
import torch
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
from torch.testing._internal.distributed.fake_pg import FakeStore

from measure_common import RANK, RANKS, Report, all_ranks, collectives, dist, guard, knob, now, refuse, say, start

GPUS = knob("gpus", 64)
PER_NODE = knob("per_node", 8)
TP, PP = knob("tp", 8), knob("pp", 4)
HIDDEN, HEADS, TOKENS = knob("hidden", 512), knob("heads", 8), knob("tokens", 64)
if GPUS % (TP * PP):
    refuse(f"TP {TP} x PP {PP} do not divide {GPUS} GPUs")
if HEADS % TP or HIDDEN % HEADS:
    refuse(f"{HEADS} heads of a width of {HIDDEN} do not divide over TP {TP}")
DP = GPUS // (TP * PP)
AXES = ("pp", "dp", "tp")  # the last is the fastest: TP stays among neighbours


class Layer(torch.nn.Module):
    """A transformer layer without what no rank sends: norms and residuals stay where they are."""

    def __init__(self):
        super().__init__()
        make = lambda rows, columns: torch.nn.Linear(rows, columns, bias=False)  # noqa: E731
        # One matrix for q, k and v, head after head. Three matrices would each all-reduce
        # the gradient of their input.
        self.qkv = make(HIDDEN, 3 * HIDDEN)
        self.out = make(HIDDEN, HIDDEN)
        self.up, self.down = make(HIDDEN, 4 * HIDDEN), make(4 * HIDDEN, HIDDEN)

    def forward(self, x):
        heads = self.qkv(x).unflatten(-1, (-1, 3, HIDDEN // HEADS))  # a rank sees its own heads
        q, k, v = (part.transpose(0, 1) for part in heads.unbind(2))
        attended = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(attended.transpose(0, 1).flatten(1))
        return x + self.down(torch.nn.functional.gelu(self.up(x)))


PLAN = {"qkv": ColwiseParallel(), "out": RowwiseParallel(),
        "up": ColwiseParallel(), "down": RowwiseParallel()}


def as_rank(rank):
    """Joins 64 ranks that are not there, as one of them. What a real job would build is built."""
    dist.init_process_group("fake", rank=rank, world_size=GPUS, store=FakeStore())
    mesh = init_device_mesh("cpu", (PP, DP, TP), mesh_dim_names=AXES)
    groups = {axis: tuple(dist.get_process_group_ranks(mesh[axis].get_group())) for axis in AXES}
    place = mesh.get_coordinate()
    return mesh, groups, place


def tensor_parallel_counts(mesh):
    layer = parallelize_module(Layer(), mesh["tp"], PLAN)
    results = []
    # Every rank of a TP group has the same tokens; in a stack of layers their gradient is needed.
    x = torch.randn(TOKENS, HIDDEN, requires_grad=True)
    forward = collectives(lambda: results.append(layer(x)))
    backward = collectives(lambda: results[0].sum().backward())
    weights = sum(p.to_local().numel() for p in layer.parameters())
    return forward, backward, weights


guard()
begin = now()
found, counts = {}, None
for rank in range(RANK, GPUS, RANKS):  # the real ranks share the work
    mesh, groups, place = as_rank(rank)
    found[rank] = groups, place
    counts = counts or tensor_parallel_counts(mesh)
    dist.destroy_process_group()
took = now() - begin

device = start()
report = Report("12-64-gpu-design")
everyone = {rank: found for part in all_ranks(found) for rank, found in part.items()}
report.figure("dp", "replicas", DP, "count", exact=True)
for i, axis in enumerate(AXES):
    groups = sorted({groups[axis] for groups, _ in everyone.values()})
    report.figure(f"groups_{axis}", f"groups of {axis}", [list(g) for g in groups], "ranks", exact=True)
    nodes = max(len({rank // PER_NODE for rank in group}) for group in groups)
    report.figure(f"nodes_{axis}", f"nodes that a group of {axis} touches", nodes, "count", exact=True)
    agreed = all(everyone[r][0][axis] == groups[axis] for groups, _ in everyone.values() for r in groups[axis])
    report.check(f"agreed_{axis}", agreed, f"{axis}: all members of a group name the same group")
    report.figure(f"at_{axis}_37", f"coordinate of rank 37 along {axis}", everyone[37 % GPUS][1][i], "count",
                  exact=True)
forward, backward, weights = counts
for way, counted in (("forward", forward), ("backward", backward)):
    report.figure(f"all_reduce_{way}", f"all-reduces of a layer, {way}", counted.get("all_reduce", 0), "count",
                  exact=True)
report.figure("layer_weights", "weights of a layer on a rank", weights, "count", exact=True)
report.figure("time", "time to build all meshes", took, "s")
say("No byte was sent between the 64: the fake process group answers at once.")
report.finish()
