# Converts the header of a kernel in grader/tests/{right,wrong}_kernels to a command line of `./grade run`, one word per line,
# starting with the name of the kernel. check_kernels.c documents the header.
!/^\/\// { exit }
/^\/\/ launch:/ {
    for (i = 3; i <= NF; i++) {
        split($i, part, "=")
        if (part[1] == "kernel") kernel = part[2]
        if (part[1] ~ /^(grid|block|cluster|shared|budget|arch)$/) words = words "--" $i "\n"
        if (part[1] == "cooperative" && part[2]) words = words "--cooperative\n"
    }
}
/^\/\/ arg: null/ { words = words "--arg=null\n"; next }
/^\/\/ arg: .*\[/ {
    text = $3
    if (match(text, /\+[0-9]+$/)) { # "u32[4]:zero+2": a pointer 2 bytes into the buffer
        shift = substr(text, RSTART)
        text = substr(text, 1, RSTART - 1)
        sub(/\]/, "]" shift, text)
    }
    sub(/:ones$/, ":1", text)
    sub(/:random$/, ":small", text) # the same fill as in check_kernels.c
    if (sub(/:const$/, ":small", text)) text = "const " text
    words = words "--arg=" text "\n"
    next
}
/^\/\/ arg:/ { words = words "--arg=" $3 ":" $4 "\n" }
END { printf "%s\n%s", kernel ? kernel : "kernel", words }
