import yaml, jinja2
cfg = yaml.safe_load(open("site.yaml"))
env = jinja2.Environment(loader=jinja2.FileSystemLoader("templates"), autoescape=True)
for page in cfg["pages"]:
    with open("public/%s.html" % page["slug"], "w") as f:
        f.write(env.get_template(page["template"]).render(**page))
