#!/bin/sh
# ci.sh BUILD: runs the commands in docs/ci/ for autograder and CI services. Needs jq, zip, unzip and python3; the workflows also need
# python3-yaml. FULL=1 also runs make test of the kit.
set -eu
build=$(realpath "$1")
here=$PWD
work=$(mktemp -d /tmp/test-ci-XXXXXX)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
fail() { echo "FAIL: $1"; exit 1; }
for tool in jq zip unzip python3; do command -v $tool >/dev/null || { echo "SKIP test-ci: needs $tool"; exit 0; }; done
unset GRADE_CACHE KERNEL_CACHE CUDA BUILD MAKEFLAGS MAKELEVEL
echo "a secret of 2 courses" >"$work/secret"

# ---- possible submissions, as FOLDER:SCORE ----
hand_in() { # hand_in FOLDER: writes each of these submissions
    mkdir -p "$1/solved" "$1/skeleton" "$1/broken" "$1/none" "$1/link" "$1/linked" "$1/named" "$1/several" "$1/tree/labs" "$1/spy"
    (echo "#define SOLUTION"; cat "$here"/solutions/lab3_*/reduce.cu) >"$1/solved/reduce.cu"
    cp "$here"/solutions/lab3_*/predictions.txt "$1/solved"
    cp "$here"/labs/lab3_*/reduce.cu "$1/skeleton"
    echo "__global__ void reduce(" >"$1/broken/reduce.cu"
    ln -s /etc/passwd "$1/link/reduce.cu"
    cp "$1/solved/reduce.cu" "$1/named/my own file.cu"
    cp "$1/solved/reduce.cu" "$1/several/one.cu"
    cp "$1/skeleton/reduce.cu" "$1/several/two.cu"
    cp -r "$1/solved" "$1/tree/labs/lab3_shared_block"
    cp -r "$1/tree/labs" "$1/elsewhere"
    ln -s "$1/elsewhere" "$1/linked/labs"
    printf '#include "%s"\n' "$2" >"$1/spy/reduce.cu"
    cat "$here"/labs/lab3_*/reduce.cu >>"$1/spy/reduce.cu"
}
cases="solved:100 skeleton:0 broken:0 none:0 link:0 linked:0 named:90 several:0 tree:100 spy:0"

