"""Generated queries, run where they are meant to: the result, read back, is the same evidence as that of the stream."""

import calendar
import csv
import http.server
import importlib.util
import json
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse
import urllib.request

PROGRAM = os.environ["LIFECYCLE_PROGRAM"]
# The folder with the packages of the parser for LogQL; none if they cannot be installed.
LOGQL_PARSER = os.environ.get("LOGQL_PARSER", "")
MODEL = ["--builtin", "kubernetes", "--to", "1.37"]
# Requests of a cluster: old versions, new ones of the same group, a deprecated kind of a stable version, a subresource.
RESOURCES = [
    ("flowcontrol.apiserver.k8s.io", "v1beta2", "flowschemas", ""),
    ("flowcontrol.apiserver.k8s.io", "v1", "flowschemas", ""),
    ("batch", "v1beta1", "cronjobs", "status"),
    ("batch", "v1", "jobs", ""),
    ("policy", "v1beta1", "poddisruptionbudgets", ""),
    ("policy", "v1beta1", "unheardof", ""),
    ("", "v1", "endpoints", ""),
    ("", "v1", "pods", "log"),
]


def program(*arguments):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


def event(chance, number):
    group, version, resource, subresource = chance.choice(RESOURCES)
    second = number % 60
    stamp = f"2026-01-{1 + number // 400:02}T10:{number % 59:02}:{second:02}.{number % 1000000:06}Z"
    reference = {"resource": resource, "namespace": chance.choice(["web", "shop", ""]), "name": "a"}
    reference["apiVersion"] = version
    if group:
        reference["apiGroup"] = group
    if subresource:
        reference["subresource"] = subresource
    return {
        "kind": "Event",
        "apiVersion": "audit.k8s.io/v1",
        "level": "Metadata",
        "auditID": str(number),
        "stage": chance.choice(["ResponseComplete", "ResponseComplete", "RequestReceived", "Panic"]),
        "requestURI": "/",
        "verb": "get",
        "user": {"username": chance.choice(["ann", "o'brien", 'say "hi"', "system:serviceaccount:shop:deployer"])},
        "userAgent": chance.choice(["kubectl/v1.29.0 (linux/amd64) kubernetes/abc", "curl/8", ""]),
        "objectRef": reference,
        "requestReceivedTimestamp": stamp,
        "stageTimestamp": stamp,
    }


# The parts of a query in LogQL, as `test_loki` follows them.
LOGQL = re.compile(
    r"""sum by \((?P<by>[^)]*)\) \(\s*count_over_time\(\s*"""
    r"""\{job="audit"\} \|~ (?P<line>"(?:[^"\\]|\\.)*")\s*"""
    r"""\| json (?P<labels>[^|]*)\| __error__="" \| stage=~(?P<stage>"[^"]*") \| version=~(?P<version>"[^"]*") """
    r"""\| resource!=""\s*\[1d\]\s*\)\s*\)\s*or\s*"""
    r"""label_replace\(0 \* sum\(count_over_time\(\{job="audit"\}\[1d\]\)\), (?P<name>"[^"]*"), (?P<value>"[^"]*"), "", ""\)\s*"""
)


def in_loki(query, lines):
    """What Loki's documentation says that it answers to the query for each day. No Loki runs."""
    [found] = [LOGQL.fullmatch("".join(line for line in query.splitlines(True) if not line.startswith("#")))]
    text = {name: json.loads(found[name]) for name in ("line", "stage", "version", "name", "value")}
    paths = dict(re.findall(r'(\w+)="([^"]*)"', found["labels"]))
    by = found["by"].split(", ")
    counts, days = {}, {}
    for line in lines:
        # A line of the log that is cut has a time in Loki all the same.
        day = re.search(r'"requestReceivedTimestamp":"(\d{4}-\d\d-\d\d)', line)
        if day is None:
            continue
        days[day[1]] = days.get(day[1], 0) + 1
        if not re.search(text["line"], line):
            continue
        labels = {}
        for name, path in paths.items():
            value = json.loads(line)
            for step in path.split("."):
                value = value.get(step, "") if isinstance(value, dict) else ""
            labels[name] = value
        stays = all(re.fullmatch(text[name], labels[name]) for name in ("stage", "version"))
        if stays and labels["resource"]:
            series = tuple((name, labels[name]) for name in by if labels[name])
            series = counts.setdefault(series, {})
            series[day[1]] = series.get(day[1], 0) + 1
    counts[((text["name"], text["value"]),)] = {day: 0 for day in days}
    # A range of a day ends at the time of its value.
    ends = {day: calendar.timegm(time.strptime(day, "%Y-%m-%d")) + 86400 for day in days}
    result = [
        {"metric": dict(series), "values": [[ends[day], str(count)] for day, count in sorted(of_days.items())]}
        for series, of_days in counts.items()
    ]
    return {"status": "success", "data": {"resultType": "matrix", "result": result}}


