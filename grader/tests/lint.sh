#!/bin/sh
# Checks style, layers and sizes. Each rule prints the files that violate it.
# `lint.sh format` formats the files instead. `lint.sh recent`, which `make test` calls, checks the format only of files that the last 20
# commits or the working tree have changed, because clang-format takes 12 s of CPU time for all files. A clone without history
# checks all files.
laid_out() { git ls-files 'grader/*.c' 'grader/*.js' 'grader/*.h' 'common/reference.*' 'labs/*.c' 'docs/*.c'; }
if [ "$1" = format ]; then
    laid_out | xargs -n 40 clang-format -i
    exit
fi
status=0
complain() { status=1; echo "lint: $1"; }

# The modules of grader/, each with the earlier modules that it may include, so that layers depend on each other in one direction. All may
# include base. The command (the files in grader/) and the tests may include any module. MODULE/FILE.h permits only that file, which must not
# include others of its module.
modules='
base:
record:
sandbox:
model/gpus:
plan:
ptx:
compile: sandbox ptx
sim: ptx model/gpus
probes: sim ptx record
model: probes sim ptx model/gpus
device: plan probes sim ptx sandbox
judge: compile plan device model model/gpus probes sim ptx sandbox record
fix: judge compile record
report: record probes/catalog.h
course: judge compile device record
run: compile plan device probes sim ptx model/gpus report record sandbox
live/wasi:
live: judge plan device model model/gpus probes sim ptx record run/argument.h
ladder: judge compile plan device model model/gpus probes record
hardware: run judge plan probes report record sandbox
watch: record
exec: run model model/gpus probes sim ptx sandbox report record
release: course judge device report record sandbox
class: course judge compile device probes report sandbox record'
for folder in $(git ls-files 'grader/*/*.[ch]' | sed 's,^grader/,,;s,/[^/]*$,,' | sort -u); do
    case $folder in tests*) continue ;; esac
    echo "$modules" | grep -q "^$folder:" || complain "grader/$folder is missing in the table of modules in lint.sh"
done
before=" "
while IFS=: read -r module may; do
    [ -n "$module" ] || continue
    for other in $may; do
        case $before in *" ${other%/*.h} "*) ;; *) complain "lint.sh: $module: $other is not listed before it" ;; esac
    done
    before="$before$module "
    found=$(grep -H '#include "' grader/"$module"/*.[ch] grader/"$module"/*.def 2>/dev/null | awk -F'"' -v may=" base $module $may " '
        { other = $2; if (!sub("/[^/]*$", "", other)) other = $2 ~ /^options[.]/ ? "the command" : "base" }
        !index(may, " " other " ") && !index(may, " " $2 " ") { sub(":.*", "", $1); printf " %s (%s)", $1, $2 }')
    [ -z "$found" ] || complain "not in the modules that grader/$module may include:$found"
done <<END
$modules
END

# docs/architecture.md contains the same table.
said=$(sed -n 's,^| `\([a-z/]*\)/` | \([a-z`/. ]*\)|.*,\1: \2,p' docs/architecture.md | tr -d '`' | sed 's/ *$//')
[ "$(echo "$modules" | sed 1d)" = "$said" ] || complain "the tables of modules in docs/architecture.md and lint.sh differ"
for f in $(grep -o '`[a-z_/]*[.]\(c\|h\|def\|sh\|cu\)`' docs/architecture.md | tr -d '`' | sort -u); do
    [ -n "$(git ls-files "$f" "*/$f")" ] || complain "docs/architecture.md names $f, which does not exist"
done

# words.txt: words to avoid in the texts of the kit, and their replacements.
texts=$(git ls-files | grep -vE '[.](png|gif)$|^docs/gallery/|^LICENSE$|/words[.]txt$|^grader/tests/[a-z]*[.](schema[.]json|xsd)$')
while IFS="$(printf '\t')" read -r worn better; do
    found=$(echo "$texts" | LC_ALL=C xargs grep -nE -- "$worn" 2>/dev/null | cut -c1-160)
    [ -z "$found" ] || complain "say \`$better\`:
$found"
done <<END
$(grep -v '^#' grader/tests/words.txt)
END

# Checks the spelling in Markdown and in comments of C and CUDA against American English and dictionary.txt. Skips identifiers.
if command -v hunspell >/dev/null && hunspell -D </dev/null 2>&1 | grep -q '/en_US$'; then
    prose=$(git ls-files '*.md' '*.c' '*.h' '*.cu' | grep -vE '^docs/(gallery|(ptx|gpus)[.]md)|^grader/tests/hostile')
    found=$(echo "$prose" | xargs awk -f grader/tests/prose.awk | LC_ALL=C tr -cs "A-Za-z0-9'\200-\377" '\n' | LC_ALL=C sort -u |
        hunspell -d en_US -p "$PWD/grader/tests/dictionary.txt" -l |
        LC_ALL=C grep -E '^[A-Za-z]{3,}$' | LC_ALL=C grep -vE '[a-z][A-Z]|^[A-Z]+$|(.)\1\1|cde' | sort -u | tr '\n' ' ')
    [ -z "$found" ] || complain "words in neither the dictionary nor grader/tests/dictionary.txt: $found"