# ---- Gradescope: /autograder as in its image ----
root=$work/autograder
make --no-print-directory -s BUILD="$build" gradescope LAB=lab3 SECRET="$work/secret" >/dev/null
mkdir -p "$root/source" "$root/results"
(cd "$root/source" && unzip -q "$build/gradescope/lab3.zip")
cp "$root/source/run_autograder" "$root"
AUTOGRADER=$root sh "$root/source/setup.sh" >"$work/log" 2>&1 || { tail "$work/log"; fail "setup.sh"; }
hand_in "$work/in" "$root/source/secret"
gradescope() { # gradescope HOW: grades each submission
    for case in $cases; do
        name=${case%:*} score=${case#*:}
        rm -rf "$root/submission" "$root/results"/*
        cp -rP "$work/in/$name" "$root/submission"
        AUTOGRADER=$root "$root/run_autograder" >"$work/log" 2>&1 || { cat "$work/log"; fail "gradescope, $1, $name"; }
        result=$root/results/results.json
        jq -e ".score == $score and (.output | length > 0) and
            ([.tests[]? | select(.name and .output and .max_score > 0)] | length) == ([.tests[]?] | length)" \
            "$result" >/dev/null || { cat "$result"; fail "gradescope, $1, $name: not $score points"; }
        ! grep -q "root:x" "$result" || fail "gradescope, $1, $name: the output contains a file outside the submission"
        ! grep -rq "2 courses" "$root/results" "$work/log" || fail "gradescope, $1, $name: the output contains the secret"
    done
    echo "ok: Gradescope, $1: $cases"
}
gradescope "as this machine permits"
mkdir "$work/bin"
printf '#!/bin/sh\necho "bwrap: no permissions to create a new namespace" >&2\nexit 1\n' >"$work/bin/bwrap"
chmod 755 "$work/bin/bwrap"
PATH=$work/bin:$PATH
gradescope "where bubblewrap is not permitted"
PATH=${PATH#*:}
seed() { AUTOGRADER=$root "$root/run_autograder" >/dev/null 2>&1; jq -r '.. | strings' "$root/results/results.json" | grep -o "seed [0-9]*" | sort -u; }
rm -rf "$root/submission" && cp -r "$work/in/skeleton" "$root/submission"
first=$(seed)
[ -n "$first" ] && [ "$(seed)" = "$first" ] || fail "gradescope: two grades of a file used different seeds"

# ---- the image's steps, and PrairieLearn's in it ----
kit=$root/source/kit
cp docs/ci/grade.sh "$kit"
mkdir -p "$work/grade/student" "$work/grade/serverFilesCourse/reduction-labs"
for case in $cases; do
    name=${case%:*} score=${case#*:}
    rm -rf "$work/grade/student"
    cp -rP "$work/in/$name" "$work/grade/student"
    KIT=$kit GRADE_ROOT=$work/grade CUDA=clang sh docs/ci/prairielearn/grade-prairielearn.sh lab3 >"$work/log" 2>&1 ||
        { cat "$work/log"; fail "prairielearn, $name"; }
    jq -e "(.score * 100 | round) == $score and (.gradable | type) == \"boolean\"" "$work/grade/results/results.json" >/dev/null ||
        { cat "$work/grade/results/results.json"; fail "prairielearn, $name: not $score points"; }
done
jq -e '.gradingMethod == "External" and .externalGradingOptions.enabled and
    (.externalGradingOptions.image | length > 0)' docs/ci/prairielearn/info.json >/dev/null ||
    fail "prairielearn: info.json"
echo "ok: PrairieLearn: $cases"
if docker info >/dev/null 2>&1; then
    mkdir "$work/image" && cp docs/ci/Dockerfile docs/ci/grade.sh "$build/handout/reduction-labs-handout.tar.gz" "$work/image"
    docker build -q -t reduction-labs-test "$work/image" &&
        docker run --rm -v "$work/in/solved:/in:ro" -v "$work:/out" reduction-labs-test lab3 json /in /out/docker.json
    jq -e '.score == 100' "$work/docker.json" >/dev/null || fail "the image"
    echo "ok: the image"
else
    echo "skipped: building the image (no docker here); its commands are those of Gradescope's setup.sh"
fi

# ---- a solution's page ----
if command -v cmark-gfm >/dev/null; then
    make --no-print-directory -s BUILD="$build" publish LAB=lab0 >/dev/null && grep -q "What to watch for" "$build/publish/lab0.html" || fail "make publish"
    echo "ok: make publish"
else
    echo "skipped: make publish (needs cmark-gfm)"
fi

# ---- workflows: every command in order, in a fresh clone ----
python3 -c 'import yaml' 2>/dev/null || { echo "skipped: workflows (needs python3-yaml)"; exit 0; }
commands() { # commands FILE JOB FOLDER: writes the job's commands as FOLDER/NN.sh
    mkdir -p "$3"
    python3 - "$1" "$2" "$3" <<'PYTHON'
import sys, yaml
text = yaml.safe_load(open(sys.argv[1]))
if "jobs" in text:
    assert True in text or "on" in text
    job = text["jobs"][sys.argv[2]]
    lines = [step["run"] for step in job["steps"] if "run" in step]
    assert all("run" in step or "uses" in step for step in job["steps"])
    assert all(other in text["jobs"] for other in ([job["needs"]] if "needs" in job else []))
else:
    lines = text["grade"]["before_script"] + text["grade"]["script"]
    reports = text["grade"]["artifacts"]["reports"]
    assert all(reports[kind] in "\n".join(lines) for kind in ("junit", "codequality"))
for k, line in enumerate(lines):
    open("%s/%02d.sh" % (sys.argv[3], k), "w").write(line + "\n")
PYTHON
}
printf '#!/bin/sh\nexec "$@"\n' >"$work/bin/sudo"
printf '#!/bin/sh\n[ "$1" = update ] || exec /usr/bin/apt-get "$@"\n' >"$work/bin/apt-get"
rm "$work/bin/bwrap"
chmod 755 "$work"/bin/*
follow() { # follow NAME JOB CLONE SHELL: runs the workflow's commands in the clone
    commands "docs/ci/$1.yml" "$2" "$work/$1.$2"
    for script in "$work/$1.$2"/*.sh; do
        if grep -q "make test$" "$script" && [ -z "${FULL:-}" ]; then echo "skipped: $1: make test (FULL=1 runs it)"; continue; fi
        (cd "$3" && PATH=$work/bin:$PATH CUDA=clang GITHUB_STEP_SUMMARY=$work/summary REMOTE=$work/remote $4 "$script") \
            >"$work/log" 2>&1 || { tail -20 "$work/log"; fail "$1: $(cat "$script")"; }
        cat "$work/log" >>"$work/$1.$2.log"
    done
}
mkdir "$work/student"
tar xzf "$build/handout/reduction-labs-handout.tar.gz" -C "$work/student" --strip-components 1
cp "$work/in/solved/reduce.cu" "$work/in/solved/predictions.txt" "$work"/student/labs/lab3_*/
echo '// TOD''O: tidy up' >>"$work"/student/labs/lab3_shared_block/reduce.cu # the workflow must not skip a lab because of this comment
sed -i '0,/__global__ void/s//__global__ vod/' "$work"/student/labs/lab1_*/reduce.cu
lab1=labs/lab1_interleaved_tree/reduce.cu
as_git() { git -c user.name=a -c user.email=a@example.org "$@"; }
(cd "$work/student" && git init -q && git add . && as_git commit -qm "handed in")
cmp docs/ci/github-students.yml "$work/student/.github/workflows/grade.yml" && cmp docs/ci/gitlab-ci.yml "$work/student/.gitlab-ci.yml" ||
    fail "the handout's workflows"
for workflow in github-students gitlab-ci; do
    rm -rf "$work/clone"
    git clone -q "$work/student" "$work/clone"
    follow $workflow grade "$work/clone" "$([ $workflow = gitlab-ci ] && echo "sh -e" || echo "bash -e")"
    reports=$work/clone/reports
    [ "$(grep -o '<testsuite name="[^"]*"' "$reports/junit.xml" | tr '\n' ' ')" = '<testsuite name="lab1" <testsuite name="lab3" ' ] ||
        fail "$workflow: the graded labs are not lab1 and lab3, which were begun: $(cat "$reports/junit.xml")"
    grep -q 'name="lab3".*failures="0"' "$reports/junit.xml" || fail "$workflow: $(cat "$reports/junit.xml")"
    ! command -v xmllint >/dev/null || xmllint --noout --schema grader/tests/junit.xsd "$reports/junit.xml" 2>/dev/null || fail "$workflow: JUnit"
    grep -q '100 of 200' "$reports/badge.svg" || fail "$workflow: the badge: $(cat "$reports/badge.svg")"
    echo "ok: $workflow"
done
grep -q "100 of 100 points" "$work/summary" && grep -q "does not build" "$work/summary" || fail "github-students: no summary"
grep -q "^::error file=$lab1,line=[0-9]*,col=[0-9]*,title=" "$work/github-students.grade.log" || fail "github-students: no annotation"
jq -e ".[0].location.path == \"$lab1\"" "$reports/codequality.json" >/dev/null || fail "gitlab-ci: no code quality"
git init -q --bare "$work/remote"
mkdir "$work/artifact" && cp "$reports/badge.svg" "$work/artifact"
follow github-students badge "$work/artifact" "bash -e"
git -C "$work/remote" show badges:badge.svg | cmp - "$reports/badge.svg" || fail "github-students: no badge in the branch"
echo "ok: the badge"
rm -rf "$work/clone"
git clone -q "$here" "$work/clone"
echo "labs = lab0" >>"$work/clone/labs/course.conf" # one lab shows that the commands work; make check-course checks all
follow github-kit test "$work/clone" "bash -e"
[ -s "$work/clone/build/handout/reduction-labs-handout.tar.gz" ] || fail "github-kit: no archive"
echo "ok: github-kit"
