#!/usr/bin/python3
"""dashboards.py - writes the Grafana dashboards beside it from the table of docs/metrics.md.

    deploy/grafana/dashboards.py           writes overview.json, agents.json, security.json, capacity.json
    deploy/grafana/dashboards.py --check   exit code 1 where one of them is not as it would be written

A panel names a metric of the table; type and meaning come from there: a counter is shown as a rate, a histogram as its
quantiles, a gauge as it is, and the unit follows from the name's end. An unknown metric, an unknown label, and a
metric of ours that no dashboard shows are errors.
"""
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE.parents[1] / "docs/metrics.md"
COLUMNS = 24
RATE = "[$__rate_interval]"
WHERE = 'instance=~"$instance"'
UNITS = {"bytes": "bytes", "seconds": "s", "ratio": "percentunit"}
SOURCE = {"type": "prometheus", "uid": "${datasource}"}


def metric(title, name, by=(), kind="timeseries", width=8):
    return {
        "title": title,
        "metric": name,
        "by": [by] if isinstance(
            by,
            str) else list(by),
        "kind": kind,
        "width": width}


def stat(title, name, by=()):
    return metric(title, name, by, kind="stat", width=4)


def query(title, expr, unit="short", legend="{{instance}}", kind="timeseries", width=8, says=""):
    """expr: written_out() says how metrics are named."""
    return {"title": title, "expr": expr, "unit": unit, "legend": legend, "kind": kind, "width": width, "says": says}


def words(title, text):
    return {"title": title, "text": text, "kind": "text", "width": COLUMNS}


