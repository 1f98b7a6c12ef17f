import pyautogui, time
time.sleep(2)
shot = pyautogui.screenshot(); shot.save("screen.png")
pos = pyautogui.locateOnScreen("button.png", confidence=.9)
if pos: pyautogui.click(pos)
