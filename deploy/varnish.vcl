# Varnish in front of several `gannet serve`: keeps answers, and sends all addresses of a source to one replica, so that each source is fetched
# once. Tested by scripts/cluster.sh, which replaces the ports. varnishd -a :8080 -f varnish.vcl -s file,/var/lib/varnish/gannet,50G
vcl 4.1;

import directors;

probe ready {
    .url = "/ready";
    .interval = 500ms;
    .timeout = 500ms;
    .window = 2;
    .threshold = 1;
    .initial = 1;
}

backend first { .host = "127.0.0.1"; .port = "8081"; .probe = ready; .connect_timeout = 500ms; .first_byte_timeout = 70s; }
backend second { .host = "127.0.0.1"; .port = "8082"; .probe = ready; .connect_timeout = 500ms; .first_byte_timeout = 70s; }
backend third { .host = "127.0.0.1"; .port = "8083"; .probe = ready; .connect_timeout = 500ms; .first_byte_timeout = 70s; }

sub vcl_init {
    # Replicas come and go; the ring moves only the share of the one that went.
    new replicas = directors.shard();
    replicas.add_backend(first);
    replicas.add_backend(second);
    replicas.add_backend(third);
    replicas.reconfigure();
}

sub vcl_recv {
    # For the network of the operators.
    if (req.url == "/metrics") { return (synth(404)); }
    if (req.url == "/health") { return (synth(200)); }
    if (req.method != "GET" && req.method != "HEAD") { return (synth(405)); }
    # Varnish adds the client to X-Forwarded-For: with `--trusted-proxy` clients have shares of their own, and are not one together with this proxy.
    # The field of RFC 7239 would be the client's own.
    unset req.http.Forwarded;
    unset req.http.Cookie;
    unset req.http.Authorization;
    # Hints choose sizes (`--client-hints`). `Vary` keeps an answer for each of their texts, which are many more than the sizes.
    unset req.http.Sec-CH-Width;
    unset req.http.Sec-CH-DPR;
    unset req.http.Width;
    unset req.http.DPR;
    # It lowers the quality (`--save-data-quality`). With this line it does not, and an address has one answer.
    unset req.http.Save-Data;

    # The formats that `--prefer` offers: an address has an answer for each, and not one for each text of `Accept`.
    if (req.http.Accept ~ "image/avif" && req.http.Accept ~ "image/webp") {
        set req.http.Accept = "image/avif,image/webp";
    } elsif (req.http.Accept ~ "image/avif") {
        set req.http.Accept = "image/avif";
    } elsif (req.http.Accept ~ "image/webp") {
        set req.http.Accept = "image/webp";
    } else {
        unset req.http.Accept;
    }

    # The source of an address of either form.
    if (req.url ~ "[?&]url=") {
        set req.http.X-Source = regsub(req.url, "^.*[?&]url=([^&]+).*$", "\1");
    } elsif (req.url ~ "/plain/") {
        set req.http.X-Source = regsub(req.url, "^.*?/plain/([^@]+).*$", "\1");
    } else {
        # Base64url, in as many parts as the address has: after the last option.
        set req.http.X-Source = regsub(req.url, "^.*:[^/]*/([^:.]+).*$", "\1");
    }
    return (hash);
}

sub vcl_backend_fetch {
    # Each further attempt goes to the next replica of the ring.
    set bereq.backend = replicas.backend(by = KEY, key = replicas.key(bereq.http.X-Source), alt = bereq.retries, healthy = CHOSEN);
    unset bereq.http.X-Source;
}

sub vcl_backend_response {
    # A replica that is too busy, or ends, is no error: the next one has or makes the same answer.
    if (beresp.status == 503 && bereq.retries < 2) { return (retry); }
    # Stale answers are sent only where their source allows it.
    if (beresp.http.Cache-Control ~ "must-revalidate") { set beresp.grace = 0s; }
    # For a conditional request when it is stale.
    set beresp.keep = 1d;
}

sub vcl_backend_error {
    if (bereq.retries < 2) { return (retry); }
}