DASHBOARDS = {
    "overview": ("Sandbox agent: overview", [
        ("Now", [
            query("Answers", 'min(@up{job="sandbox-agent"})', kind="stat", width=4, legend="",
                  says="0: an instance does not answer Prometheus."),
            stat("Running", "executions_running"), stat("Queued", "executions_queued"), stat("Launcher", "launcher_up"),
            stat("Problems in the audit", "audit_problems"), stat("Draining", "draining")]),
        ("Executions", [
            metric("Executions, by how they ended", "executions_total", "reason"),
            query("Share that failed",
                  'sum(rate(@executions_total{reason!~"completed|policy_denied"}))'
                  ' / sum(rate(@executions_total{reason!="policy_denied"}))',
                  "percentunit", "failed",
                  says="Of those that ran. SandboxAgentFailureRateHigh fires above one half."),
            metric("Executions, by level", "executions_total", "level"),
            metric("Executions, by language", "executions_total", "language"),
            metric("How long programs ran", "execution_duration_seconds"),
            metric("Until a program started", "startup_seconds")]),
        ("Service", [
            metric("Requests, by status", "http_requests_total", "code"),
            metric("Until an answer", "http_request_seconds"),
            metric("Versions", "build_info", "version"),
            metric("Reloads of the configuration", "config_reloads_total", "result"),
            stat("Last reload succeeded", "config_last_reload_successful"),
            query("Age of the configuration", "time() - @config_last_reload_success_timestamp_seconds", "s",
                  kind="stat", width=4,
                  says="Since it was read.")])]),
    "agents": ("Sandbox agent: agents", [
        ("Who", [
            words("Which agent?",
                  "Agents are no labels: what a client sends cannot make new series. Which "
                  "agents are busy says "
                  "`GET /api/v1/sandbox/attempts`, what is known of one `GET /api/v1/sandbox/agents/ID` "
                  "or `sandbox-agent agents show ID --why`."),
            metric("Agents, by standing", "agents", "standing"),
            metric("Agents, by trust", "agents_by_trust", "range"),
            metric("Requests of the busiest agent within an hour", "agent_attempts_max")]),
        ("What they are refused", [
            metric("Refusals, by rule", "refusals_total", "rule", width=12),
            metric("Rate limits that refused", "rate_limit_refusals_total", "limit", width=12)]),
        ("What they use", [
            metric("CPU, by level", "cpu_seconds_total", "level"),
            metric("CPU, by language", "cpu_seconds_total", "language"),
            metric("Most memory at once", "peak_memory_bytes"),
            metric("Came near a limit", "executions_near_limit_total", "limit"),
            metric("Clients that left", "clients_gone_total")])]),
    "security": ("Sandbox agent: security", [
        ("What was stopped", [
            metric("Kill switches, by name", "kill_switches_total", "name"),
            metric("Violations, by type", "violations_total", "type"),
            metric("Violations, by severity", "violations_total", "severity"),
            query("Agents in quarantine or banned", 'sum by (standing) (@agents{standing!="good"})',
                  legend="{{standing}}",
                  says="By standing."),
            query("Refusals by the scan", 'sum(rate(@refusals_total{rule="scan"}))', "ops", "scan",
                  says="Executions whose code the scan refused."),
            metric("Malformed requests", "http_bad_requests_total")]),
        ("The record", [
            metric("Lines of the audit", "audit_lines_total"),
            metric("Until a line was written", "audit_write_seconds"),
            metric("The audit's file", "audit_file_bytes"),
            metric("Not run, since the audit was not written", "audit_failures_total"),
            query("Since the audit was verified", "time() - @audit_verified_timestamp_seconds", "s",
                  says="The service does it once in security.audit_verify_interval."),
            query("Since another node signed the audit", "time() - @audit_witnessed_timestamp_seconds", "s",
                  says="Nodes of a fleet witness each other."),
            query("Since it signed those it witnesses", "time() - @fleet_cosigned_timestamp_seconds", "s",
                  says="The oldest of their last checkpoints."),
            metric("Audits of other nodes that it does not sign", "fleet_audits_refused"),
            metric("Nodes with other policies", "fleet_policies_differ"),
            query("Until the first key expires", "@key_expiry_timestamp_seconds - time()", "s",
                  says="Absent where none expires.")]),
        ("Those who are told", [
            metric("Messages to people", "alert_messages_total", "result"),
            metric("Posts to webhooks", "webhook_posts_total", "result"),
            metric("Attempts that failed", "webhook_retries_total"),
            metric("Posts that wait", "webhook_posts_waiting"),
            query("Lines of the log that were lost", "rate(@log_lines_dropped_total)", "ops",
                  says="Those that standard output, journald or syslog did not take. SandboxAgentLogLinesLost fires."),
            query("Posts to the collector", "sum by (instance, result) (rate(@otlp_posts_total))", "ops",
                  "{{instance}} {{result}}",
                  says="SandboxAgentTelemetryLost fires where one is given up."),
            query("Runs without a trace", "rate(@otlp_runs_dropped_total)", "ops",
                  says="Since too many waited for the collector. SandboxAgentTelemetryLost fires.")])]),
    "capacity": ("Sandbox agent: capacity", [
        ("Turns", [
            query("Taken of the queue", "@executions_queued / @queue_capacity", "percentunit",
                  says="SandboxAgentQueueFilling fires above 80 %."),
            metric("How long executions waited", "queue_seconds"),
            metric("Refused, since too many waited", "queue_full_total"),
            metric("Running", "executions_running"), metric("Interpreters that wait", "warm_waiting"),
            metric("Runs that found one waiting", "warm_claims_total", "result"),
            metric("Interpreters that ended while they waited", "warm_lost_total"),
            metric("Launchers started anew", "launcher_restarts_total")]),
        ("What a run waits for", [
            metric("Scan", "scan_seconds"),
            metric("Store", "store_seconds"),
            metric("Calls of the store that failed", "store_failures_total")]),
        ("Contents beyond this node", [
            metric("Waits for the content store", "content_waiting"),
            metric("Written there", "content_written_total"),
            metric("Attempts that failed", "content_retries_total"),
            metric("Stays on its node alone", "content_dropped_total")]),
        ("Connections", [
            metric("Open", "http_connections"), metric("Accepted", "http_connections_total"),
            metric("Refused for want of room", "http_connections_refused_total"),
            metric("Closed to make room", "http_connections_evicted_total"),
            metric("Past a deadline", "http_timeouts_total")]),
        ("Machine", [
            query("Free of the disk", "@disk_free_bytes / @disk_size_bytes", "percentunit", "{{instance}} {{place}}",
                  says="Of the file system of state or logs. SandboxAgentDiskLow fires below 10 %."),
            metric("The service's own CPU", "process_cpu_seconds_total"),
            metric("Its memory", "process_resident_memory_bytes"),
            query("Its descriptors", "@process_open_fds / @process_max_fds", "percentunit",
                  says="Of those that it may have."),
            metric("Its threads", "process_threads")])]),
}


