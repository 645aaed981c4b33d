#!/bin/sh
# Grades one student's submission inside an autograder service's container: grade.sh LAB FORMAT FOLDER RESULTS [SECRET]
#
# FORMAT   gradescope, prairielearn, junit, json ...: an option of ./grade
# FOLDER   the submission: reduce.cu, LAB.cu, labs/LAB_*/reduce.cu, or one .cu file of any name; optionally predictions.txt beside it
# RESULTS  the report; without a file to grade, it is written only for gradescope and prairielearn
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
is_file() { # is_file PATH: succeeds for a regular file of the submission that is not reached through a link
    [ -f "$1" ] && [ "$(readlink -f "$1")" = "$(readlink -f "$folder")${1#"$folder"}" ]
}
submission=
for file in "$folder/reduce.cu" "$folder/$lab.cu" "$folder/labs/${lab}_"*/reduce.cu; do
    is_file "$file" && submission=$file && break
done
if [ -z "$submission" ]; then
    for file in "$folder"/*.cu; do
        is_file "$file" || continue
        [ -z "$submission" ] || no_file "Several .cu files were handed in: hand in one, named reduce.cu, and predictions.txt beside it."
        submission=$file
    done
fi
[ -n "$submission" ] || no_file "No .cu file was handed in: hand in reduce.cu, and predictions.txt beside it."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/in" "$work/out"
cp "$submission" "$work/in/reduce.cu"
! is_file "${submission%/*}/predictions.txt" || cp "${submission%/*}/predictions.txt" "$work/in/predictions.txt"
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
