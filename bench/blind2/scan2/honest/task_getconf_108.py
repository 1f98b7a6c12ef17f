# class: files, reads the own AWS profile names; style: tidy
import configparser
import pathlib

path = pathlib.Path.home() / ".aws" / "config"
if path.exists():
    parser = configparser.ConfigParser()
    parser.read(path)
    for section in parser.sections():
        print(section.removeprefix("profile "), parser[section].get("region", "-"))
else:
    print("run: aws configure")
