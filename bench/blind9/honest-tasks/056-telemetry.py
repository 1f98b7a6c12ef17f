#!/usr/bin/env python3
"""Reads CPU temperature, load and a 1-wire sensor, publishes to the broker at home."""
import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

import paho.mqtt.client as mqtt

HOST = os.environ.get("MQTT_HOST", "broker.home.example")
TOPIC = f"home/{socket.gethostname()}"


def readings():
    t = Path("/sys/class/thermal/thermal_zone0/temp")
    if t.exists():
        yield "cpu_temp", int(t.read_text()) / 1000
    yield "load", os.getloadavg()[0]
    for s in Path("/sys/bus/w1/devices").glob("28-*/w1_slave"):
        text = s.read_text()
        if "YES" in text:
            yield s.parent.name, int(text.rsplit("t=", 1)[1]) / 1000


client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
client.username_pw_set(os.environ["MQTT_USER"], os.environ["MQTT_PASS"])
client.tls_set()
client.will_set(f"{TOPIC}/state", "offline", retain=True)
client.connect(HOST, 8883)
client.loop_start()
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
try:
    client.publish(f"{TOPIC}/state", "online", retain=True)
    while True:
        client.publish(f"{TOPIC}/values", json.dumps(dict(readings())))
        time.sleep(60)
finally:
    client.disconnect()
