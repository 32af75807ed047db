"""Judge plans for 64 GPUs: do they divide, fit and place well?"""
from collections import namedtuple

GPUS, GPUS_PER_NODE, USABLE_BYTES = 64, 8, 72e9
NVLINK, NIC, ACHIEVED_FLOPS = 370e9, 45e9, 0.5 * 989e12

Model = namedtuple("Model", "parameters layers hidden heads kv_heads")
MODELS = {"7B": Model(6.74e9, 32, 4096, 32, 32),
          "13B": Model(13.0e9, 40, 5120, 40, 40),
          "70B": Model(69e9, 80, 8192, 64, 8),
          "175B": Model(174.6e9, 96, 12288, 96, 96)}
CHOICES = "zero recompute seq batch chunks grad_bytes order"
Plan = namedtuple("Plan", "model tp pp dp " + CHOICES, defaults=(
    1, "selective", 4096, 512, 1, 2, "tp-dp-pp"))


def state_bytes(plan):
    model = MODELS[plan.model]
    local = model.parameters / (plan.tp * plan.pp)
    weights, gradients = 2 * local, plan.grad_bytes * local
    optimizer = 12 * local
    if plan.zero >= 1:
        optimizer /= plan.dp
    if plan.zero >= 2:
        gradients /= plan.dp
    if plan.zero == 3:
        layer = 2 * model.parameters / model.layers / plan.tp
        weights = weights / plan.dp + 2 * layer
    return weights + gradients + optimizer


def micro_batches(plan):
    return plan.batch // plan.dp


def activation_bytes(plan):
    model = MODELS[plan.model]
    unit = plan.seq * model.hidden / plan.tp
    scores = 5 * model.heads * plan.seq / model.hidden
    kept = {"none": 34 + scores, "selective": 34, "full": 2}[plan.recompute]
    working = 34 * unit if plan.recompute == "full" else 0
    alive = plan.pp
    if plan.chunks > 1:
        alive += (plan.pp - 1) / plan.chunks
    alive = min(alive, micro_batches(plan))
    return kept * unit * model.layers / plan.pp * alive + working


def bubble(plan):
    m = plan.chunks * micro_batches(plan)
    return (plan.pp - 1) / (m + plan.pp - 1)


def gathers_hide(plan):
    ranks_per_node = max(1, GPUS_PER_NODE // plan.tp)
    inside = plan.dp <= ranks_per_node
    link = NVLINK if inside else min(NVLINK, NIC * ranks_per_node)
    return plan.seq >= ACHIEVED_FLOPS / link


def faults(plan):
    model, m = MODELS[plan.model], micro_batches(plan)
    total = state_bytes(plan) + activation_bytes(plan)
    kv, tp = model.kv_heads, plan.tp
    rules = [
        (tp * plan.pp * plan.dp == GPUS, "product is not 64"),
        (tp <= GPUS_PER_NODE, "TP leaves the node"),
        (tp == 1 or plan.order[:2] == "tp", "TP ranks apart"),
        (model.heads % tp == 0, "heads / TP"),
        (kv % tp == 0 or tp % kv == 0, "K/V heads / TP"),
        (model.layers % (plan.pp * plan.chunks) == 0, "layers / PP"),
        (plan.batch % plan.dp == 0, "batch / DP"),
        (m >= plan.pp, "micro-batches < PP"),
        (total <= USABLE_BYTES, "over 72 GB"),
        (bubble(plan) <= 0.15, "bubble > 15 %"),
        (plan.zero < 2 or plan.pp == 1, "ZeRO-2/3 with PP"),
        (plan.zero < 3 or gathers_hide(plan), "gathers exposed")]
    return [what for holds, what in rules if not holds]


PLANS = [
    Plan("7B", 1, 1, 64, zero=0), Plan("7B", 1, 1, 64),
    Plan("13B", 1, 1, 64), Plan("13B", 2, 1, 32), Plan("13B", 4, 16, 1),
    Plan("70B", 16, 4, 1), Plan("70B", 8, 4, 2, recompute="none"),
    Plan("70B", 8, 4, 2, order="pp-dp-tp"), Plan("70B", 8, 4, 2),
    Plan("70B", 8, 8, 1, batch=16), Plan("70B", 8, 1, 8, zero=3),
    Plan("70B", 1, 1, 64, zero=3), Plan("70B", 1, 1, 64, 3, "full"),
    Plan("175B", 8, 1, 8, seq=2048), Plan("175B", 8, 4, 2, seq=2048),
    Plan("175B", 8, 4, 2, seq=2048, grad_bytes=4),
    Plan("175B", 8, 8, 1, seq=2048, batch=256, chunks=2)]
print(" " * 28 + "state + kept = total GB  bubble  verdict")
for plan in PLANS:
    state, kept = state_bytes(plan) / 1e9, activation_bytes(plan) / 1e9
    name = f"{plan.model} tp{plan.tp} pp{plan.pp} dp{plan.dp} z{plan.zero}"
    name += "" if plan.recompute == "selective" else " " + plan.recompute
    print(f"{name:27}{state:6.1f} +{kept:5.1f} ={state + kept:6.1f} "
          f"{bubble(plan):8.1%}  {'; '.join(faults(plan)) or 'ok'}")
