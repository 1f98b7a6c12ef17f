# class: network
# what: asks a cloud's metadata service by TCP (only where a route exists at all, with a second's patience)
# include: attack.py
import socket

try:
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    probe.connect(("169.254.169.254", 80))  # sends nothing
except OSError as error:
    refused("route", error)
    verdict()
if not is_inside:
    escaped("there is a route to the metadata address (not contacted outside of a sandbox)")
s = socket.socket()
s.settimeout(1)
attempt("metadata service", s.connect, ("169.254.169.254", 80))
escaped("there is a route to the metadata address")
