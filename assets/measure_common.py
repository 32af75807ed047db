"""What the measured labs share: a safe start, knobs, clocks, counters, one line of JSON."""
import datetime
import faulthandler
import json
import math
import os
import platform
import statistics
import sys
import threading
import time
import warnings

RANK = int(os.environ.get("RANK", 0))
RANKS = int(os.environ.get("WORLD_SIZE", 0))
ON_ONE_MACHINE = os.environ.get("LOCAL_WORLD_SIZE") == os.environ.get("WORLD_SIZE")
LIMIT_S = int(os.environ.get("INFRALENS_LIMIT", 120))
OLDEST = (2, 6)


def refuse(sentence):
    """Ends with one sentence and status 2. Only one rank speaks."""
    if RANK == 0:
        print(f"measure: {sentence}", file=sys.stderr, flush=True)
    sys.exit(2)


try:
    import torch
    import torch.distributed as dist
except ImportError:
    refuse("this Python has no PyTorch; install torch 2.6 or newer, or name another Python")
if tuple(int(n) for n in torch.__version__.split(".")[:2]) < OLDEST:
    refuse(f"this is PyTorch {torch.__version__}; the lab needs 2.6 or newer")
if RANKS == 0:
    refuse(f"start it with: torchrun --nproc-per-node 2 {os.path.basename(sys.argv[0])}")

knobs = {}


def knob(name, default):
    """A number that `name=value` on the command line, or INFRALENS_NAME, may change."""
    text = dict(a.split("=", 1) for a in sys.argv[1:] if "=" in a).get(name)
    text = text or os.environ.get(f"INFRALENS_{name.upper()}") or default
    try:
        knobs[name] = type(default)(text)
    except ValueError:
        refuse(f"{name} takes a number like {default}, not `{text}`")
    return knobs[name]


def say(text):
    if RANK == 0:
        print(text, file=sys.stderr, flush=True)


def is_there(process):
    try:
        os.kill(process, 0)  # signal 0 only asks
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def guard():
    """Ends this rank when it hangs, or when whoever started it is gone."""
    faulthandler.dump_traceback_later(LIMIT_S, exit=True)
    parent = os.getppid()
    tutor = int(os.environ.get("INFRALENS_PARENT", 0))

    def watch():
        while os.getppid() == parent and (tutor == 0 or is_there(tutor)):
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def start(least=2):
    """Joins the ranks; returns the device of this one."""
    guard()
    warnings.filterwarnings("ignore", module="torch")  # they speak to authors of libraries
    if RANKS < least:
        refuse(f"it needs {least} ranks or more, and {RANKS} was started: torchrun --nproc-per-node {least}")
    torch.manual_seed(0)
    torch.set_num_threads(1)
    local_rank = int(os.environ.get("LOCAL_RANK", 0))
    enough = torch.cuda.device_count() >= int(os.environ.get("LOCAL_WORLD_SIZE", RANKS))
    backend, device = ("nccl", f"cuda:{local_rank}") if enough else ("gloo", "cpu")
    if enough:
        torch.cuda.set_device(local_rank)
    elif ON_ONE_MACHINE and sys.platform == "linux":
        # A laptop's host name may lead nowhere; the loopback device always works.
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    # A collective whose partner is gone ends with an error instead of waiting for ever.
    dist.init_process_group(backend, timeout=datetime.timedelta(seconds=LIMIT_S / 2))
    say(f"{RANKS} ranks, {backend}, PyTorch {torch.__version__}")
    return torch.device(device)


def now():
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()
    return time.perf_counter()


def all_ranks(value):
    """What every rank has, in the order of the ranks."""
    values = [None] * RANKS
    dist.all_gather_object(values, value)
    return values


def seconds(action, repeats=5):
    """The median time of an action; a step is over when its slowest rank is."""
    taken = []
    action()
    for _ in range(repeats):
        dist.barrier()
        begin = now()
        action()
        taken.append(now() - begin)
    return max(all_ranks(statistics.median(taken)))


def collectives(action):
    """How often an action calls each collective, as DTensor's debug mode sees it."""
    from torch.distributed.tensor.debug import CommDebugMode

    mode = CommDebugMode()
    with mode:
        action()
    names = {"allreduce": "all_reduce", "allgather": "all_gather", "all_gather": "all_gather",
             "all_reduce": "all_reduce", "reduce_scatter": "reduce_scatter",
             "broadcast": "broadcast", "alltoall": "all_to_all", "all_to_all": "all_to_all"}
    counts = {}
    for operation, count in mode.get_comm_counts().items():
        text = str(operation)
        name = next((n for part, n in names.items() if part in text), text)
        counts[name] = counts.get(name, 0) + count
    return counts


