"""English numbers in words."""

ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
    "eighteen", "nineteen",
)  # fmt: skip
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
IRREGULAR_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}


def cardinal_words(number: int, *, joined: bool = False) -> str:
    """A whole number from 0 to 999,999,999; `joined` says "and" after hundreds.

    Raises ValueError beyond that.
    """
    if not 0 <= number < 1_000_000_000:
        raise ValueError(f"{number} is too large to be spelled")
    if number < 20:
        return ONES[number]
    if number < 100:
        tens = TENS[number // 10 - 2]
        return f"{tens} {ONES[number % 10]}" if number % 10 else tens
    for value, name in ((1_000_000, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= value:
            head = f"{cardinal_words(number // value, joined=joined)} {name}"
            rest = number % value
            link = " and " if joined and rest < 100 else " "
            return f"{head}{link}{cardinal_words(rest, joined=joined)}" if rest else head
    raise AssertionError("no number gets here")


def ordinal_words(number: int, *, joined: bool = False) -> str:
    """The same as an ordinal: 21 is "twenty first"."""
    *head, last = cardinal_words(number, joined=joined).split(" ")
    if last in IRREGULAR_ORDINALS:
        last = IRREGULAR_ORDINALS[last]
    elif last.endswith("y"):
        last = f"{last[:-1]}ieth"
    else:
        last = f"{last}th"
    return " ".join([*head, last])


def year_words(number: int) -> str:
    """A year from 1000 to 9999 in two halves: 1984 is "nineteen eighty four"."""
    century, rest = divmod(number, 100)
    if century % 10 == 0 and rest < 10:
        return cardinal_words(number)
    if rest == 0:
        return f"{cardinal_words(century)} hundred"
    low = f"oh {ONES[rest]}" if rest < 10 else cardinal_words(rest)
    return f"{cardinal_words(century)} {low}"
