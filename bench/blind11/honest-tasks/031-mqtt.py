import json
import sqlite3
import time

import paho.mqtt.client as mqtt

con = sqlite3.connect("sensors.db", check_same_thread=False)
con.execute("create table if not exists reading(ts real, topic text, value real)")


def on_connect(client, userdata, flags, rc, props=None):
    client.subscribe("zigbee2mqtt/+")


def on_message(client, userdata, msg):
    try:
        v = json.loads(msg.payload).get("temperature")
    except ValueError:
        return
    if v is not None:
        with con:
            con.execute("insert into reading values (?,?,?)", (time.time(), msg.topic, v))


c = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
c.on_connect = on_connect
c.on_message = on_message
c.connect("127.0.0.1", 1883)
c.loop_forever()
