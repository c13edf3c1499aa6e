"""Weekday, day of the year and moon of a date: python3 almanac.py 2026-11-23"""

import sys

WEEKDAYS = ["Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday"]
PHASES = ["new", "waxing crescent", "first quarter", "waxing gibbous",
          "full", "waning gibbous", "last quarter", "waning crescent"]
LUNATION = 29.530588


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def day_number(year, month, day):
    """Days since 1 March of the year 0, which was a Wednesday."""
    if month < 3:
        year, month = year - 1, month + 12
    before = (153 * (month - 3) + 2) // 5
    return 365 * year + year // 4 - year // 100 + year // 400 + before + day - 1


def moon_age(number):
    """Days since the last new moon, give or take half a day."""
    known = day_number(2000, 1, 6) + 0.6
    return (number + 0.5 - known) % LUNATION


def describe(text):
    year, month, day = (int(part) for part in text.split("-"))
    number = day_number(year, month, day)
    of_year = number - day_number(year, 1, 1) + 1
    age = moon_age(number)
    phase = PHASES[round(age / LUNATION * 8) % 8]
    length = 366 if is_leap(year) else 365
    return f"{WEEKDAYS[number % 7]}, day {of_year} of {length}, moon {age:.1f} days old ({phase})"


if __name__ == "__main__":
    print(describe(sys.argv[1]))
