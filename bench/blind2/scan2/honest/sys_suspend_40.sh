# class: power; style: pm-utils hook
#!/bin/sh
case "${1}/${2}" in
  pre/*)
    pkill -STOP -u mpd mpd 2>/dev/null
    rmmod r8169 2>/dev/null
    echo disabled > /sys/bus/usb/devices/1-2/power/wakeup
    hwclock --systohc ;;
  post/*)
    modprobe r8169
    pkill -CONT -u mpd mpd 2>/dev/null
    systemctl try-restart NetworkManager chrony ;;
esac
