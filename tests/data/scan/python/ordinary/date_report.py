from datetime import date, timedelta
import calendar
import locale
today = date(2024, 2, 28)
for i in range(3):
    d = today + timedelta(days=i)
    print(d.isoformat(), calendar.day_name[d.weekday()])
print(calendar.month(2024, 2), locale.getpreferredencoding())
