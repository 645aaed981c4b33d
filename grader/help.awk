# Prints the list of `make help` from comments "#: text ## words" above targets in the Makefile and the .mk files. A word COMMAND:PACKAGE
# names a program that the target requires.
/^#: / { text = substr($0, 4); next }
/^[a-z$][^:=]*:/ && text {
    split($0, name, ":")
    words = ""
    if (split(text, part, " ## ") > 1) words = part[2]
    needs = ""
    for (k = 1; k <= split(words, word, " "); k++)
        if (word[k] == "gpu") needs = needs ", a GPU"
        else if (word[k] ~ /:/) needs = needs ", " substr(word[k], index(word[k], ":") + 1)
    printf "  make %-13s %s%s\n", name[1] == "$(LABS)" ? "labN" : name[1], part[1], needs ? " (needs" substr(needs, 2) ")" : ""
}
{ text = "" }