def known():
    rows = re.findall(r"^\| `(\w+)` \| (counter|gauge|histogram) \| (.*?) \| (.*) \|$", TABLE.read_text(), re.M)
    return {name: (kind, re.findall(r"`(\w+)`", labels), meaning) for name, kind, labels, meaning in rows}


METRICS = known()
shown = set()


def full(name):
    found = name if name in METRICS else "sandbox_agent_" + name
    if found not in METRICS:
        raise SystemExit("dashboards.py: there is no metric %s in docs/metrics.md" % name)
    shown.add(found)
    return found


def unit_of(name, kind):
    if kind == "counter":
        return "percentunit" if name.endswith("cpu_seconds_total") else "ops"
    return next((unit for end, unit in UNITS.items() if name.endswith("_" + end)), "short")


def expressions(name, by):
    """-> [(expression, legend)]"""
    kind, labels, _ = METRICS[name]
    if set(by) - set(labels):
        raise SystemExit("dashboards.py: %s has no label %s" % (name, ", ".join(set(by) - set(labels))))
    legend = " ".join("{{%s}}" % label for label in by) or "{{instance}}"
    grouped = ", ".join(by or ["instance"])
    if kind == "histogram":
        inner = "sum by (%s) (rate(%s_bucket{%s}%s))" % (", ".join(["le", *by]), name, WHERE, RATE)
        return [("histogram_quantile(%s, %s)" %
                 (q, inner), ("%s " %
                              legend if by else "") + "%g %%" %
                 (100 * q)) for q in (0.5, 0.95, 0.99)]
    inner = "rate(%s{%s}%s)" % (name, WHERE, RATE) if kind == "counter" else "%s{%s}" % (name, WHERE)
    return [("sum by (%s) (%s)" % (grouped, inner), legend)]


def written_out(expr):
    """@name{…}: the metric by its full name, for the chosen instances; rate() over Grafana's interval."""
    def one(match):
        wanted = match[1] if match[1] == "up" else full(match[1])
        return "%s{%s}" % (wanted, ", ".join(filter(None, [(match[2] or "")[1:-1], WHERE])))
    text = re.sub(r"@(\w+)(\{[^}]*\})?", one, expr)
    return re.sub(r"rate\((\w+\{[^}]*\})\)", lambda m: "rate(%s%s)" % (m[1], RATE), text)


OPTIONS = {
    "timeseries": {
        "legend": {
            "calcs": [
                "lastNotNull",
                "max"],
            "displayMode": "table",
            "placement": "bottom",
            "showLegend": True},
        "tooltip": {
            "mode": "multi",
                    "sort": "desc"}},
    "stat": {
        "colorMode": "value",
        "graphMode": "area",
        "justifyMode": "auto",
        "orientation": "auto",
        "percentChangeColorMode": "standard",
        "showPercentChange": False,
        "textMode": "auto",
        "wideLayout": True,
        "reduceOptions": {
            "calcs": ["lastNotNull"],
            "fields": "",
            "values": False}},
    "text": {
        "mode": "markdown",
        "content": ""},
}
CUSTOM = {
    "timeseries": {
        "drawStyle": "line",
        "fillOpacity": 10,
        "lineWidth": 1,
        "showPoints": "never",
        "spanNulls": False}}


