# Prints the prose of texts, line by line, for a spell checker: Markdown outside fences and backticks, and comments in C.
FNR == 1 { fence = comment = 0; prose = FILENAME ~ /[.]md$/ }
prose && /^ *```/ { fence = !fence; next }
prose && !fence { print plain($0); next }
prose { next }
{
    line = $0
    if (!comment && match(line, /\/\*/)) { line = substr(line, RSTART + 2); comment = 1 }
    else if (!comment && match(line, /(^|[ ;{}])\/\/ /)) { print plain(substr(line, RSTART + RLENGTH)); next }
    if (!comment) next
    if (match(line, /\*\//)) { line = substr(line, 1, RSTART - 1); comment = 0 }
    print plain(line)
}
function plain(text) {
    gsub(/`[^`]*`|\]\([^)]*\)|<[^>]*>|"[^"]*"/, " ", text)
    gsub(/[^ ]*[0-9_.\/=%<>$@\\][^ ]*[0-9A-Za-z_(][^ ]*/, " ", text) # names, paths, numbers with units
    gsub(/[A-Za-z]+\(\)?/, " ", text)
    gsub(/'s/, "", text)
    return text
}
