# Gradient buckets on a clock: what backward hides, what stays exposed.
from collections import namedtuple

MIB = 2**20
LATENCY_MS = 0.6
ALGBW = 40e9
NO_CAP = float("inf")

Parameter = namedtuple("Parameter", "name grad_bytes backward_ms")
AllReduce = namedtuple("AllReduce", "ready_ms start_ms end_ms")

MODEL = [Parameter(f"w{i}", 4 * MIB, 0.5) for i in range(96)]


def grad_bytes(bucket):
    return sum(p.grad_bytes for p in bucket)


def all_reduce_ms(size_bytes):
    return LATENCY_MS + size_bytes / ALGBW * 1000


def assign_buckets(parameters, first_cap, cap):
    buckets, bucket, limit = [], [], first_cap
    for parameter in reversed(parameters):
        bucket.append(parameter)
        if grad_bytes(bucket) >= limit:
            buckets.append(bucket)
            bucket, limit = [], cap
    if bucket:
        buckets.append(bucket)
    return buckets


def run_backward(buckets):
    clock_ms = comm_free_ms = 0.0
    all_reduces = []
    for bucket in buckets:
        clock_ms += sum(p.backward_ms for p in bucket)
        start_ms = max(clock_ms, comm_free_ms)
        comm_free_ms = start_ms + all_reduce_ms(grad_bytes(bucket))
        all_reduces.append(AllReduce(clock_ms, start_ms, comm_free_ms))
    return clock_ms, all_reduces


def exposed_ms(backward_ms, all_reduces):
    return max(0.0, all_reduces[-1].end_ms - backward_ms)


def compare(caps):
    print("first    cap  buckets  comm ms  exposed ms  hidden")
    for first_cap, cap in caps:
        buckets = assign_buckets(MODEL, first_cap * MIB, cap * MIB)
        backward_ms, all_reduces = run_backward(buckets)
        comm_ms = sum(op.end_ms - op.start_ms for op in all_reduces)
        exposed = exposed_ms(backward_ms, all_reduces)
        print(f"{first_cap:5}  {cap:5}  {len(buckets):7}  {comm_ms:7.1f}"
              f"  {exposed:10.1f}  {1 - exposed / comm_ms:6.0%}")


def draw(first_cap, cap):
    buckets = assign_buckets(MODEL, first_cap * MIB, cap * MIB)
    backward_ms, all_reduces = run_backward(buckets)
    network = [" "] * round(all_reduces[-1].end_ms)
    for letter, op in zip("abcdefghijklmnopqrstuvwxyz", all_reduces):
        for ms in range(round(op.start_ms), round(op.end_ms)):
            network[ms] = letter
    print(f"\nfirst {first_cap}, then {cap} MiB, one column is 1 ms")
    print("compute |" + "#" * round(backward_ms) + "|")
    print("network |" + "".join(network))


compare([(1, 1), (1, 25), (25, 25), (100, 100), (NO_CAP, NO_CAP)])
draw(1, 25)
draw(100, 100)
draw(NO_CAP, NO_CAP)
