"""A real trace of DDP on two ranks: who is late, and what is slow?"""
import json
import sys

# rank, step, what, start ms, length ms: cut from torch.profiler's JSON
TRACE = """
0 A input        2.8   0.0
0 A forward      2.8 103.6
0 A backward   106.5 219.5
0 A all_reduce 209.7  36.8
0 A all_reduce 296.2  27.8
1 A input        0.0   0.0
1 A forward      0.0  90.2
1 A backward    90.2 239.6
1 A all_reduce 179.2  74.2
1 A all_reduce 283.2  41.0
0 B input      334.3   0.0
0 B forward    334.3 107.2
0 B backward   441.6 433.4
0 B all_reduce 499.6 335.5
0 B all_reduce 550.4 318.9
1 B input      332.8 250.3
1 B forward    583.2 119.2
1 B backward   702.4 168.7
1 B all_reduce 792.7  42.4
1 B all_reduce 843.7  29.5
"""
ROWS = [line.split() for line in TRACE.split("\n") if line]


def spans(rank, step, what):
    return [(float(start), float(start) + float(length))
            for r, s, w, start, length in ROWS
            if (r, s, w) == (str(rank), step, what)]


def read(rank, step):
    (input_at, input_end), = spans(rank, step, "input")
    (_, forward_end), = spans(rank, step, "forward")
    (_, backward_end), = spans(rank, step, "backward")
    mine = spans(rank, step, "all_reduce")
    theirs = spans(1 - rank, step, "all_reduce")
    last_launch = mine[-1][0]
    wait = transfer = 0.0
    for (start, end), (other, _) in zip(mine, theirs):
        everyone_in = max(start, other)
        wait += everyone_in - start
        transfer += end - everyone_in
    return {"input": input_end - input_at,
            "forward": forward_end - input_end,
            "backward": last_launch - forward_end,
            "exposed": backward_end - last_launch,
            "in kernels": wait + transfer, "wait": wait, "transfer": transfer}


def chrome_events():
    return [{"ph": "X", "pid": int(rank), "tid": int(what == "all_reduce"),
             "name": what, "ts": float(start) * 1e3, "dur": float(length) * 1e3}
            for rank, _, what, start, length in ROWS]


if "--chrome" in sys.argv:
    print(json.dumps(chrome_events()))
    sys.exit()

for step in "AB":
    reports = [read(rank, step) for rank in (0, 1)]
    print(f"step {step}, ms   rank 0  rank 1")
    for name in reports[0]:
        print(f"  {name:10}", *(f"{r[name]:7.1f}" for r in reports))
