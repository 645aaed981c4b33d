#!/usr/bin/env python3
"""Random prose of the kit, to be read with fresh eyes: sample.py SEED [COUNT], COUNT (20) each of paragraphs of Markdown,
comments, and messages (strings) of the code. The same seed and the same texts give the same sample."""
import random, re, subprocess, sys


def files(pattern, without):
    listed = subprocess.run(["git", "ls-files", *pattern.split()], capture_output=True, text=True, check=True).stdout
    for name in listed.split():
        if not re.search(without, name):
            yield name, open(name, encoding="utf-8", errors="replace").read()


def place(name, text, at):
    return f"{name}:{text.count(chr(10), 0, at) + 1}"


def paragraphs():
    for name, text in files("*.md", r"golden/|^docs/(gallery/|(ptx|gpus|what-a-gpu-hides)\.md)"):
        text = re.sub(r"^ *```.*?^ *```", lambda m: "\n" * m[0].count("\n"), text, flags=re.S | re.M)
        for m in re.finditer(r"(?:^(?![#\n]).*\n)+", text, flags=re.M):
            at = m.start()
            for part in re.split(r"\n(?= *[-*|] | *\d+\. |\|)", m[0]):
                yield place(name, text, at), part
                at += len(part) + 1


def comments():
    for name, text in files("grader/*.c grader/*.h grader/*.js common labs/*.c solutions/*.cu", r"\.b64$|tests/.*\.cu$"):
        # A // after code is a comment by itself; whole lines of // belong together
        for m in re.finditer(r'"(?:[^"\\\n]|\\.)*"|/\*(.*?)\*/|(?<=\S) +//[^\n]*|(?:(?:(?<=\s)|\A)//[^\n]*\n\s*)+', text, flags=re.S):
            if not m[0].startswith('"'):
                yield place(name, text, m.start()), re.sub(r"\n\s*(\*|//)", "\n", m[1] or m[0])


# An instruction of PTX, a statement of C, alternatives or parts of a compiler's message, a shell script, markup, or a string
# without a space
NOT_PROSE = r''';\s*}?\s*"$|\w['"\\]*\|['"\\]*\w|[a-z]\+[] 'a-z]|\$\(|\$\{|^"\s*<[!?/\w]|^\S*$'''
FUNCTION_WORD = r"\b(a|after|an|and|are|as|at|by|from|in|is|it|its|no|not|of|on|one|or|than|that|the|this|to|when|with|without)\b"


def messages():
    for name, text in files("grader/*.c grader/*.def grader/*.js", r"^grader/tests/"):
        string = r'"(?:[^"\\\n]|\\.)*"'
        for m in re.finditer(rf"(?s:/\*.*?\*/)|//[^\n]*|{string}(?:\s*(?:PRI\w+|\+)?\s*{string})*", text):
            if not m[0].startswith('"') or re.search(NOT_PROSE, m[0]) or not re.search(FUNCTION_WORD, m[0], re.I):
                continue
            yield place(name, text, m.start()), re.sub(r'(?<!\\)"\s*\+?\s*"', "", re.sub(r'"\s*PRI\w+\s*"', "llu", m[0]))


seed, count = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20
for kind in (paragraphs, comments, messages):
    items = sorted({(" ".join(t.split()), at) for at, t in kind() if len(re.findall(r"[A-Za-z]{2,}", t)) >= 8})
    for n, (text, at) in enumerate(random.Random(f"{seed} {kind.__name__}").sample(items, count), 1):
        print(f"{kind.__name__} {n}, {at}\n    {text}\n")
