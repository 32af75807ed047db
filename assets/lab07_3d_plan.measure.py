"""A device mesh on real processes: who shares a group with whom, and what does an all-reduce reach?"""
import torch
from torch.distributed.device_mesh import init_device_mesh

from measure_common import RANK, RANKS, Report, all_ranks, dist, knob, refuse, say, seconds, start

TP = knob("tp", 2)
PP = knob("pp", 2 if RANKS % 4 == 0 else 1)
MESSAGE_MIB = knob("message", 4)
if RANKS % (TP * PP):
    refuse(f"TP {TP} x PP {PP} do not divide {RANKS} ranks; change tp or pp")
DP = RANKS // (TP * PP)
DEGREE = {"tp": TP, "dp": DP, "pp": PP}
# The first axis is the fastest: its ranks are neighbours.
ORDERS = {"tp_first": ("tp", "dp", "pp"), "pp_first": ("pp", "dp", "tp")}

device = start()
report = Report("07-3d-plan")
message = torch.ones(MESSAGE_MIB * 2**18, device=device)


def members(group):
    """Which ranks a group reaches, asked of the network: each adds a one at its own place."""
    places = torch.zeros(RANKS, device=device)
    places[RANK] = 1
    dist.all_reduce(places, group=group)
    return places.nonzero().flatten().tolist()


def coordinate(rank, axis, order):
    """The rank as a number whose digits are the coordinates, the fastest axis last."""
    for a in order:
        if a == axis:
            return rank % DEGREE[a]
        rank //= DEGREE[a]


for name, order in ORDERS.items():
    say(f"{name}: fastest axis first, {' '.join(order)}")
    slowest_first = tuple(reversed(order))  # a mesh is an array, and its last dimension is the fastest
    mesh = init_device_mesh(device.type, tuple(DEGREE[a] for a in slowest_first),
                            mesh_dim_names=slowest_first)
    for axis in ("tp", "dp", "pp"):
        group = mesh[axis].get_group()
        reached = members(group)
        promised = dist.get_process_group_ranks(group)
        report.check(f"reached_{axis}_{name}", reached == sorted(promised),
                     f"{axis}, {name}: an all-reduce reaches the ranks that the mesh names")
        own = mesh.get_local_rank(axis)
        report.check(f"place_{axis}_{name}", own == coordinate(RANK, axis, order),
                     f"{axis}, {name}: the coordinate of every rank follows from the order")
        groups = [list(g) for g in sorted({tuple(g) for g in all_ranks(reached)})]
        report.figure(f"groups_{axis}_{name}", f"groups of {axis}, {name}", groups, "ranks", exact=True)
        took = seconds(lambda: dist.all_reduce(message, group=group))
        report.figure(f"time_{axis}_{name}", f"all-reduce in all {axis} groups at once, {name}", took, "s")
report.finish()
