#!/bin/sh
# Grades one student's submission inside a course server's container: grade.sh LAB FORMAT FOLDER RESULTS [SECRET]
#
# FORMAT   gradescope, prairielearn, junit, json ...: an option of ./grade
# FOLDER   the submission: reduce.cu, or LAB.cu, or one .cu file of any name; predictions.txt if there is one
# RESULTS  the report, which is always written
# SECRET   a file with the course's secret (GRADE_SECRET_FILE), which only root can read
# STUDENT  variable: the student's id, which together with the secret selects the M of the predictions (--student)
#
# Runs in the kit's folder. The submission is compiled and run in bubblewrap. If the container does not permit bubblewrap, the
# container is the sandbox: everything runs as the user nobody, who can neither read the secret nor write the results. Without
# root, such a container grades without a secret.
set -eu
lab=$1 format=$2 folder=$3 results=$4 secret=${5:-}
umask 022

no_file() { # writes a result without starting the grader
    case $format in
    gradescope) printf '{"score": 0, "output": "%s"}\n' "$1" >"$results" ;;
    prairielearn) printf '{"gradable": false, "score": 0, "message": "%s", "format_errors": ["%s"]}\n' "$1" "$1" >"$results" ;;
    *) echo "$1" >&2 ;;
    esac
    exit 0
}
submission=
for file in "$folder/reduce.cu" "$folder/$lab.cu" "$folder"/*.cu; do
    [ -f "$file" ] && [ ! -L "$file" ] && submission=$file && break
done
[ -n "$submission" ] || no_file "No .cu file was handed in: hand in reduce.cu, and predictions.txt beside it."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/in" "$work/out"
cp "$submission" "$work/in/reduce.cu"
[ ! -f "$folder/predictions.txt" ] || [ -L "$folder/predictions.txt" ] || cp "$folder/predictions.txt" "$work/in/predictions.txt"
chmod -R a+rX "$work"

if [ -n "$secret" ] && [ -r "$secret" ]; then
    GRADE_SECRET=$(head -n 1 "$secret")
    export GRADE_SECRET
fi
export GRADE_CACHE="$work/cache"
set -- ./grade "$lab" --submission "$work/in/reduce.cu" --for-student "--$format" "$work/out/results" --device sim --quiet \
    --no-color ${STUDENT:+--student "$STUDENT"}
if bwrap --unshare-all --die-with-parent --ro-bind / / true 2>/dev/null; then
    "$@" >"$work/log" 2>&1 || status=$?
elif [ "$(id -u)" = 0 ]; then
    chown -R nobody "$work"
    setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups --no-new-privs "$@" --no-sandbox >"$work/log" 2>&1 || status=$?
else # no secret, because the compiled code could read the grader's environment
    unset GRADE_SECRET
    "$@" --no-sandbox >"$work/log" 2>&1 || status=$?
fi
cat "$work/log"
[ -s "$work/out/results" ] || { echo "grade.sh: no report (exit status ${status:-0})"; exit 3; }
cp "$work/out/results" "$results.new" && mv "$results.new" "$results"
[ "${status:-0}" != 3 ] # the setup is at fault, and the server should report it
