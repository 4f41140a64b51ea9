#!/usr/bin/env python3
"""Collects what is to be translated, as gettext templates; run in the root of the source:
  app/language/template.py > normscope.pot             the interface and the examples
  app/language/template.py --lessons > lessons.pot     the lessons (files may follow)
  app/language/template.py --check PO...               what the templates lack, and how much is translated
  app/language/template.py --short PO                  messages of one or two words, each with its places, to be read
Literals need no mark where they are words on their own: a label, a sentence, a pattern of worded().
A word that looks like an id is one, unless it stands in tr("…") or behind its id: {value, "id", "word"}.
"""
import json, pathlib, re, sys

ROOMS = "io model session study words charts widgets layout workspaces lessons shell".split()
CONTEXT = "\4"  # stands between a context and its words, as in app/language/catalogue.h
NOT_WORDS = {"app/words/script.cpp"}  # Python
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
TOKEN = re.compile(rf'//[^\n]*|/\*.*?\*/|^\s*#[^\n]*|(?P<raw>R"\(.*?\)")|(?P<char>\'(?:[^\'\\\n]|\\.)+\')'
                   rf'|(?P<literals>{LITERAL}(?:\s*{LITERAL})*)', re.S | re.M)
CORE_WORDS = re.compile(rf'\{{\w+::\w+,\s*"[a-z0-9_-]+",\s*({LITERAL})|\b(?:title|noun|takes|distance) = ({LITERAL})'
                        r'|\b(?:fail|error_of|in_range|is_finite|check_features|check_gradient|std::pair)\('
                        rf'\s*((?:{LITERAL}\s*)+)')
PROSE = {"title", "question", "text", "feedback", "not_chosen", "right", "wrong", "now", "hints",
         "reveal", "principle"}


def meant(literals):
    text = "".join(part[1:-1] for part in re.findall(LITERAL, literals))
    text = re.sub(r'\\u([0-9A-Fa-f]{4})', lambda m: chr(int(m[1], 16)), text)
    text = re.sub(r'(?:\\x[0-9A-Fa-f]{2})+',
                  lambda m: bytes.fromhex(m[0].replace("\\x", "")).decode("utf-8", "replace"), text)
    return text.replace('\\"', '"').replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\")


def has_letters(text):
    return re.search(r'[A-Za-z]{2}', re.sub(r'\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}', "", text)) is not None


def is_words(text, before, ids):
    if not has_letters(text) or re.match(r'##|/|%|\.[^ ]', text) or re.search(r'[\0-\x08\x0b-\x1f]', text):
        return False
    if re.search(r'\b(?:tr|worded|wording)\(\s*$', before):
        return True
    if re.search(r'::|\w_\w|^--|": |\bPK\b', text):
        return False
    if re.search(r'\bsettings\([^{}]*\{[^{}]*$', before):  # keys
        return False
    if ids and re.search(r'\{(?:[\w:]+,\s*)?"[a-z0-9_-]+",\s*$', before):  # behind its id
        return True
    if re.fullmatch(r'[a-z0-9.*-]+', text):
        return False
    return " " in text.strip() or re.match(r'[A-Z][a-z]{2}', text) is not None


