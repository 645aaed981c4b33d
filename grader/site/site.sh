#!/bin/sh
# The course's site. Run in the kit's folder:
#
#   site.sh parts FOLDER     what all pages share: style, scripts, the simulator; and the page of all explorables. Needs
#                            nothing but the kit
#   site.sh pages FOLDER     all pages, by pandoc
#   site.sh slides FOLDER    the slides of each lab, out of its handout, by pandoc
#
# Students read the site: no page may hold what earns points. docs/run.md and docs/gallery/*.html have solutions in them.
set -eu
here=grader/site
title=$(sed -n 's/^title *= *//p' labs/course.conf)
title=${title:-Reductions in CUDA C}

shelf_students="where glossary grading metrics simulator ptx reports ladder own-operator exec"
shelf_instructors="instructor autograder scale performance hardware what-a-gpu-hides security"
shelf_developers="architecture add-a-lab gpus performance-sim"
labs() { ls -d labs/lab*_* | sort -V; }
name_of() { basename "$1" | sed 's/_.*//'; } # of a lab's folder

# ---- what pages share
kernels() {
    echo 'const KERNELS = {'
    for file in $here/explorables/*.ptx; do
        printf '"%s": "' "$(basename "$file" .ptx)"
        sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/\\t/g; s/$/\\n\\/' "$file"
        echo '",'
    done
    echo '};'
}
page() { # page TITLE NAME: the template around standard input
    awk -v title="$1" -v page="$2" -v course="$title" '
        function filled(line) {
            gsub(/[$]pagetitle[$]/, title, line); gsub(/[$]page[$]/, page, line); gsub(/[$]course[$]/, course, line)
            return line
        }
        /^[$]body[$]$/ { while ((getline line < "/dev/stdin") > 0) print line; next }
        { print filled($0) }' $here/page.html
}
parts() {
    mkdir -p "$out"
    cat grader/report/html/page.css grader/live/try.css $here/site.css >"$out/site.css"
    {
        echo '"use strict";'
        kernels
        cat grader/report/html/base.js grader/report/html/lanes.js grader/live/module.js grader/live/ask.js $here/explore.js \
            $here/explorables/*.js
    } >"$out/explorables.js"
    printf 'const MODULE = `%s`;\nexplore();\n' "$(cat grader/live/module.b64)" >"$out/simulator.js"
    page "Explorables" "" >"$out/explorables.html" <<END
<h1>Explorables</h1>
<p>Figures under your hand. What they show is computed as you change it: your browser holds the simulator that grades the labs.</p>
<div id="explorables"></div>
END
}

case ${1-} in
parts | pages | slides) action=$1 out=$2 ;;
*) sed -n '2,9s/^# *//p' "$0"; exit 2 ;;
esac
$action