else
    echo "lint: SKIP spelling: hunspell and its dictionary en_US are not installed (hunspell, hunspell-en-us)"
fi

# Limits the length of handwritten documents outside labs/ to what a person reads in a day. Counts the words that the spell checker sees.
written=$(git ls-files README.md 'docs/*.md' grader/release/handout.md | grep -vE '^docs/(gallery/|(ptx|gpus|findings|what-a-gpu-hides)[.]md)')
words=$(echo "$written" | xargs awk -f grader/tests/prose.awk | grep -oE "[A-Za-z][A-Za-z'-]*" | wc -l)
[ "$words" -le 20000 ] || complain "the documents have $words words, at most 20000: merge, link or cut ($(echo $written))"

found=$(git ls-files '*.c' '*.h' '*.def' '*.cu' '*.sh' '*.js' '*.css' | xargs awk 'FNR == 601 { printf " %s", FILENAME }' 2>/dev/null)
[ -z "$found" ] || complain "more than 600 lines (split the file):$found"
[ "$(wc -l <Makefile)" -lt 250 ] || complain "Makefile has $(wc -l <Makefile) lines, at most 249: move long recipes into scripts"
found=$(git ls-files '*.c' '*.h' '*.def' '*.sh' '*.awk' '*.mk' '*.css' '*.js' | xargs awk 'length > 160 { printf " %s:%d", FILENAME, FNR }')
[ -z "$found" ] || complain "over 160 columns:$found"
found=$(awk 'length > 140 { printf " %s", FNR }' Makefile)
[ -z "$found" ] || complain "Makefile: over 140 columns in lines$found"
# A test must name every row of the instruction table, by its id in the C files or by its mnemonic in a program.
found=$(awk '
    FILENAME !~ /ptx\/ops\.def$/ { tests = tests " " $0; next }
    match($0, /^(LANE|FORM|CONTROL)\([a-z0-9_]+, "[^"]+"/) {
        row = substr($0, 1, RLENGTH - 1)
        sub(/^[A-Z]+[(]/, "", row)
        split(row, part, /, "/)
        mnemonic = part[2]
        gsub(/\./, "[.]", mnemonic)
        if (tests !~ "ROW[A-Z_]*[(]" part[1] " ?[,)]" && tests !~ "PTX_OP_" part[1] "[^a-z0-9_]" &&
            tests !~ "[^a-z0-9_.]" mnemonic "[.; ]")
            printf " %s (%s)", part[1], part[2]
    }' grader/tests/check_ops*.c grader/tests/ops/*.def grader/ptx/ops.def)
[ -z "$found" ] || complain "rows of ops.def that no test names:$found"
# The order of rows in ops.def and mods.def is arbitrary, so no code may compare their positions.
found=$(git grep -nE '(^|[^-=])[<>]=? *PTX_(OP|MOD)_[a-zA-Z0-9_]+|PTX_(OP|MOD)_[a-zA-Z0-9_]+ *(<|>[^>])' -- 'grader/*.[ch]' |
    grep -vE '[<>] *PTX_(OP|MOD)_COUNT')
[ -z "$found" ] || complain "rows of a table compared by position: $found"
found=$(git grep -nE 'TODO|FIXME' -- '*.c' '*.h' '*.sh' Makefile ':!grader/tests/lint.sh' \
    ':!grader/judge/advice.c' ':!grader/class/summary.c' ':!grader/tests/check_*' | head)
[ -z "$found" ] || complain "unfinished: $found"
# Files, such as recorded output of tools, must not contain paths of a developer's machine.
found=$(git grep -lIE '(^|[^A-Za-z0-9_.*/])/(home|root|work|mnt|Users)/' -- ':!grader/tests/lint.sh' ':!grader/tests/check_*' ':!grader/tests/hostile')
[ -z "$found" ] || complain "contains a path of a developer's machine: $(echo $found)"
found=$(git grep -lI '[[:blank:]]$' -- '*.c' '*.h' '*.def' '*.cu' '*.sh' | head)
[ -z "$found" ] || complain "blanks at the end of lines: $found"
if command -v clang-format >/dev/null; then
    recent() { [ "$1" != recent ] && cat || grep -Fx "$(git log -20 --name-only --format= && git diff --name-only HEAD)"; }
    said=$(laid_out | recent "$1" | xargs -r -P 2 -n 40 clang-format --dry-run -Werror 2>&1) || {
        found=$(echo "$said" | sed -n 's/^\([^:]*\):[0-9].*: error: .*/\1/p' | sort -u)
        complain "not formatted according to .clang-format (run make format): $(echo ${found:-$said})"
    }
fi
exit $status
