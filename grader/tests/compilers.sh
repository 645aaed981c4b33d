#!/bin/sh
# compilers.sh BUILD [LAB]: compares verdicts by compiler. Grades all texts of marks (solutions, skeletons, mistakes, styles) with each installed
# compiler and the same seed, and compares the verdicts with those of the first compiler. COMPILERS="nvrtc clang" selects compilers. OLD=FOLDER
# keeps the verdicts in FOLDER and reuses those that it contains, so that the labs can be run separately.
build=$1 lab=$2 compilers=${COMPILERS:-nvrtc nvcc clang} kept=${OLD:-$(mktemp -d)}
[ -n "$OLD" ] || trap 'rm -rf "$kept"' EXIT
mkdir -p "$kept"
for one in ${lab:-$(ls -d solutions/lab*_* | sed 's:solutions/\([^_]*\)_.*:\1:' | sort -V)}; do
    for by in $compilers; do
        [ ! -s "$kept/$one.$by" ] || continue
        CUDA=$by VERBOSE=1 PAIRS=0 "$build/marks" "$one" >"$kept/graded" 2>"$kept/said"
        case $? in
        [01]) mv "$kept/graded" "$kept/$one.$by" ;;
        *) sed "s/^/$by: /" "$kept/said" >&2 ;;
        esac
    done
done
echo "Compared with the first compiler: texts; those with all points in the same checks, at most 3 points apart, with the same kinds of findings"
awk -F '\t' -v order="$compilers" '
    function passed(checks,    n, i, part, of, s) { # "+" for each check with all points, else "-"
        n = split(checks, part, " ")
        for (i = 1; i <= n; i++) { split(part[i], of, /[=\/]/); s = s (of[2] == of[3] ? "+" : "-") }
        return s
    }
    function kinds(text,    s, kind) {
        while (match(text, /{[a-z-]+}/)) {
            kind = substr(text, RSTART, RLENGTH); text = substr(text, RSTART + RLENGTH)
            if (!index(s, kind)) s = s kind
        }
        return s
    }
    FNR == 1 { n = split(FILENAME, part, "."); by = part[n]; there[by] = 1 }
    NF >= 6 && $2 ~ /^(solution|skeleton|row|style)$/ {
        text = $1 FS $2 FS $5
        if (!((text) in seen)) { seen[text] = 1; list[++texts] = text }
        points[by, text] = $3; pass[by, text] = passed($4); checks[by, text] = $4; kind[by, text] = kinds($7)
    }
    END {
        count = split(order, name, " "); first = name[1]
        for (c = 2; c <= count; c++) {
            if (!there[name[c]]) continue
            labs = 0
            split("", all); split("", same); split("", near); split("", found)
            for (k = 1; k <= texts; k++) {
                t = list[k]; split(t, part, FS); lab = part[1]
                if (!((first, t) in points) || !((name[c], t) in points)) continue
                if (!(lab in all)) of[++labs] = lab
                apart = points[first, t] - points[name[c], t]
                equal = pass[first, t] == pass[name[c], t]
                all[lab]++; same[lab] += equal; near[lab] += apart <= 3 && apart >= -3
                found[lab] += kind[first, t] == kind[name[c], t]
                if (!equal) other = other sprintf("%s, %s, %s: %d with %s, %d with %s (%s; %s)\n", lab, part[2], part[3], points[first, t],
                    first, points[name[c], t], name[c], checks[first, t], checks[name[c], t])
            }
            printf "\n%-6s %-7s %5s %6s %6s %8s\n", "", name[c], "texts", "checks", "points", "findings"
            for (k = 1; k <= labs; k++) {
                lab = of[k]; printf "%-14s %5d %6d %6d %8d\n", lab, all[lab], same[lab], near[lab], found[lab]
                sum[1] += all[lab]; sum[2] += same[lab]; sum[3] += near[lab]; sum[4] += found[lab]
            }
            printf "%-14s %5d %6d %6d %8d\n", "total", sum[1], sum[2], sum[3], sum[4]
            split("", sum)
        }
        printf "\nother checks:\n%s", other
    }' $(for by in $compilers; do ls "$kept"/lab*."$by" 2>/dev/null; done)
