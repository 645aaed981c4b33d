#!/bin/sh
# gallery.sh GRADE SHOOT BUILD OUT: writes docs/gallery, which contains report pages and pictures of every solution and of several wrong
# kernels, from real runs.
grade=$1 shoot=$2 build=$3 out=$4
work=$build/gallery
export GRADE_CACHE="$work/cache" # a new history, without earlier runs
rm -rf "$work" && mkdir -p "$work" "$out" || exit 1
rm -f "$out"/*.html "$out"/*.png
pictures=$work/pictures
index=$out/README.md

page() { # page NAME WORDS...
    name=$1
    shift
    "$grade" "$@" --seed 7 --quiet --html "$out/$name.html" >/dev/null
    [ $? -le 1 ] || exit 1
}
picture() { # picture PAGE PLACE PART WIDTH THEME FILE KEY: takes a picture of #PART if the page's data have KEY
    grep -q "\"$7\":" "$out/$1.html" || return 1
    echo "$out/$1.html $2 #$3 $4 $5 $out/$6.png" >>"$pictures"
}
show() { # show FILE TEXT
    [ -n "$2" ] && echo "![$2]($1.png)" >>"$index"
    echo >>"$index"
}

cat >"$index" <<END
# Gallery

These pages are reports of real runs on the simulator, written by \`./grade LAB --html FILE\`. To view one, download it and open it in a browser.
A page needs no other file. \`make gallery\` rewrites this folder.

## The solutions
END
"$grade" --list >"$work/labs" || exit 1
while read -r lab name title; do
    page "$lab" "$lab" --solution
    printf '\n### [%s: %s](%s.html)\n\n' "$lab" "$title" "$lab" >>"$index"
    [ "$lab" != lab0 ] && # lab 0 has not taught warps
        picture "$lab" "$lab-map" "$lab-map" 1100 light "$lab-map" lane_map && show "$lab-map" "Lane map of $lab"
    case $lab in lab0 | lab1 | lab2 | lab3 | lab6) picture "$lab" "$lab-player-3" "$lab-player" 1100 light "$lab-player" player &&
        show "$lab-player" "$lab step by step" ;; esac
done <"$work/labs"
# the steps of lab 1's player as an animated picture, for README.md
echo "$out/lab1.html $(seq -s, -f lab1-player-%.0f 0 6) .stage 1160 light $out/lab1-moving.png" >>"$pictures"

cat >>"$index" <<END

## Wrong kernels

Each of these kernels is a solution with one change.
END
wrong() { # wrong NAME LAB PART THEME TEXT SED
    unifdef -DSOLUTION solutions/"$2"_*/reduce.cu >"$work/whole.cu"
    sed "$6" "$work/whole.cu" >"$work/$1.cu" || exit 1
    ! cmp -s "$work/whole.cu" "$work/$1.cu" || { echo "gallery: $1 changes nothing" >&2; exit 1; }
    cp solutions/"$2"_*/predictions.txt "$work"
    page "$1" "$2" --submission "$work/$1.cu"
    printf '\n### [%s, %s](%s.html)\n\n%s\n\n' "$2" "$(echo "$1" | tr _ ' ')" "$1" "$5" >>"$index"
    picture "$1" "$2-$3" "$2-$3" 1100 "$4" "$1" tests && show "$1" "$2: $1"
}
wrong no_barrier lab1 findings light "The barrier at the end of each step is missing, so warps read values that other warps have not written yet." \
    's/^        __syncthreads();$//'
wrong interleaved_again lab2 map dark "The sums are correct, but the kernel uses the tree of lab 1, which spreads the active lanes over all warps." \
    's/unsigned i = start + t;/unsigned i = start + 2 * t;/
     s/for (unsigned stride = .*/for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {/
     s/if (t < stride)/if (t % stride == 0)/'
wrong bank_conflicts lab3 memory light "The active threads are adjacent, but the words that they access are in only a few banks." \
    '/stride = blockDim.x; /{
         s/for .*/for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {/
         n
         s/if .*/unsigned i = 2 * stride * t;\n        if (i < 2 * blockDim.x) s[i] = combine(s[i], s[i + stride]);/
     }'
wrong barrier_in_the_branch lab4 findings dark "The barrier is in a branch, so only the threads that work reach it." \
    '/if (t < stride) /{s/\(if (t < stride) \)\(.*\)/\1{\n            \2/;n;s/^        \(.*\)/            \1\n        }/;}'
wrong no_syncwarp lab5 findings light "The code assumes that the lanes of a warp run in lockstep, as they did before Volta." \
    '/if (lane < offset) w/{n;d;}'
wrong no_fence lab7 findings light "The last block may see a ticket before it sees the partial that was written before the ticket." \
    '/a block that draws a later ticket/d'
"$shoot" <"$pictures" || exit 1
du -sh "$out" | cut -f1