def interface(root):
    found = {}
    def add(text, where):
        found.setdefault(text, []).append(where)
    for room in ROOMS:
        for path in sorted((root / "app" / room).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in (".cpp", ".h") or name in NOT_WORDS:
                continue
            source = path.read_text()
            for m in TOKEN.finditer(source):
                before = source[max(0, m.start() - 60):m.start()]
                if m["literals"] and is_words(meant(m["literals"]), before, room not in ("io", "session")):
                    context = re.match(r',\s*"([a-z-]+)"\)', source[m.end():]) if before.endswith("tr(") else None
                    add((context[1] + CONTEXT if context else "") + meant(m["literals"]), name)
    # Of core: the names of choices, the words of what a norm divides by, and errors.
    for path in sorted(p for p in (root / "core").rglob("*") if p.suffix in (".cpp", ".h")):
        for words in CORE_WORDS.findall(path.read_text()):
            text = meant("".join(words))
            if has_letters(text):
                add(text, path.relative_to(root).as_posix())
    for path in sorted((root / "assets/examples").glob("*.json")):
        example = json.loads(path.read_text())
        for key in ("title", "kind", "about"):
            if example.get(key):
                add(example[key], path.relative_to(root).as_posix())
    return found


def lessons(root, paths):
    found = {}
    def walk(value, name):
        if isinstance(value, list):
            for one in value:
                walk(one, name)
        elif isinstance(value, dict):
            for key, one in value.items():
                if key in PROSE:
                    for text in one if isinstance(one, list) else [one]:
                        if isinstance(text, str) and has_letters(text):
                            found.setdefault(text, []).append(name)
                if key not in ("start", "solution", "done", "expect"):
                    walk(one, name)
    files = [json.loads(p.read_text()) | {"name": p} for p in paths]
    for lesson in sorted(files, key=lambda l: (l.get("order", 0), l["id"])):
        name = lesson.pop("name")
        walk(lesson, name.relative_to(root).as_posix() if name.is_relative_to(root) else str(name))
    return found


def quoted(text):
    lines = text.replace("\\", "\\\\").replace('"', '\\"').split("\n")
    lines = [line + "\\n" for line in lines[:-1]] + lines[-1:]
    return "\n".join(f'"{line}"' for line in ([""] + lines if len(lines) > 1 else lines))


def template(found):
    print('msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
          '"Content-Transfer-Encoding: 8bit\\n"\n')
    for text, places in found.items():
        *context, words = text.split(CONTEXT)
        print("#: " + " ".join(dict.fromkeys(places)))
        for one in context:
            print(f'msgctxt "{one}"')
        print(f'msgid {quoted(words)}\nmsgstr ""\n')


def entries(path):
    """msgid, behind its context, → msgstr of what is in use; the program itself checks the form (app/language/catalogue.cpp)."""
    out, key, fuzzy = {}, None, False
    current = {}
    def end():
        if current.get("msgid") and not fuzzy:
            context = current.get("msgctxt")
            out[(context + CONTEXT if context else "") + current["msgid"]] = current.get("msgstr", "")
    for line in path.read_text().split("\n") + ["#"]:
        if m := re.match(r'(msgctxt|msgid|msgstr) (".*")\s*$', line):
            if m[1] == "msgctxt" or m[1] == "msgid" and key != "msgctxt":
                end()
                current, fuzzy = {}, current.pop("next fuzzy", False)
            key = m[1]
            current[key] = meant(m[2])
        elif line.startswith('"') and key:
            current[key] += meant(line.strip())
        elif line.startswith("#,") and "fuzzy" in line:
            current["next fuzzy"] = True
    end()
    return out


def check(root, paths):
    known = interface(root) | lessons(root, sorted((root / "assets/lessons").glob("*.json")))
    strange = 0
    contexts = {text.split(CONTEXT)[1] for text in known if CONTEXT in text}
    for text in contexts & known.keys():
        print(f"“{text}” has two meanings: give it a context in {', '.join(known[text])} too, as in tr(\"{text}\", \"verdict\")")
        strange += 1
    for path in paths:
        translated = entries(path)
        ours = lessons(root, sorted((root / "assets/lessons").glob("*.json"))) if path.name.startswith("lessons.") \
            else interface(root)
        done = sum(1 for text in ours if translated.get(text))
        print(f"{path.name}: {done} of {len(ours)} are translated")
        for text in translated:
            if text not in known:
                print(f"{path.name}: the program no longer says “{text.replace(CONTEXT, ': ')}”")
                strange += 1
    return strange


def short(root, path):
    translated = entries(path)
    for text, places in interface(root).items():
        if len(text.split()) <= 2:
            print(f"{text.replace(CONTEXT, ': ')}  =  {translated.get(text, '')}  in {', '.join(dict.fromkeys(places))}")


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    words = sys.argv[1:]
    if words[:1] == ["--check"]:
        sys.exit(1 if check(root, [pathlib.Path(p) for p in words[1:]]) else 0)
    if words[:1] == ["--short"]:
        return short(root, pathlib.Path(words[1]))
    if words[:1] == ["--lessons"]:
        paths = [pathlib.Path(p).resolve() for p in words[1:]] or sorted((root / "assets/lessons").glob("*.json"))
        template(lessons(root, paths))
    else:
        template(interface(root))


if __name__ == "__main__":
    main()
