#!/bin/sh
# gradescope.sh LAB HANDOUT OUT.zip [SECRET]: packs the autograder of a lab for Gradescope. The zip contains the students' archive HANDOUT,
# and therefore no solutions. SECRET is a file with the course's secret.
set -eu
lab=$1 handout=$2 out=$(realpath -m "$3") secret=${4:-}
command -v zip >/dev/null || { echo "make gradescope needs zip: sudo apt-get install zip" >&2; exit 3; }
mkdir -p "$(dirname "$out")"
tar tzf "$handout" | grep -q "/labs/${lab}_" || { echo "no lab \`$lab\` in $handout: give LAB=lab3, for example, and see labs/course.conf" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp docs/ci/grade.sh docs/ci/gradescope/setup.sh "$work"
sed "s/@LAB@/$lab/" docs/ci/gradescope/run_autograder >"$work/run_autograder"
mkdir "$work/kit"
tar xzf "$handout" -C "$work/kit" --strip-components 1
[ -z "$secret" ] || install -m 600 "$secret" "$work/secret"
chmod 755 "$work"/*.sh "$work/run_autograder"
rm -f "$out"
(cd "$work" && find . -exec touch -h -d @315532800 {} + && find . -type f | LC_ALL=C sort | TZ=UTC zip -q -X -9 "$out" -@)
echo "$out: upload it as the autograder of $lab"
