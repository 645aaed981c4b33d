#!/usr/bin/env python3
"""classroom50 runs this for each submission, in the student's checkout, and reads ./result.json.

This file belongs at CLASSROOM/autograders/ASSIGNMENT/autograder.py of the course's classroom50 repository. The assignment's
runtime is {"container": {"image": "..."}} with the image of docs/ci/Dockerfile. LAB selects the lab, or else the assignment's name,
such as "lab3". The result follows the published schema classroom50/result/v1 (schemas/result-v1.schema.json). Exit status 1 means
that the machine is at fault, not the submission.
"""
import datetime
import glob
import json
import os
import re
import subprocess
import sys

SCHEMA = "classroom50/result/v1"


def lab_of(env):
    found = re.search(r"lab[ _.-]*0*(\d+)", env.get("LAB") or env["ASSIGNMENT"], re.IGNORECASE)
    if not found:
        sys.exit(f"autograder.py: the assignment `{env['ASSIGNMENT']}` names no lab: set LAB=lab3")
    return "lab" + found[1]


def submitted_at():
    """The time of the graded commit, or the current time if there is no repository."""
    said = subprocess.run(["git", "-c", "safe.directory=*", "log", "-1", "--format=%ct"], capture_output=True, text=True)
    seconds = said.stdout.strip()
    when = datetime.datetime.now(datetime.timezone.utc)
    if said.returncode == 0 and seconds.isdigit():
        when = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc)
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


def grade(lab, env):
    """Returns the grade's record, or the reason if the submission has no file to grade."""
    folders = glob.glob(f"labs/{lab}_*/reduce.cu")
    folder, report = os.path.abspath(os.path.dirname(folders[0]) if folders else "."), os.path.abspath("record.json")
    if os.path.exists(report):
        os.remove(report)
    kit = env.get("KIT", "/opt/reduction-labs-handout")
    run = subprocess.run(["sh", "grade.sh", lab, "json", folder, report], cwd=kit, stderr=subprocess.PIPE, text=True)
    sys.stderr.write(run.stderr)
    if not os.path.exists(report):
        if run.returncode:
            sys.exit(1)
        return run.stderr.strip()
    with open(report, encoding="utf-8") as file:
        record = json.load(file)
    os.remove(report)
    if record["end"] == "setup":
        sys.exit(f"autograder.py: {record['message']}")
    return record


def row(name, passed, score, most, message):
    return {"test-name": name, "passed": passed, "score": score, "max-score": most, "message": message}


def rows(record):
    """Returns a test per check. All hidden checks together are one row without a message."""
    if isinstance(record, str):
        return [row("one .cu file is handed in", False, 0, 100, record)]
    if record["end"] == "build":
        return [row("it builds", False, 0, record["max_score"], record["build"]["log"])]
    shown, hidden = [], []
    for test in record["tests"]:
        (shown if test.get("visibility", "visible") == "visible" else hidden).append(test)
    out = [row(t["title"], t["status"] == "pass", t["points"], t["max_points"], t["message"]) for t in shown]
    if hidden:
        points, most = (sum(t[key] for t in hidden) for key in ("points", "max_points"))
        out.append(row("checks that are not shown", points == most, points, most, ""))
    return out


def main(env):
    tests = rows(grade(lab_of(env), env))
    result = {
        "schema": SCHEMA,
        "classroom": env["CLASSROOM"],
        "assignment": env["ASSIGNMENT"],
        "assignment_type": env.get("ASSIGNMENT_TYPE") or "individual",
        "owner": env.get("OWNER") or env["USERNAME"],
        "submission": env["SUBMISSION_TAG"],
        "commit": env["COMMIT_URL"],
        "release": env["RELEASE_URL"],
        "review": env.get("REVIEW_URL") or env["COMMIT_URL"],
        "datetime": submitted_at(),
        "score": sum(t["score"] for t in tests),
        "max-score": sum(t["max-score"] for t in tests),
        "tests": tests,
    }
    with open("result.json", "w", encoding="utf-8") as file:
        json.dump(result, file, indent=2)


main(os.environ)
