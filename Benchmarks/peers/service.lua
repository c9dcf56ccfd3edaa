-- For wrk: asks for the addresses of the file ADDRESSES in turn, and prints what came of it as a line of JSON.

local addresses = {}
local last = 0

-- Not before this does wrk know its field Host.
function init()
    for line in io.lines(os.getenv("ADDRESSES")) do addresses[#addresses + 1] = wrk.format("GET", line) end
end

function request()
    last = last % #addresses + 1
    return addresses[last]
end

function done(summary, latency)
    local errors = summary.errors
    print(string.format('{"requests": %d, "seconds": %.6f, "bytes": %d, "errors": %d, "p50_ms": %.3f, "p99_ms": %.3f}',
        summary.requests, summary.duration / 1e6, summary.bytes,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout,
        latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