def fit_link(device, sizes=(2**12, 2**16, 2**20, 2**22, 2**23)):
    """Fits time = start + bytes / rate to all-reduces. Relative errors count, so that
    the small messages, which show the start, weigh as much as the large ones."""
    times = []
    for size in sizes:
        message = torch.ones(size // 4, device=device)
        times.append(seconds(lambda: dist.all_reduce(message), repeats=7))
    w = [1 / t**2 for t in times]
    sw, sx = sum(w), sum(a * s for a, s in zip(w, sizes))
    sxx = sum(a * s * s for a, s in zip(w, sizes))
    sy, sxy = sum(a * t for a, t in zip(w, times)), sum(a * s * t for a, s, t in zip(w, sizes, times))
    slope = (sw * sxy - sx * sy) / (sw * sxx - sx * sx)
    start_s = max((sy - slope * sx) / sw, 1e-7)
    return start_s, 1 / max(slope, 1e-15), list(zip(sizes, times))


def cpu_model():
    try:
        with open("/proc/cpuinfo") as info:
            return next(line.split(":")[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


class Report:
    """Figures and checks of one lab; rank 0 prints them as one line."""

    def __init__(self, lab):
        self.lab, self.figures, self.checks, self.begin = lab, [], [], time.perf_counter()

    def figure(self, id, label, value, unit, exact=False):
        """`exact`: a count or a number of bytes, the same on every machine."""
        self.figures.append(dict(id=id, label=label, value=value, unit=unit, exact=exact))
        say(f"  {label}: {value if isinstance(value, (int, list)) else round(value, 4)} {unit}")

    def check(self, id, ok, what):
        """A check holds only where it holds on every rank."""
        ok = all(all_ranks(bool(ok)))
        self.checks.append(dict(id=id, ok=ok, what=what))
        say(f"  {'ok' if ok else 'NOT OK'}: {what}")

    def finish(self):
        gpus = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
        machine = dict(cpu=cpu_model(), cores=os.cpu_count(), gpus=gpus, system=platform.system(),
                       python=platform.python_version(), date=datetime.date.today().isoformat())
        line = dict(lab=self.lab, version=1, ranks=RANKS, torch=torch.__version__,
                    backend=dist.get_backend(), machine=machine, knobs=knobs,
                    seconds=round(time.perf_counter() - self.begin, 1),
                    figures=self.figures, checks=self.checks)
        if RANK == 0:
            print(json.dumps(line), flush=True)
        dist.barrier()
        leave(0 if all(c["ok"] for c in self.checks) else 1)  # an error on one rank is no success


def leave(status):
    """Ends this rank. Gloo is left as it is: PyTorch 2.6 holds Python's lock while it waits for
    Gloo's threads to end, and one of them may need the lock to let go of a tensor. NCCL is closed."""
    if dist.get_backend() != "gloo":
        dist.destroy_process_group()
    sys.stdout.flush()
    os._exit(status)


def simulated_router(tokens, experts, top_k, skew, seed):
    """The experts of each token, drawn as InfraLens's simulator draws them: SplitMix64 numbers,
    weights that fall off from expert 0, an alias table. The same seed gives the same tokens."""
    mask = 2**64 - 1

    def mixed(z):
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        return z ^ z >> 31

    state = mixed(seed ^ 0x123456789ABCDEF1)

    def share():
        nonlocal state
        state = state + 0x9E3779B97F4A7C15 & mask
        return (mixed(state) >> 11) / 2**53

    weights = [math.exp(-16 * skew * e / experts) for e in range(experts)]
    chance = [w / sum(weights) * experts for w in weights]
    slots = [(1.0, e) for e in range(experts)]
    small = [e for e in range(experts) if chance[e] < 1]
    large = [e for e in range(experts) if chance[e] >= 1]
    while small and large:
        poor, rich = small.pop(), large[-1]
        slots[poor] = chance[poor], rich
        chance[rich] -= 1 - chance[poor]
        if chance[rich] < 1:
            small.append(large.pop())

    def pick():
        place = share() * experts
        slot = min(int(place), experts - 1)
        keep, other = slots[slot]
        return slot if place - slot < keep else other

    def different():
        chosen = []
        for _ in range(8 * top_k):
            if len(chosen) == top_k:
                return chosen
            expert = pick()
            if expert not in chosen:
                chosen.append(expert)
        if len(chosen) < top_k:
            rest = [e for e in range(experts) if e not in chosen]
            times = [(-math.log(1 - share()) / max(weights[e], 1e-300), e) for e in rest]
            chosen += [e for _, e in sorted(times)[:top_k - len(chosen)]]
        return chosen

    return [different() for _ in range(tokens)]
