#!/usr/bin/awk -f
# From the output of a test run: how many tests passed, failed and were skipped, and the names of those that failed. Ends with 1 if the
# run did not reach its end.
{ gsub(/\033\[[0-9;]*m/, "") }
/^✔ Test [^r].* passed after|^✔ Test r[^u].* passed after/ { passed += 1 }
/^✘ Test [^r].* failed after|^✘ Test r[^u].* failed after/ { failed += 1; print "  " $0 }
/^➜ Test .* skipped/ { skipped += 1 }
/^[✔✘] Test run with / { ended = 1 }
END {
    if (!ended) print "The run did not reach its end."
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    exit !ended
}
