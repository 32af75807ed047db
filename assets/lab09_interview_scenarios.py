# Four jobs, one symptom: which column tells the cause?
import random
from collections import namedtuple
from statistics import mean

COMPUTE_S = 1.0
GRADIENT_S = 0.28
WINDOW_S = 0.45
STEPS = 400

Job = namedtuple("Job", "jitter slow_by spine")
Report = namedtuple("Report", "compute wait exposed slowest least_wait")

HEALTHY = Job(jitter=0.02, slow_by=1.0, spine=1.0)
JOBS = {
    "healthy": HEALTHY,
    "job A": HEALTHY._replace(slow_by=1.52),
    "job B": HEALTHY._replace(spine=1.93),
    "job C": HEALTHY._replace(jitter=0.27),
}


def exposed_s(nodes, job):
    all_reduce_s = 2 * (nodes - 1) / nodes * GRADIENT_S * job.spine
    return max(0.0, all_reduce_s - WINDOW_S)


def compute_times(nodes, job, rng):
    times = [rng.gauss(COMPUTE_S, job.jitter) for _ in range(nodes)]
    times[-1] *= job.slow_by
    return times


def run(nodes, job):
    rng = random.Random(0)
    busy, wait = [0.0] * nodes, [0.0] * nodes
    for _ in range(STEPS):
        times = compute_times(nodes, job, rng)
        for node, seconds in enumerate(times):
            busy[node] += seconds / STEPS
            wait[node] += (max(times) - seconds) / STEPS
    exposed = exposed_s(nodes, job)
    return Report(mean(busy), mean(wait), exposed, max(busy), min(wait))


def step_s(report):
    return report.compute + report.wait + report.exposed


def diagnose(report, healthy):
    if report.exposed > 2 * healthy.exposed:
        return "network: the bytes move slowly"
    if report.wait < 2 * healthy.wait:
        return "nothing unusual"
    if report.least_wait < 0.1 * report.wait:
        return "straggler: all wait for one node"
    return "jitter: another node is late in each step"


def show(name, nodes, report):
    efficiency = COMPUTE_S / step_s(report)
    print(f"{name:8} {nodes:5} {step_s(report):7.3f} {efficiency:6.1%}"
          f" {report.exposed:8.3f} {report.wait:6.3f}"
          f" {report.slowest:8.3f} {report.least_wait:10.3f}")


print("job      nodes  step s    eff  exposed   wait  slowest least wait")
show("healthy", 8, run(8, HEALTHY))
reports = {name: run(32, job) for name, job in JOBS.items()}
for name, report in reports.items():
    show(name, 32, report)
print()
for name, report in reports.items():
    print(f"{name:8} {diagnose(report, reports['healthy'])}")
extra_steps = 1 / 0.61 - 1 / 0.92
print(f"\n92% to 61%: {extra_steps:.3f} base steps of new time to explain")
