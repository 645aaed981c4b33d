#!/bin/sh
# feedback.sh BUILD - OUT, in the kit's folder: implements `make feedback` for a class that `make gradebook` has graded.
grade=$PWD/$1/grade out=$3
case $1 in /*) grade=$1/grade ;; esac
command -v zip >/dev/null || { echo "make feedback needs zip: sudo apt-get install zip" >&2; exit 3; }
"$grade" class feedback "$out" || exit
cd "$out/feedback-upload" && rm -f ../feedback-upload.zip && zip -q -r ../feedback-upload.zip .
