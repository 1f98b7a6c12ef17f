import json, subprocess
import paho.mqtt.client as mqtt
ALLOWED = {"reboot-camera": ["systemctl", "restart", "camera"], "status": ["uptime"]}
def on_message(client, userdata, msg):
    name = json.loads(msg.payload)["action"]
    if name in ALLOWED:
        out = subprocess.run(ALLOWED[name], capture_output=True, text=True)
        client.publish("home/reply", out.stdout)
c = mqtt.Client(); c.on_message = on_message
c.connect("mqtt.local", 1883); c.subscribe("home/cmd"); c.loop_forever()