def seen(evidence):
    """What evidence says, without where it is from."""
    [source] = evidence["sources"]
    return {key: source[key] for key in ("elements", "periods", "usage")}


class Engines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.log = cls.folder / "audit.log"
        chance = random.Random(7)
        lines = [json.dumps(event(chance, number), separators=(",", ":")) for number in range(4000)]
        lines[77] = lines[77][:100]
        cls.log.write_text("\n".join(lines) + "\n")
        cls.streamed = json.loads(program("usage", str(cls.log), *MODEL, "--format", "json"))

    def read_back(self, name, rows, columns):
        result = self.folder / f"{name}.csv"
        with result.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows(rows)
        return json.loads(program("usage", str(result), *MODEL, "--format", "json"))

    def compare(self, name, rows, columns):
        self.maxDiff = None
        self.assertGreater(len(self.streamed["sources"][0]["usage"]), 50)
        self.assertEqual(seen(self.read_back(name, rows, columns)), seen(self.streamed))

    def query(self, dialect):
        return program("usage", "query", "--for", "sql", "--dialect", dialect, *MODEL)

    def test_the_stream_counts_the_damaged_line(self):
        [source] = self.streamed["sources"]
        self.assertEqual((source["lines"], source["lost"], source["lost_at"][0]["line"]), (4000, 1, 78))

    @unittest.skipUnless(importlib.util.find_spec("duckdb"), "DuckDB cannot be installed")
    def test_duckdb(self):
        import duckdb

        engine = duckdb.connect()
        engine.execute(
            "CREATE VIEW audit AS SELECT line FROM read_csv(?, columns = {'line': 'VARCHAR'}, delim = '\x01', quote = '', "
            "escape = '', header = false, auto_detect = false)".replace("?", f"'{self.log}'")
        )
        result = engine.execute(self.query("duckdb"))
        self.compare("duckdb", result.fetchall(), [column[0] for column in result.description])

    @unittest.skipUnless(importlib.util.find_spec("pyspark") and shutil.which("java"), "Spark or Java cannot be installed")
    def test_spark(self):
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
        builder = builder.config("spark.ui.showConsoleProgress", "false").config("spark.sql.shuffle.partitions", "1").config("spark.driver.host", "127.0.0.1")
        engine = builder.config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
        self.addCleanup(engine.stop)
        engine.read.text(str(self.log)).withColumnRenamed("value", "line").createOrReplaceTempView("audit")
        result = engine.sql(self.query("spark"))
        self.compare("spark", [tuple(row) for row in result.collect()], result.columns)

    @unittest.skipUnless(importlib.util.find_spec("sqlglot"), "sqlglot cannot be installed")
    def test_other_dialects_are_read_by_a_parser(self):
        import sqlglot

        for dialect in ["spark", "trino", "bigquery", "clickhouse", "duckdb"]:
            with self.subTest(dialect):
                [statement] = sqlglot.parse(self.query(dialect), read=dialect, error_level=sqlglot.ErrorLevel.RAISE)
                self.assertEqual(statement.find(sqlglot.exp.Command), None)
                names = statement.named_selects
                self.assertEqual(names[0], "element")
                self.assertEqual(len(names), 8)

    def test_what_the_query_for_loki_means_is_the_evidence_of_the_stream(self):
        query = program("usage", "query", "--for", "logql", *MODEL)
        answer = self.folder / "loki.json"
        answer.write_text(json.dumps(in_loki(query, self.log.read_text().splitlines())))
        [source] = json.loads(program("usage", str(answer), *MODEL, "--format", "json"))["sources"]
        [streamed] = self.streamed["sources"]
        without_times = [{**usage, "first_seen": None, "last_seen": None} for usage in streamed["usage"]]
        self.assertEqual(source["usage"], without_times)
        for key in ("elements", "periods"):
            self.assertEqual(source[key], streamed[key])

    @unittest.skipUnless(LOGQL_PARSER, "the parser for LogQL cannot be installed")
    def test_the_query_for_loki_is_read_by_a_parser(self):
        parse = ["node", "tests/engines/logql.mjs", LOGQL_PARSER]
        for query, expected in [
            (program("usage", "query", "--for", "logql", *MODEL), 0),
            ('sum by (a) (count_over_time({job="audit"} |~ | json [1d]))', 1),
        ]:
            parsed = subprocess.run(parse, input=query, capture_output=True, text=True, check=False)
            self.assertEqual(parsed.returncode, expected, parsed.stdout + parsed.stderr)

    @unittest.skipUnless(shutil.which("prometheus"), "Prometheus cannot be installed")
    def test_prometheus(self):
        metrics = self.folder / "metrics"
        metrics.write_text(
            "# TYPE apiserver_request_total counter\n"
            'apiserver_request_total{group="batch",version="v1beta1",resource="cronjobs",verb="GET",code="200"} 40\n'
            'apiserver_request_total{group="batch",version="v1beta1",resource="cronjobs",verb="LIST",code="200"} 2\n'
            'apiserver_request_total{group="batch",version="v1",resource="cronjobs",verb="LIST",code="200"} 7\n'
            "# TYPE apiserver_requested_deprecated_apis gauge\n"
            'apiserver_requested_deprecated_apis{group="batch",version="v1beta1",resource="cronjobs"} 1\n'
        )
        answer = self.folder / "answer.json"
        answer.write_bytes(self.ask(metrics, program("usage", "query", "--for", "promql", *MODEL)))
        evidence = json.loads(program("usage", str(answer), *MODEL, "--format", "json"))
        [source] = evidence["sources"]
        used = [(usage["element"], usage["count"]) for usage in source["usage"]]
        self.assertEqual(used, [("batch/v1beta1 CronJob", 42)])
        self.assertEqual(source["elements"], self.streamed["sources"][0]["elements"])

    def ask(self, metrics, query):
        """Serves the metrics, lets Prometheus scrape them, and asks it, until it has an answer."""
        handler = type(
            "Handler",
            (http.server.BaseHTTPRequestHandler,),
            {"do_GET": lambda self: serve(self, metrics.read_bytes()), "log_message": lambda *_: None},
        )
        target = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=target.serve_forever, daemon=True).start()
        self.addCleanup(target.shutdown)
        settings = self.folder / "prometheus.yml"
        address = f"127.0.0.1:{target.server_port}"
        settings.write_text(
            "global: {scrape_interval: 1s, scrape_timeout: 1s}\n"
            f"scrape_configs: [{{job_name: apiserver, static_configs: [{{targets: ['{address}']}}]}}]\n"
        )
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        server = subprocess.Popen(
            [
                "prometheus",
                f"--config.file={settings}",
                f"--storage.tsdb.path={self.folder / 'tsdb'}",
                f"--web.listen-address=127.0.0.1:{port}",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        form = urllib.parse.urlencode({"query": query}).encode()
        for _ in range(120):
            time.sleep(1)
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/query", form) as response:
                    answer = response.read()
            except urllib.error.HTTPError as problem:
                self.fail(problem.read().decode())
            except OSError:
                continue
            if len(json.loads(answer)["data"]["result"]) > 1:
                return answer
        self.fail("Prometheus had no answer in two minutes")
        return b""


def serve(handler, content):
    handler.send_response(200)
    handler.send_header("Content-Type", "text/plain; version=0.0.4")
    handler.end_headers()
    handler.wfile.write(content)


if __name__ == "__main__":
    unittest.main()
