"""Tensor parallelism: split one MLP over ranks, find where they talk."""
import math
import random

TOKENS, HIDDEN, WIDE, RANKS, BYTES = 12, 8, 32, 4, 2
random.seed(0)


def random_matrix(rows, columns):
    return [[random.uniform(-1, 1) for _ in range(columns)]
            for _ in range(rows)]


def matmul(a, b):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, col)) for col in columns]
            for row in a]


def transpose(a):
    return [list(column) for column in zip(*a)]


def gelu(a):
    return [[x * (1 + math.erf(x / 2**.5)) / 2 for x in row] for row in a]


def add_up(partials):
    return [[sum(cells) for cells in zip(*row)] for row in zip(*partials)]


def split_rows(a):
    n = len(a) // RANKS
    return [a[rank * n:(rank + 1) * n] for rank in range(RANKS)]


def split_columns(a):
    return [transpose(shard) for shard in split_rows(transpose(a))]


sent = []


def count(collective, message, passes):
    size = len(message) * len(message[0]) * BYTES
    sent.append((collective, passes * (RANKS - 1) * size // RANKS))


def all_reduce(partials):
    count("all-reduce", partials[0], passes=2)
    return [add_up(partials)] * RANKS


def reduce_scatter(partials):
    count("reduce-scatter", partials[0], passes=1)
    return split_rows(add_up(partials))


def all_gather(shards):
    whole = [row for shard in shards for row in shard]
    count("all-gather", whole, passes=1)
    return [whole] * RANKS


def on_each_rank(operation, *operands):
    return [operation(*mine) for mine in zip(*operands)]


def report(name, result, truth):
    error = max(abs(x - y) for row, true_row in zip(result, truth)
                for x, y in zip(row, true_row))
    talk = ", ".join(f"{how} {size} bytes" for how, size in sent) or "nothing"
    print(f"{name:27}{error:8.3f}   {talk}")
    sent.clear()


X = random_matrix(TOKENS, HIDDEN)
A, B = random_matrix(HIDDEN, WIDE), random_matrix(WIDE, HIDDEN)
truth = matmul(gelu(matmul(X, A)), B)
same_x = [X] * RANKS
print("variant                       error   sent by each rank")

up = on_each_rank(matmul, same_x, split_columns(A))
partials = on_each_rank(matmul, on_each_rank(gelu, up), split_rows(B))
report("no exchange", partials[0], truth)
report("column then row", all_reduce(partials)[0], truth)
gathered = all_gather(reduce_scatter(partials))
report("same, sequence parallel", gathered[0], truth)

wide = on_each_rank(matmul, split_columns(X), split_rows(A))
too_early = on_each_rank(matmul, on_each_rank(gelu, wide), [B] * RANKS)
report("row first, GELU too early", all_reduce(too_early)[0], truth)
summed = all_reduce(wide)
report("row first, all-reduce first", matmul(gelu(summed[0]), B), truth)

d_up = random_matrix(TOKENS, WIDE)
d_up_shards = split_columns(d_up)
A_transposed = on_each_rank(transpose, split_columns(A))
d_x = all_reduce(on_each_rank(matmul, d_up_shards, A_transposed))
report("backward, input gradient", d_x[0], matmul(d_up, transpose(A)))
d_A = on_each_rank(matmul, [transpose(X)] * RANKS, d_up_shards)
true_d_A = split_columns(matmul(transpose(X), d_up))
report("backward, weight gradient", d_A[2], true_d_A[2])

mine = [split_columns(A)[0], split_rows(B)[0]]
print("weights per rank:", sum(len(w) * len(w[0]) for w in mine),
      "of", 2 * HIDDEN * WIDE)
