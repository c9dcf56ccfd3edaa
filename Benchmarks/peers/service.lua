-- For wrk with one thread: asks for the addresses of the file ADDRESSES in turn, and prints what came of it as a line of JSON.
-- With ONCE in the environment each is asked for once, and wrk ends after the last answer, whatever its duration says.

local ffi = require("ffi")
ffi.cdef [[
    typedef struct { long s; long ns; } moment;
    int clock_gettime(int, moment *);
    int getpid(void);
    int kill(int, int);
]]
local MONOTONIC, SIGINT = 1, 2

local once = os.getenv("ONCE") ~= nil
local addresses = {}
local asked, answered, allowed = 0, 0, 0
local begin
local thread
-- Of the thread; read by done(), which runs outside of it.
took = 0

local function now()
    local moment = ffi.new("moment")
    ffi.C.clock_gettime(MONOTONIC, moment)
    return tonumber(moment.s) + tonumber(moment.ns) / 1e9
end

function setup(only) thread = only end

-- Not before this does wrk know its field Host.
function init()
    for line in io.lines(os.getenv("ADDRESSES")) do addresses[#addresses + 1] = wrk.format("GET", line) end
end

function request()
    begin = begin or now()
    asked = asked + 1
    return addresses[(asked - 1) % #addresses + 1]
end

-- wrk is slower where these exist.
if once then
    -- In milliseconds, before each request. All begin together, when wrk is ready for the signal that ends it; a connection for which
    -- no address is left waits for that end.
    function delay()
        allowed = allowed + 1
        if allowed > #addresses then return 1e9 end
        return begin and 0 or 300
    end

    function response()
        answered = answered + 1
        if answered < #addresses then return end
        took = now() - begin
        ffi.C.kill(ffi.C.getpid(), SIGINT)
    end
end

function done(summary, latency)
    local errors = summary.errors
    print(string.format('{"requests": %d, "seconds": %.6f, "bytes": %d, "errors": %d, "p50_ms": %.3f, "p99_ms": %.3f}',
        summary.requests, once and thread:get("took") or summary.duration / 1e6, summary.bytes,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout,
        latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
