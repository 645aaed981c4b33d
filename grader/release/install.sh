#!/bin/sh
# Installs the command system-wide. Run in the kit's folder:
#
#   install.sh man BUILD                     writes BUILD/share/man/man1/grade.1
#   install.sh completions BUILD             writes BUILD/share/... for bash, zsh and fish
#   install.sh install BUILD PREFIX DATA     installs these, BUILD/grade, and the data for grading from the kit or handout in DATA
#   install.sh uninstall PREFIX              removes the installed files
set -eu

man=share/man/man1/grade.1
bash=share/bash-completion/completions/grade
zsh=share/zsh/site-functions/_grade
fish=share/fish/vendor_completions.d/grade.fish
data=share/reduction-labs

make_one() { # make_one FILE OPTION...: writes the command's output into FILE
    file=$1
    shift
    mkdir -p "$(dirname "$file")"
    "$build/grade" "$@" >"$file.new"
    mv "$file.new" "$file"
}
install_data() { # install_data PREFIX DATA: installs the data for grading, but no labs to work on and no solutions
    (cd "$2" && find common labs/course.conf labs/*/predictions.txt grader/figures -type f) | while read -r file; do
        install -D -m 644 "$2/$file" "$1/$data/$file"
    done
}
case $1 in
man)
    build=$2
    make_one "$build/$man" --man
    ;;
completions)
    build=$2
    make_one "$build/$bash" --completions bash
    make_one "$build/$zsh" --completions zsh
    make_one "$build/$fish" --completions fish
    ;;
install)
    build=$2 prefix=$3
    [ -d "$4/grader/figures" ] || { echo "$4 contains no figures of the references (grader/figures): run make handout" >&2; exit 1; }
    install -D -m 755 "$build/grade" "$prefix/bin/grade"
    for file in $man $bash $zsh $fish; do install -D -m 644 "$build/$file" "$prefix/$file"; done
    rm -rf "${prefix:?}/$data"
    install_data "$prefix" "$4"
    echo "installed: $prefix/bin/grade"
    ;;
uninstall)
    prefix=$2
    rm -rf "${prefix:?}/$data"
    for file in bin/grade $man $bash $zsh $fish; do rm -f "$prefix/$file"; done
    ;;
*) exit 2 ;;
esac
