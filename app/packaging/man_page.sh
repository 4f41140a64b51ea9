#!/bin/sh
# man_page.sh PROGRAM VERSION: prints normscope(1), made of what PROGRAM says with --help of itself and of
# each of its commands.
set -eu
program=$1
help() { # COMMAND...: its help and that of the commands below it
    "$program" "$@" --help
    for below in $("$program" "$@" --help | sed '1,/^Subcommands:/d; s/^  *\([a-z]*\).*/\1/'); do
        (help "$@" "$below")
    done
}
help | awk -v version="$2" '
function roff(text) { # what the formatter would take for its own, as text
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    sub(/^[.\047]/, "\\\\\\&&", text)
    return text
}
/^Usage: / {
    of_program = $0 == "Usage: normscope [OPTIONS] [FILE] [SUBCOMMAND]"
    if (of_program) {
        printf ".TH NORMSCOPE 1 \"\" \"NormScope %s\" \"User Commands\"\n.ad l\n.nh\n", version
        sub(/\.$/, "", about)
        print ".SH NAME\nnormscope \\- " roff(about) "\n.SH SYNOPSIS\n.B " roff(substr($0, 8)) "\n.SH OPTIONS"
    } else {
        if (!commands++) print ".SH COMMANDS"
        print ".SS " roff(substr($0, 8)) "\n" roff(about) "."
    }
    next
}
/^[A-Z][a-z]*:$/ { kind = $0; next }
/^$/ { kind = ""; next }
kind == "Subcommands:" || (!of_program && /^  -h,--help/) { next }
kind && /^  [^ ]/ {
    entry = substr($0, 3)
    text = ""
    if (match(entry, /  +/)) {
        text = substr(entry, RSTART + RLENGTH)
        entry = substr(entry, 1, RSTART - 1)
    }
    entry = roff(entry)
    gsub(/,/, ",\\:", entry) # where a long list of choices may break
    print ".TP\n.B " entry
    if (text) print roff(text)
    next
}
kind { sub(/^ +/, ""); print roff($0); next }
{ about = $0 }
END { print ".SH SEE ALSO\nThe README in share/doc/normscope." }'
