import datetime as dt
def workdays(a, b): return sum((a + dt.timedelta(i)).weekday() < 5 for i in range((b - a).days))
print(workdays(dt.date(2024, 1, 1), dt.date(2024, 12, 31)))
