# class: everyday; style: datetime
from datetime import date, timedelta

d = date(2026, 1, 1)
fridays = []
while d.year == 2026:
    if d.day == 13 and d.weekday() == 4:
        fridays.append(d.isoformat())
    d += timedelta(days=1)
print(fridays)
