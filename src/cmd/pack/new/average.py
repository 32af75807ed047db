def average(values):
    return sum(values) / len(values)


print(average([2, 4, 9]))
