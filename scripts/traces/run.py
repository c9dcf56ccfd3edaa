#!/usr/bin/env python3
"""Starts a gannet with sources and a collector of traces on the loopback, and reads what arrives by the published protocol. Used by scripts/traces.sh.

    run.py GANNET
"""
import base64, http.client, http.server, json, pathlib, sys, threading

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from serving import Service, Sources

IDENTIFIERS = {"traceId": 16, "spanId": 8, "parentSpanId": 8}


def readable(value):
    """Identifiers are in hexadecimal digits here, and in base64 in the JSON of protobuf."""
    if isinstance(value, list): return [readable(part) for part in value]
    if not isinstance(value, dict): return value
    result = {}
    for name, part in value.items():
        if name in IDENTIFIERS:
            data = bytes.fromhex(part)
            assert len(data) == IDENTIFIERS[name] and data.hex() == part and any(data), (name, part)
            result[name] = base64.b64encode(data).decode()
        else: result[name] = readable(part)
    return result


class Collector(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        try:
            assert self.path == "/v1/traces" and self.headers["Content-Type"] == "application/json", self.path
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.server.requests.append(json_format.ParseDict(readable(body), ExportTraceServiceRequest(), ignore_unknown_fields=False))
        except Exception as error: self.server.faults.append(f"{type(error).__name__}: {error}")
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_): pass


collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
collector.requests, collector.faults = [], []
threading.Thread(target=collector.serve_forever, daemon=True).start()

sources = Sources()
service = Service(sys.argv[1], sources, "--traces", f"http://127.0.0.1:{collector.server_port}")
trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


def get(name, **fields):
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=30)
    connection.request("GET", f"/_/rs:fit:20:20/f:png/plain/{sources.url(name)}", headers=fields)
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status


of_client = {"traceparent": f"00-{trace}-{parent}-01", "tracestate": "vendor=1"}
assert get("a.png", **of_client) == 200
assert get("a.png", **of_client) == 200
assert get("a.png", traceparent=f"00-{trace}-{parent}-00") == 200
assert get("b.png", traceparent="nonsense") == 200
assert get("none") == 404
assert get("damaged") == 415
code = service.stop()
assert code in (0, 143), f"The service ended with {code}: {service.errors()}"

assert not collector.faults, collector.faults
spans = [span for request in collector.requests for part in request.resource_spans for scope in part.scope_spans for span in scope.spans]
names = {field.key: field.value.string_value for request in collector.requests for part in request.resource_spans for field in part.resource.attributes}
assert names["service.name"] == "gannet" and names["service.version"], names
roots = [span for span in spans if span.kind == Span.SPAN_KIND_SERVER]
assert len(roots) == 5, [span.name for span in roots]
mine = [span for span in roots if span.trace_id.hex() == trace]
assert len(mine) == 2 and all(span.parent_span_id.hex() == parent and span.trace_state == "vendor=1" for span in mine)
assert all(not span.parent_span_id for span in roots if span.trace_id.hex() != trace)


def attributes(span): return {field.key: getattr(field.value, field.value.WhichOneof("value")) for field in span.attributes}


assert [attributes(span)["gannet.origin"] for span in mine] == ["made", "memory"]
assert sorted(attributes(span)["http.response.status_code"] for span in roots) == [200, 200, 200, 404, 415]
for span in roots:
    fields = attributes(span)
    assert span.name == "GET thumbnail" and fields["http.request.method"] == "GET" and fields["url.scheme"] == "http", fields
    assert fields["server.address"] == "127.0.0.1" and fields["server.port"] == service.port, fields
known = {(span.trace_id, span.span_id): span for span in spans}
assert len(known) == len(spans)
for span in spans:
    assert 1.7e18 < span.start_time_unix_nano <= span.end_time_unix_nano
    assert span.status.code in (Status.STATUS_CODE_UNSET, Status.STATUS_CODE_ERROR)
    if span.kind != Span.SPAN_KIND_SERVER:
        above = known[(span.trace_id, span.parent_span_id)]
        assert above.start_time_unix_nano <= span.start_time_unix_nano, (span.name, above.name)
below = {span.name for span in spans if span.trace_id.hex() == trace and span.kind != Span.SPAN_KIND_SERVER}
assert below >= {"gannet.load", "GET", "gannet.decode", "gannet.encode", "gannet.lookup", "gannet.keep"}, below
print(f"{len(spans)} spans in {len(collector.requests)} requests.")
