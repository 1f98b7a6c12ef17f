# udev helper: names the modem
case "$ID_VENDOR_ID:$ID_MODEL_ID" in
  12d1:1506) echo "modem0" ;;
  *) exit 1 ;;
esac
[ -w /sys/class/leds/modem/brightness ] && echo 1 > /sys/class/leds/modem/brightness
