#!/bin/sh
# Creates the students' archive. Run in the kit's folder:
#
#   handout.sh stage FOLDER COMMAND       copies all files except figures into FOLDER, which must be empty
#   handout.sh figures FOLDER COMMAND     adds the figures, which grading needs instead of the solutions and the ladder's kernels
#   handout.sh pack FOLDER COMMAND OUT    does both, and packs FOLDER into OUT; the same files give the same bytes
#   handout.sh prebuilt FOLDER COMMAND OUT KIT    packs the packed folder KIT again, with COMMAND instead of the sources
#
# COMMAND is the built ./grade. Only files that this script names are handed out, which excludes tests, notes, the gallery, the sources of
# figures, and solutions.
set -eu

# Documents for students. They do not include run.md, which steps through a tree in shared memory, or the gallery, which shows how
# solutions run.
DOCS="where.md glossary.md grading.md metrics.md findings.md simulator.md ptx.md reports.md ladder.md own-operator.md result.schema.json run.schema.json
    ladder.schema.json exec.md"

copy() { # copy FILE...: copies each to the same path in the folder
    cp --parents -t "$folder" "$@"
}
labs() { # prints lines such as "lab3 shared_block", in the course's order
    "$command" --list | awk '{ print $1, $2 }'
}
# Writes the Makefile without the sections for files that are not handed out, and with `make test` for students.
makefile() {
    awk -v own="$(dirname "$0")/handout.mk" '
        /^# ---- / { out = /^# ---- (tests|measuring|care|releases|a class)/ }
        /^# ---- tests/ { while ((getline line < own) > 0) print line }
        !out' Makefile
}
readme() {
    awk -v labs="$(labs | while read -r id name; do
        echo "- [$id](labs/${id}_$name/README.md) $(sed -n '1s/^# Lab [0-9]*: //p' "labs/${id}_$name/README.md")"
    done)" '/^@LABS@$/ { print labs; next } { print }' "$(dirname "$0")/handout.md"
}
# Converts links to missing files to plain text.
unlink_missing() { # unlink_missing FILE
    awk -v dir="$(dirname "$1")" '
        function there(path,  line) { # getline starts no process, unlike system()
            if (!(path in known)) {
                known[path] = (getline line <path) >= 0 || system("test -e \"" path "\"") == 0
                close(path)
            }
            return known[path]
        }
        /^```/ { code = !code }
        {
            rest = $0; line = ""
            while (!code && match(rest, /\]\([^) ]*\)/)) {
                target = substr(rest, RSTART + 2, RLENGTH - 3); path = target; sub(/#.*/, "", path)
                before = substr(rest, 1, RSTART - 1); link = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
                if (path == "" || path ~ /:\/\// || there(dir "/" path)) { line = line before link; continue }
                open = 0
                for (k = length(before); k > 0 && !open; k--) if (substr(before, k, 1) == "[") open = k
                first = substr(before, 1, open - 1); sub(/!$/, "", first)
                line = line first substr(before, open + 1)
            }
            print line rest
        }' "$1" >"$1.new" && mv "$1.new" "$1"
}
# Files for students' editors, containers and CI servers.
places() {
    own=$(dirname "$0")/places
    mkdir -p "$folder/.vscode" "$folder/.devcontainer" "$folder/.github/workflows"
    cp "$own/tasks.json" "$folder/.vscode"
    first=$(labs | head -n 1)
    for file in Containerfile .devcontainer/devcontainer.json; do
        sed "s/@LAB@/${first% *}/; s/@FOLDER@/${first% *}_${first#* }/g" "$own/$(basename "$file")" >"$folder/$file"
    done
    cp "$own/gitattributes" "$folder/.gitattributes"
    cp docs/ci/github-students.yml "$folder/.github/workflows/grade.yml"
    cp docs/ci/gitlab-ci.yml "$folder/.gitlab-ci.yml"
}
stage() {
    mkdir -p "$folder"
    [ -z "$(ls -A "$folder")" ] || { echo "$folder is not empty" >&2; exit 2; }
    cp LICENSE .gitignore "$folder"
    places
    makefile >"$folder/Makefile"
    readme >"$folder/README.md"
    copy common/* labs/course.conf grader/setup.sh grader/help.awk grader/sim/isas.sh grader/release/install.sh grader/release/deps.sh \
        $(sed -n 's/^include //p' Makefile)
    # omit the settings of labs that are not in the course
    awk -v labs="$(labs | cut -d" " -f1 | tr "\n" " ")" '
        /^[ \t]*lab[0-9a-z]*\./ { id = $0; gsub(/^[ \t]*|\..*/, "", id); if (index(" " labs, " " id " ") == 0) next }
        { print }' labs/course.conf >"$folder/labs/course.conf"
    labs | while read -r id name; do
        lab=labs/${id}_$name
        copy "$lab/README.md" "$lab/reduce.cu" "$lab/predictions.txt" "$lab/grader.c"
    done
    copy $(find grader \( -path grader/tests -o -path grader/site \) -prune -o -name '*.[ch]' -print -o -name '*.def' -print -o -name '*.css' -print \
        -o -name '*.js' -print -o -name '*.html' -print -o -name '*.b64' -print)
    # ./grade --changed ignores carriage returns, which the kit's files do not contain
    (cd "$folder" && LC_ALL=C sha256sum labs/lab*/reduce.cu labs/lab*/predictions.txt >labs/handed-out.sha256)
    copy $(printf 'docs/%s ' $DOCS) docs/figures/*.svg
    find "$folder" -name '*.md' | while read -r file; do unlink_missing "$file"; done
}

figures() {
    mkdir -p "$folder/grader/figures"
    labs | cut -d" " -f1 | xargs -P "$(nproc)" -I LAB "$command" release figures LAB "$folder" >/dev/null
    rows=$(sed -n 's/^\(GPU\|NEW\)("\([^"]*\)".*/\2/p' grader/ladder/rows.def | paste -sd,)
    "$command" ladder --device sim --rows "$rows" --json "$folder/grader/figures/ladder.json" >/dev/null
}

# Creates the folder for machines without a C compiler, with the built command instead of the sources.
prebuilt() { # prebuilt KIT: a folder filled by handout.sh pack
    [ -d "$1/grader/figures" ] || { echo "$1 is not a handout: run make handout" >&2; exit 2; }
    rm -rf "$folder"
    mkdir -p "$folder"
    (cd "$1" && find . -type f \( ! -path './grader/*' -o -path './grader/figures/*' \) \
        ! -name grader.c ! -name Makefile -print0 | xargs -0 cp --parents -t "$folder")
    cp "$command" "$folder/grade"
    sed -i '/^.grade$/d' "$folder/.gitignore"
    sed -i 's/make -s && //' "$folder/.vscode/tasks.json"
    printf '%s\n' '# The command is already built: ./grade lab3 is enough. These targets work as in the archive with sources.' \
        "LABS = $(cd "$1" && ls -d labs/lab*_* | sed 's:labs/\([^_]*\)_.*:\1:' | sort -V | tr '\n' ' ')" \
        '.PHONY: all test $(LABS)' \
        'all: ; @./grade --list >/dev/null' '$(LABS): ; @./grade $@ --compile-only' \
        'test: ; @for l in $(LABS); do ./grade $$l --compile-only || exit; done' >"$folder/Makefile"
}
archive() { # archive OUT: packs the folder reproducibly
    find "$folder" -type d -exec chmod 755 {} + -o -exec chmod 644 {} +
    [ ! -f "$folder/grade" ] || chmod 755 "$folder/grade"
    name=$(basename "$1" .tar.gz)
    (cd "$folder" && find . -type f | LC_ALL=C sort) >"$folder.names"
    tar --create --file "$folder.tar" --directory "$folder" --owner=0 --group=0 --numeric-owner --format=gnu --mtime=@0 --no-recursion \
        --transform "s|^\.|$name|" --files-from "$folder.names"
    gzip -9n "$folder.tar"
    mv "$folder.tar.gz" "$1"
    rm "$folder.names"
    echo "$1: $(tar tzf "$1" | wc -l) files, $(du -h "$1" | cut -f1)"
}

action=$1 folder=$2 command=$3
case $action in
stage) stage ;;
figures) figures ;;
pack) stage; figures; archive "$4" ;; # no &&, because `set -e` ignores failures in such a list
prebuilt) prebuilt "$5"; archive "$4" ;;
*) exit 2 ;;
esac
