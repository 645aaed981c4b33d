#!/bin/sh
# PrairieLearn starts this in the image of docs/ci/Dockerfile: grade-prairielearn.sh LAB. Students' files are in /grade/student.
set -eu
root=${GRADE_ROOT:-/grade}
cd "${KIT:-/opt/reduction-labs-handout}"
mkdir -p "$root/results"
exec sh grade.sh "$1" prairielearn "$root/student" "$root/results/results.json" "$root/serverFilesCourse/reduction-labs/secret"
