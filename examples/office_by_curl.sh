#!/usr/bin/env bash
# A piece of work in the office, with curl and a shell alone: the net worth of a client.
#
#   pip install -e '.[office]'; bash examples/office_by_curl.sh
#
# The figures that are delivered are made up, so that the verdict says what is wrong with them: a real agent would read
# the documents first, as the two requests below do.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkfifo "$work/enter"
teller-gym office run wealth-net_worth-high --json <"$work/enter" >"$work/said" &
exec 3>"$work/enter"
until [ -s "$work/said" ]; do sleep 0.2; done
of() { head -n 1 "$work/said" | python3 -c "import json, sys; said = json.load(sys.stdin); print($1)"; }

echo "asked: $(of "said['request']")"
files="$(of "said['addresses']['files'] + said['credentials']['files']['root']")"
user="$(of "said['credentials']['files']['username'] + ':' + said['credentials']['files']['password']")"
client="$(of "said['request'].split(' of ')[1].split('.')[0]")"
folder="$files/Finance_Documents/Clients/${client// /%20}"

curl -sS -u "$user" "$files/Finance_Documents/Handbook/Net_Worth_Snapshot.txt" | head -n 3
curl -sS -u "$user" "$folder/assets.csv" | head -n 3
printf 'Item,Amount\nTotal Assets,500000.00\nTotal Liabilities,100000.00\nNet Worth,400000.00\n' |
  curl -sS -u "$user" -T - "$folder/net_worth.csv" -o /dev/null -w 'delivered: %{http_code}\n'

echo >&3
wait $! || true
tail -n 1 "$work/said" | python3 -m json.tool
