#!/bin/sh
# Writes the course's site. Run in the kit's folder:
#
#   site.sh parts FOLDER     writes the files that all pages share (style, scripts, the simulator), and the page of all
#                            explorables; needs only the kit
#   site.sh pages FOLDER     writes all pages; needs pandoc
#   site.sh slides FOLDER    writes the slides of each lab from its handout; needs pandoc
#   site.sh publish FOLDER REMOTE BRANCH   pushes the folder as the only commit of the branch
#   site.sh sources FOLDER   copies the documents and kernels of the pages, for make test-site
#
# Students read the site, so no page may reveal answers (make test-site checks). docs/run.md and docs/gallery/*.html reveal some, and are not pages.
set -eu
here=grader/site
title=$(sed -n 's/^title *= *//p' labs/course.conf)
title=${title:-Reductions in CUDA C}

# documents, as docs/README.md lists them
documents() { grep -o '](\([a-z-]*\)[.]md' docs/README.md | sed 's/](//; s/[.]md//' | sort -u | grep -vx run; }
labs() { # prints the folders of the course's labs
    only=$(sed -n 's/^labs *= *//p' labs/course.conf)
    if [ "$only" ]; then for lab in $only; do echo labs/"$lab"_*; done; else ls -d labs/lab*_* | sort -V; fi
}
name_of() { basename "$1" | sed 's/_.*//'; } # name_of FOLDER: prints the lab of a folder

# ---- files that all pages share
kernels() {
    echo 'const KERNELS = {'
    for file in $here/explorables/*.ptx; do
        printf '"%s": "' "$(basename "$file" .ptx)"
        sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/\\t/g; s/$/\\n\\/' "$file"
        echo '",'
    done
    echo '};'
}
page() { # page TITLE NAME: inserts standard input into the template
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
        printf 'const LADDER = %s;\n' "$(cat $here/explorables/ladder.json)"
        cat grader/report/html/base.js grader/report/html/lanes.js grader/live/module.js grader/live/ask.js $here/explore.js \
            $here/explorables/*.js
    } >"$out/explorables.js"
    printf 'const MODULE = `%s`;\nexplore();\n' "$(cat grader/live/module.b64)" >"$out/simulator.js"
    page "Explorables" "" >"$out/explorables.html" <<END
<h1>Explorables</h1>
<p>These figures are interactive. When you change a control, the simulator that grades the labs runs in your browser and computes the figure again.</p>
<div id="explorables"></div>
END
}

# ---- pages
# prints "PATH PAGE" for each document that is a page, and for the gallery
listed() {
    labs | while read -r lab; do echo "$lab/README.md $(name_of "$lab").html"; done
    for doc in $(documents); do echo "docs/$doc.md $doc.html"; done
    echo "docs/gallery/README.md gallery.html"
}
heading() { sed -n 's/^# *//p;T;q' "$1"; }
need_pandoc() {
    command -v pandoc >/dev/null || { echo "pandoc is not installed: sudo apt-get install pandoc" >&2; exit 2; }
}
# pandoc_of PATH PAGE OPTION...: converts the document on standard input
pandoc_of() {
    path=$1 made=$2 name=$3
    shift 3
    SITE_SOURCE=$path SITE_PAGES=$out/pages.txt pandoc -f gfm --no-highlight --wrap=none --lua-filter $here/pages.lua \
        -V course="$title" -V page="$name" -M pagetitle="$(heading "$path")" "$@" |
        sed 's,<th\([^>]*\)></th>,<td\1></td>,' >"$out/$made" # an empty cell must not be a heading
}
front() {
    cat <<END
# $title

Write reductions in CUDA C, from one thread to the limit of memory bandwidth, and see what each of them costs. You need no GPU: a simulator runs your kernels,
finds races, and counts what a GPU would do. [Explorables](../explorables.html) let you try the ideas in your browser.

## Labs

END
    labs | while read -r lab; do
        echo "- [$(heading "$lab/README.md")](../$lab/README.md), [slides](../$(name_of "$lab")-slides.html)"
    done
    echo
    sed 1d docs/README.md
}
# Prints the gallery's page. It shows only pictures, because the reports next to them contain the solutions' text.
gallery() {
    printf '# Gallery\n\nLane maps of the solutions, from their reports: steps run across, the lanes of every warp down.\n'
    labs | while read -r lab; do
        id=$(name_of "$lab")
        [ ! -f "docs/gallery/$id-map.png" ] || printf '\n## %s\n\n![lane map of %s](%s-map.png)\n' "$(heading "$lab/README.md")" "$id" "$id"
    done
}
pages() {
    need_pandoc
    parts
    mkdir -p "$out/figures" "$out/gallery"
    cp docs/figures/*.svg "$out/figures"
    cp docs/gallery/*-map.png "$out/gallery"
    listed >"$out/pages.txt"
    sed 's/ .*//; /gallery/d' "$out/pages.txt" | xargs -P "$(nproc)" -I{} sh "$0" page "$out" {}
    gallery | pandoc_of docs/gallery/README.md gallery.html "" --template $here/page.html
    { # the front page also links to pages that are not documents
        listed
        echo explorables.html explorables.html
        labs | while read -r lab; do echo "$(name_of "$lab")-slides.html $(name_of "$lab")-slides.html"; done
    } >"$out/pages.txt"
    front | pandoc_of docs/README.md index.html "" --template $here/page.html
    rm "$out/pages.txt"
}
one_page() { # one_page PATH
    made=$(sed -n "s,^$1 ,,p" "$out/pages.txt")
    name=${made%.html}
    pandoc_of "$1" "$made" "$name" --template $here/page.html "$1"
}
slides() {
    need_pandoc
    [ -f "$out/explorables.js" ] || { parts; mkdir -p "$out/figures"; cp docs/figures/*.svg "$out/figures"; }
    listed >"$out/pages.txt"
    cat $here/slides.js >"$out/slides.js"
    labs | while read -r lab; do
        name=$(name_of "$lab")
        pandoc_of "$lab/README.md" "$name-slides.html" "$name" -t dzslides --slide-level 2 --lua-filter $here/slides.lua \
            --template $here/slides.html "$lab/README.md"
    done
    rm "$out/pages.txt"
}

sources() {
    mkdir -p "$out"
    cp --parents -t "$out" $(listed | sed 's/ .*//; /gallery/d') $here/explorables/*.cu
}
publish() { # publish REMOTE BRANCH
    repository=$(mktemp -d)
    trap 'rm -rf "$repository"' EXIT
    cp -r "$out"/. "$repository"
    : >"$repository/.nojekyll" # tells GitHub that the files are finished pages
    # GitLab publishes the files that a job writes to public/
    printf '%s\n' 'pages:' '  script: mkdir public && cp -r *.html *.js *.css figures gallery public' \
        '  artifacts: {paths: [public]}' >"$repository/.gitlab-ci.yml"
    cd "$repository"
    git init -q -b "$2"
    git add -A
    git -c user.name="${GIT_AUTHOR_NAME:-make site}" -c user.email="${GIT_AUTHOR_EMAIL:-site@localhost}" commit -qm "The course's site"
    git push -qf "$1" "$2"
}

case ${1-} in
parts | pages | slides | sources) out=$2 && $1 ;;
publish) out=$2 && publish "$3" "$4" ;;
page) out=$2 && one_page "$3" ;;
*) sed -n '2,11s/^# *//p' "$0"; exit 2 ;;
esac
