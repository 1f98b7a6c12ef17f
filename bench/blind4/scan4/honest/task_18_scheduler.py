# jobs inside the process, every hour and at night
import logging
import time
import schedule

from jobs import refresh_cache, send_digest

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
schedule.every().hour.at(":05").do(refresh_cache)
schedule.every().day.at("02:30").do(send_digest)
try:
    while True:
        schedule.run_pending()
        time.sleep(5)
except KeyboardInterrupt:
    logging.info("scheduler stopped")
