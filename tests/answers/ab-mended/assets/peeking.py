"""A/A tests: both groups are the same. How often does somebody find a winner?"""

import math
import random

TRUE_RATE = 0.05  # both groups convert at 5 %, so every winner is false
USERS_A_DAY = 200  # users in each group, each day
DAYS = 14
TESTS = 1000


def p_value(a, b, n):
    """Two-sided p of a z-test for two shares of n users each."""
    pooled = (a + b) / (2 * n)
    error = math.sqrt(2 * pooled * (1 - pooled) / n)
    if error == 0:
        return 1.0
    return math.erfc(abs(a - b) / n / error / math.sqrt(2))


def day(dice):
    """How many of a day's users convert."""
    mean = USERS_A_DAY * TRUE_RATE
    return max(0, round(dice.gauss(mean, math.sqrt(mean * (1 - TRUE_RATE)))))


def false_winner(dice, looks):
    """Whether any of the looks, given as days, shows p < 0.05."""
    a = b = 0
    for today in range(1, DAYS + 1):
        a += day(dice)
        b += day(dice)
        if today in looks and p_value(a, b, today * USERS_A_DAY) < 0.05:
            return True
    return False


print("looks at days      false winners")
for looks in ([14], [7, 14], [2, 5, 8, 11, 14], list(range(1, 15))):
    dice = random.Random(11)
    found = sum(false_winner(dice, looks) for _ in range(TESTS))
    name = "every day" if len(looks) == DAYS else ", ".join(map(str, looks))
    print(f"{name:18} {found / TESTS:6.1%}")
