"""TLS with testssl.sh, and certificates for it: an authority, one below it, and the server's."""
import json, subprocess

KEYS = {"ec": ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"], "rsa": ["rsa:2048"]}
WORDS = {"ec": "ECDSA, P-256", "rsa": "RSA, 2,048 bits"}
CIPHERS = {f"ECDHE-{{}}-{name}" for name in ("AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305")} | {
    "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"}

# What testssl.sh calls a fault, and Gannet does not.
EXPLAINED = {
    "cipher_order", "cipher_order-tls1_2", "cipher_order-tls1_3",
    # The certificate's authority, and the owner of the name, decide these; the one here was made a moment ago.
    "cert_revocation", "DNS_CAArecord", "cert_extlifeSpan",
    # A service of images is not the whole host; the proxy in front says so.
    "HSTS",
    # Of testssl.sh itself.
    "engine_problem", "old_fart", "overall_grade",
}
NEEDED = {
    "SSLv2": "not offered", "SSLv3": "not offered", "TLS1": "not offered", "TLS1_1": "not offered", "TLS1_2": "offered", "TLS1_3": "offered",
    "cipherlist_NULL": "not offered", "cipherlist_aNULL": "not offered", "cipherlist_EXPORT": "not offered", "cipherlist_LOW": "not offered",
    "cipherlist_3DES_IDEA": "not offered", "ALPN_HTTP2": "h2", "secure_renego": "supported", "secure_client_renego": "not vulnerable",
    "CRIME_TLS": "not vulnerable", "heartbleed": "not vulnerable", "fallback_SCSV": "no ", "cert_chain_of_trust": "passed",
    "certs_list_ordering_problem": "no", "certs_countServer": "2", "cert_trust": "Ok",
}


def certificates(folder, kind):
    """The files of the chain that the server sends, and of its key. The authority is in KIND-root.pem."""
    def make(name, subject, extensions, issuer=None):
        (folder / "extensions").write_text("[e]\n" + extensions)
        base = folder / f"{kind}-{name}"
        request = ["openssl", "req", "-new", "-newkey", *KEYS[kind], "-nodes", "-subj", subject, "-keyout", f"{base}.key", "-out", f"{base}.csr"]
        sign = ["-CA", folder / f"{kind}-{issuer}.pem", "-CAkey", folder / f"{kind}-{issuer}.key"] if issuer else ["-signkey", f"{base}.key"]
        subprocess.run(request, check=True, capture_output=True)
        subprocess.run(["openssl", "x509", "-req", "-in", f"{base}.csr", "-days", "89", "-sha256", "-CAcreateserial" if issuer else "-set_serial", *([] if issuer else ["1"]),
                        *sign, "-extfile", folder / "extensions", "-extensions", "e", "-out", f"{base}.pem"], check=True, capture_output=True)
        return (folder / f"{kind}-{name}.pem").read_text()
    authority = "basicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign,cRLSign\n"
    make("root", "/CN=Root of a test", authority)
    middle = make("middle", "/CN=Authority of a test", authority, "root")
    leaf = make("leaf", "/CN=localhost", "basicConstraints=CA:false\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth\nsubjectAltName=DNS:localhost,IP:127.0.0.1\n", "middle")
    chain = folder / f"{kind}-chain.pem"
    chain.write_text(leaf + middle)
    return chain, folder / f"{kind}-leaf.key"


def run(port, folder, kind):
    """A row of the table, and faults."""
    report = folder / f"{kind}.json"
    words = ["testssl", "--warnings", "off", "--color", "0", "--nodns", "min", "--ip", "127.0.0.1", "--add-ca", folder / f"{kind}-root.pem", "--jsonfile", report, f"https://localhost:{port}/health"]
    subprocess.run([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, timeout=1800)
    if not report.exists(): return [], ["testssl.sh made no report"]
    found = json.loads(report.read_text())
    faults = [f"{kind}: {one['id']}: {one['finding']}" for one in found if one["severity"] not in ("OK", "INFO", "DEBUG") and one["id"] not in EXPLAINED]
    said = {one["id"]: one["finding"] for one in found}
    faults += [f"{kind}: {name} is {said.get(name)!r}" for name, words in NEEDED.items() if words.lower() not in said.get(name, "?").lower() or (words == "offered" and "not" in said[name])]
    offered = {one["finding"].split()[1] for one in found if one["id"].startswith("cipher_x")}
    if offered != {name.format("ECDSA" if kind == "ec" else "RSA") for name in CIPHERS}: faults.append(f"{kind}: other ciphers: {sorted(offered)}")
    count = lambda *kinds: str(sum(one["severity"] in kinds for one in found))
    explained = [one["id"] for one in found if one["severity"] not in ("OK", "INFO", "DEBUG") and one["id"] in EXPLAINED]
    print(f"testssl.sh, {kind}: {len(found)} findings, explained: {explained}", flush=True)
    return [WORDS[kind], "TLS 1.2, TLS 1.3", str(len(offered)), count("OK"), count("INFO", "DEBUG"), str(len(explained)), str(len(faults))], faults