def panel(p, number, x, y):
    made = {"id": number, "type": p["kind"], "title": p["title"], "gridPos": {
        "x": x, "y": y, "w": p["width"], "h": height(p)}, "options": dict(OPTIONS[p["kind"]])}
    if p["kind"] == "text":
        made["options"]["content"] = p["text"]
        return made
    if "metric" in p:
        name = full(p["metric"])
        pairs, unit, says = expressions(name, p["by"]), unit_of(name, METRICS[name][0]), METRICS[name][2]
    else:
        pairs, unit, says = [(written_out(p["expr"]), p["legend"])], p["unit"], p["says"]
    made["description"] = says
    made["datasource"] = SOURCE
    made["targets"] = [{"refId": chr(ord("A") + i), "datasource": SOURCE, "expr": expr,
                        "legendFormat": legend, "range": True} for i, (expr, legend) in enumerate(pairs)]
    made["fieldConfig"] = {"defaults": {"unit": unit, "min": 0, "custom": CUSTOM.get(p["kind"], {})}, "overrides": []}
    return made


def height(p):
    return {"stat": 4, "text": 3}.get(p["kind"], 8)


def panels(rows):
    made, y = [], 0
    for title, row in rows:
        made.append({"id": len(made) + 1, "type": "row", "title": title, "collapsed": False,
                    "panels": [], "gridPos": {"x": 0, "y": y, "w": COLUMNS, "h": 1}})
        y, x, tallest = y + 1, 0, 0
        for p in row:
            if x + p["width"] > COLUMNS:
                x, y, tallest = 0, y + tallest, 0
            made.append(panel(p, len(made) + 1, x, y))
            x, tallest = x + p["width"], max(tallest, height(p))
        y += tallest
    return made


def variables():
    return [{"name": "datasource",
             "type": "datasource",
             "label": "Data source",
             "query": "prometheus",
             "hide": 0},
            {"name": "instance",
             "type": "query",
             "label": "Instance",
             "datasource": SOURCE,
             "multi": True,
             "includeAll": True,
             "allValue": ".*",
             "query": {"query": "label_values(%s, instance)" % full("build_info"),
                       "refId": "instances"},
             "refresh": 2,
             "sort": 1,
             "current": {"text": ["All"],
                         "value": ["$__all"],
                         "selected": True}}]


def dashboard(uid, title, rows):
    return {"uid": "sandbox-agent-" + uid,
            "title": title,
            "tags": ["sandbox-agent"],
            "schemaVersion": 39,
            "editable": True,
            "graphTooltip": 1,
            "time": {"from": "now-6h",
                     "to": "now"},
            "refresh": "30s",
            "timezone": "browser",
            "templating": {"list": variables()},
            "links": [{"title": "Sandbox agent",
                       "type": "dashboards",
                       "tags": ["sandbox-agent"],
                       "asDropdown": True,
                       "includeVars": True,
                       "keepTime": True,
                       "icon": "external link",
                       "targetBlank": False,
                       "tooltip": "",
                       "url": ""}],
            "panels": panels(rows)}


def main():
    texts = {HERE / (uid + ".json"): json.dumps(dashboard(uid, *spec), indent=1,
                                                ensure_ascii=False) + "\n" for uid, spec in DASHBOARDS.items()}
    unseen = sorted(m for m in METRICS if m.startswith("sandbox_agent_") and m not in shown)
    if unseen:
        raise SystemExit("dashboards.py: no dashboard shows " + ", ".join(unseen))
    if "--check" in sys.argv[1:]:
        stale = [p.name for p, text in texts.items() if not p.exists() or p.read_text() != text]
        raise SystemExit("not as deploy/grafana/dashboards.py would write it: " + ", ".join(stale) if stale else 0)
    for path, text in texts.items():
        path.write_text(text)


if __name__ == "__main__":
    main()
