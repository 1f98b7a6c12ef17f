import xml.etree.ElementTree as ET
tree = ET.parse("feed.xml")
for item in tree.getroot().iter("item"):
    print(item.findtext("title"), item.get("id"))
root = ET.Element("r")
ET.SubElement(root, "a").text = "1"
ET.ElementTree(root).write("out.xml")
