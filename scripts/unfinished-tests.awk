#!/usr/bin/awk -f
# From the output of a test run: the tests and suites that began and did not end.
{
    gsub(/\033\[[0-9;]*m/, "")
    if (!match($0, /(Test|Suite) /) || $0 ~ /Test case passing/) next
    name = substr($0, RSTART)
    if (sub(/ started\.$/, "", name)) {
        running[name] = 1
    } else if (match(name, /( with [0-9]+ test cases?)? (passed|failed) after| skipped/)) {
        delete running[substr(name, 1, RSTART - 1)]
    }
}
END { for (name in running) print "  " name }
