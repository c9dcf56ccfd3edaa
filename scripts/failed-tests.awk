#!/usr/bin/awk -f
# From the output of a test run: each issue with the lines that explain it, then how a run that crashed ended.
{ gsub(/\033\[[0-9;]*m/, "") }
/recorded an issue/ { issues += 1; explaining = issues <= 20 }
explaining && /^(◇|✔|➜) |^✘ .* failed after/ { explaining = 0 }
explaining && ++shown <= 200 { print "  " $0 }
/^error: |Fatal error|unexpected signal/ { print "  " $0 }
END { if (issues > 20) print "  and " issues - 20 " more" }
