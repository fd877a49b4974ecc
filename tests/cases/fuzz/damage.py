"""Damage to the files of a case, from a seed.

    damage = Damage(random.Random(seed), case)
    damage.apply(folder)

Entries of dictionaries are found by their place in the text, so that what is
written back differs from the original in the damaged place alone.
"""

import re

#: What a value is replaced by, by kind of damage
NOT_A_NUMBER = ["nan", "NaN", "-nan"]
INFINITE = ["inf", "-inf", "1e999", "-1e400"]
HUGE = ["1e300", "-1e300", "1e200"]
WRONG_TYPE = ["banana", '"text"', "(1 2)", "[0 1", "{ a 1; }", "1.2.3", "#calc",
              "$nowhere", "uniform", "-"]

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|[{}()\[\];]|[^\s{}()\[\];"]+', re.S)


class Entry:
    """Entry of a dictionary: its path, and where keyword and value stand."""

    def __init__(self, path, key, value, whole):
        self.path = path
        self.key = key          # (start, end) of the keyword
        self.value = value      # of the value, or of what is in the braces
        self.whole = whole      # from the keyword to the semicolon or brace


def tokens(text):
    return [m for m in TOKEN.finditer(text) if m[0][:2] not in ("//", "/*")]


def entries(text):
    """All entries of a dictionary, those of sub-dictionaries among them;
    the header is left out."""

    found = []
    stack = []
    key = first = last = None
    depth = 0
    for token in tokens(text):
        mark = token[0]
        if mark in "([":
            depth += 1
        elif mark in ")]":
            depth -= 1
        if depth == 0 and mark == "{" and first is None:
            stack.append((key, token.end()))
            key = first = None
        elif depth == 0 and mark == "}" and stack:
            opened, start = stack.pop()
            if opened is not None:
                found.append(Entry(
                    path(stack, opened), opened.span(),
                    (start, token.start()), (opened.start(), token.end())))
            key = first = None
        elif depth == 0 and mark == ";":
            if key is not None and first is not None:
                found.append(Entry(
                    path(stack, key), key.span(), (first.start(), last.end()),
                    (key.start(), token.end())))
            key = first = None
        elif key is None:
            key = token
        else:
            first = first or token
            last = token
    return [e for e in found if e.path.split("/")[0] != "FoamFile"]


def path(stack, key):
    return "/".join([s[0][0] for s in stack if s[0]] + [key[0]])


def body(text):
    """Where the text goes on after the header."""

    header = re.search(r"FoamFile\s*{[^}]*}", text)
    return header.end() if header else 0


class Damage:
    """One damage.

    file        that is damaged, relative to the case
    entry       path of the entry in it, or None
    kind        see the methods below
    """

    def __init__(self, random, case, files):
        """case: folder; files: those that may be damaged."""

        self.random = random
        for _ in range(100):
            self.file = random.choice(files)
            self.entry = None
            if not (case/self.file).is_file():
                continue
            # Every byte is one character, and comes back as it was
            self.text = (case/self.file).read_text("latin-1")
            self.kind = random.choice(self.kindsOf())
            self.what = ""
            self.result = getattr(self, self.kind)()
            if self.result is not None and self.result != self.text:
                return
        raise RuntimeError("no damage found")

    def __str__(self):
        entry = f" {self.entry}" if self.entry else ""
        what = f" {self.what}" if self.what else ""
        return f"{self.file}{entry}: {self.kind}{what}"

    def apply(self, case):
        if self.kind == "noFile":
            (case/self.file).unlink()
        else:
            (case/self.file).write_text(self.result, "latin-1")

    def kindsOf(self):
        """Kinds of damage that a file may get."""

        name = self.file.rsplit("/")[-1]
        if "polyMesh" in self.file:
            return self.meshKinds
        if name == "inletTable":
            return self.tableKinds + ["truncated", "emptyFile", "noFile",
                                      "noise", "unbalanced"]
        if name == "latticePopulations":
            return self.dataKinds
        if "table" in self.text and self.random.random() < 0.4:
            return self.tableKinds
        return self.kinds

    def replaced(self, span, text):
        self.what = f"{self.text[slice(*span)]!r:.30} -> {text!r:.30}"
        return self.text[:span[0]] + text + self.text[span[1]:]

    def anEntry(self, leaf=True):
        some = entries(self.text)
        if leaf:
            some = [e for e in some
                    if "{" not in self.text[slice(*e.whole)]]
        if not some:
            return None
        entry = self.random.choice(some)
        self.entry = entry.path
        return entry

    def aNumber(self):
        """Place of a number in the value of some entry."""

        entry = self.anEntry()
        if not entry:
            return None
        numbers = [
            m.span() for m in
            re.finditer(r"(?<![\w.])[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?(?![\w.])",
                        self.text[slice(*entry.value)])
        ]
        dimensions = re.search(r"\[[^]]*\]", self.text[slice(*entry.value)])
        if dimensions:
            numbers = [n for n in numbers
                       if not dimensions.start() <= n[0] < dimensions.end()]
        if not numbers:
            return None
        start, end = self.random.choice(numbers)
        return entry.value[0] + start, entry.value[0] + end


    # Kinds of damage to dictionaries

    def missingEntry(self):
        entry = self.anEntry(leaf=self.random.random() < 0.7)
        return entry and self.replaced(entry.whole, "")

    def misspeltEntry(self):
        entry = self.anEntry(leaf=self.random.random() < 0.7)
        if not entry:
            return None
        old = self.text[slice(*entry.key)].strip('"')
        return self.replaced(entry.key, old[:1] + "q" + old[1:])

    def misspeltWord(self):
        entry = self.anEntry()
        if not entry:
            return None
        words = [m for m in re.finditer(r"[A-Za-z]{2}\w*",
                                        self.text[slice(*entry.value)])]
        if not words:
            return None
        word = self.random.choice(words)
        at = entry.value[0]
        return self.replaced((at + word.start(), at + word.end()),
                             word[0][0] + "q" + word[0][1:])

    def notANumber(self):
        span = self.aNumber()
        return span and self.replaced(span, self.random.choice(NOT_A_NUMBER))

    def infinite(self):
        span = self.aNumber()
        return span and self.replaced(span, self.random.choice(INFINITE))

    def huge(self):
        span = self.aNumber()
        return span and self.replaced(span, self.random.choice(HUGE))

    def negative(self):
        span = self.aNumber()
        return span and self.replaced(span, "-7")

    def zero(self):
        span = self.aNumber()
        return span and self.replaced(span, "0")

    def wrongType(self):
        entry = self.anEntry()
        return entry and self.replaced(
            entry.value, self.random.choice(WRONG_TYPE))

    def noValue(self):
        entry = self.anEntry()
        return entry and self.replaced(entry.value, "")

    def unbalanced(self):
        marks = [m.span() for m in re.finditer(r"[{}()]", self.text)
                 if m.start() > body(self.text)]
        if not marks:
            return None
        span = self.random.choice(marks)
        return self.replaced(
            span, self.random.choice(["", 2*self.text[slice(*span)], "]"]))

    def noSemicolon(self):
        marks = [m.span() for m in re.finditer(";", self.text)
                 if m.start() > body(self.text)]
        return marks and self.replaced(self.random.choice(marks), "") or None

    def truncated(self):
        some = [t for t in tokens(self.text) if t.start() > body(self.text)]
        if len(some) < 3:
            return None
        token = self.random.choice(some[1:])
        self.what = f"before {token[0]!r}"
        return self.text[:token.start()] + "\n"

    def emptyFile(self):
        return ""

    def noFile(self):
        return ""

    def noise(self):
        """Bytes that mean nothing, in place of some of the text."""

        at = self.random.randrange(body(self.text), len(self.text))
        junk = "".join(self.random.choice("\x01\x7f\t~^%&?*@!|<>\\=`'")
                       for _ in range(12))
        return self.replaced((at, min(at + 12, len(self.text))), junk)

    def wrongHeader(self):
        key = self.random.choice(["class", "format", "version"])
        match = re.search(rf"\b{key}(\s+)([^;]*);", self.text)
        if not match or match.start() > body(self.text):
            return None
        return self.replaced(match.span(2), self.random.choice(
            {"class": ["volTensorField", "banana"], "format": ["binary"],
             "version": ["banana"]}[key]))

    kinds = [
        "missingEntry", "missingEntry", "misspeltEntry", "misspeltWord",
        "misspeltWord", "notANumber", "notANumber", "infinite", "infinite",
        "huge", "huge", "negative", "zero", "wrongType", "wrongType",
        "noValue", "unbalanced", "noSemicolon", "truncated", "truncated",
        "emptyFile", "noFile", "noise", "wrongHeader",
    ]


    # Kinds of damage to tables over time

    def rows(self):
        """Where the rows of the tables stand: (whole, time, value)."""

        number = r"[-+]?\d[\d.]*(?:[eE][-+]?\d+)?"
        value = rf"{number}|\(\s*{number}(?:\s+{number})*\s*\)"
        return [(m.span(), m.span(1), m.span(2)) for m in re.finditer(
            rf"\(\s*({number})\s+({value})\s*\)", self.text)
            if m[2].startswith("(") or "((" in self.text or m.start() > 0]

    def aRow(self):
        some = self.rows()
        return self.random.choice(some) if some else None

    def rowValue(self, words):
        row = self.aRow()
        if not row:
            return None
        span = self.random.choice(row[1:])
        text = self.text[slice(*span)]
        word = self.random.choice(words)
        return self.replaced(
            span, re.sub(r"[-+.\deE]+", word, text, count=1))

    def tableNotANumber(self):
        return self.rowValue(NOT_A_NUMBER)

    def tableInfinite(self):
        return self.rowValue(INFINITE)

    def tableHuge(self):
        row = self.aRow()
        return row and self.replaced(row[2], re.sub(
            r"[-+.\deE]+", self.random.choice(HUGE),
            self.text[slice(*row[2])], count=1))

    def tableWord(self):
        return self.rowValue(["banana", "{ a 1; }", "1.2.3", '"x"'])

    def tableOrder(self):
        """A time that is not after the one before it."""

        some = self.rows()
        if len(some) < 2:
            return None
        i = self.random.randrange(1, len(some))
        before = self.text[slice(*some[i - 1][1])]
        return self.replaced(some[i][1], self.random.choice(
            [before, str(float(before) - 1)]))

    def tableComponents(self):
        """One component more or less."""

        row = self.aRow()
        if not row:
            return None
        text = self.text[slice(*row[2])]
        if text.startswith("("):
            parts = text.strip("()").split()
            parts = self.random.choice([parts[1:], parts + ["1"]])
            return self.replaced(row[2], f"({' '.join(parts)})")
        return self.replaced(row[2], self.random.choice(["", "1 2", "(1)"]))

    def tableEmpty(self):
        some = self.rows()
        return some and self.replaced((some[0][0][0], some[-1][0][1]), "")

    tableKinds = [
        "tableNotANumber", "tableInfinite", "tableHuge", "tableWord",
        "tableOrder", "tableOrder", "tableComponents", "tableComponents",
        "tableEmpty",
    ]


    # Kinds of damage to the populations

    def dataBit(self):
        """One bit, anywhere."""

        at = self.random.randrange(len(self.text))
        bit = 1 << self.random.randrange(8)
        return self.replaced((at, at + 1), chr(ord(self.text[at]) ^ bit))

    def dataHeaderBit(self):
        at = self.random.randrange(self.text.index("\ndata\n") + 6)
        bit = 1 << self.random.randrange(8)
        return self.replaced((at, at + 1), chr(ord(self.text[at]) ^ bit))

    def dataDigit(self):
        """Another number in the header."""

        digits = [m.span() for m in re.finditer(
            r"\d", self.text[:self.text.index("\ndata\n")])]
        span = self.random.choice(digits)
        return self.replaced(span, str(self.random.randrange(10)))

    def dataEntry(self):
        """Without an entry of the header, or with one twice."""

        header = self.text[:self.text.index("\ndata\n")]
        lines = [m.span() for m in re.finditer(r"(?m)^\w+ .*;\n", header)]
        span = self.random.choice(lines)
        return self.replaced(
            span, self.random.choice(["", 2*self.text[slice(*span)]]))

    def dataTruncated(self):
        at = self.random.randrange(len(self.text))
        self.what = f"after {at} bytes"
        return self.text[:at]

    def dataBlock(self):
        """A block of zeros, as a disk leaves it."""

        at = self.random.randrange(len(self.text))
        size = self.random.choice([8, 512, 4096])
        return self.replaced(
            (at, min(at + size, len(self.text))),
            "\0"*(min(at + size, len(self.text)) - at))

    def dataGone(self):
        at = self.random.randrange(len(self.text))
        return self.replaced((at, at + self.random.choice([1, 4, 36])), "")

    def dataMore(self):
        at = self.random.randrange(len(self.text))
        return self.replaced((at, at), "\x01"*self.random.choice([1, 4, 36]))

    def dataSwapped(self):
        """Two pieces of the populations in each other's place."""

        start = self.text.index("\ndata\n") + 6
        a = self.random.randrange(start, len(self.text) - 120)
        b = self.random.randrange(start, len(self.text) - 120)
        a, b = min(a, b), max(a, b)
        if b - a < 36:
            return None
        self.what = f"{a} and {b}"
        t = self.text
        return (t[:a] + t[b:b + 36] + t[a + 36:b] + t[a:a + 36] + t[b + 36:])

    dataKinds = [
        "dataBit", "dataBit", "dataHeaderBit", "dataHeaderBit", "dataDigit",
        "dataEntry", "dataTruncated", "dataBlock", "dataGone", "dataMore",
        "dataSwapped", "emptyFile",
    ]


    # Kinds of damage to the files of the mesh

    def aListNumber(self):
        """A number in the list, not in the header or the boundary's words."""

        start = body(self.text)
        if self.file.endswith("boundary"):
            some = re.finditer(r"(?<=nFaces)\s+\d+|(?<=startFace)\s+\d+",
                               self.text)
        else:
            opened = self.text.index("(", start)
            some = re.finditer(r"(?<![\w.])[-+]?\d[\d.]*(?:[eE][-+]?\d+)?",
                               self.text[opened:])
            start = opened
            return self.random.choice(
                [(m.start() + start, m.end() + start) for m in some])
        return self.random.choice([m.span() for m in some])

    def meshNotANumber(self):
        return self.replaced(self.aListNumber(), " nan ")

    def meshInfinite(self):
        return self.replaced(self.aListNumber(), " 1e999 ")

    def meshHuge(self):
        if self.file.endswith("points"):
            return self.replaced(self.aListNumber(), " 1e200 ")
        return self.replaced(self.aListNumber(), " 123456789 ")

    def meshNegative(self):
        if self.file.endswith("points"):
            return None
        return self.replaced(self.aListNumber(), " -3 ")

    def meshOther(self):
        """Another label of the same kind."""

        if self.file.endswith("points"):
            return None
        span = self.aListNumber()
        old = int(self.text[slice(*span)])
        return self.replaced(span, f" {old + self.random.choice([1, 2, 7])} ")

    def meshFewer(self):
        """One element less, and the count to go with it."""

        if self.file.endswith("boundary"):
            return None
        match = re.compile(r"\s*(\d+)\s*\(").search(self.text, body(self.text))
        n = int(match[1])
        lines = self.text[match.end():].split("\n")
        elements = [i for i, line in enumerate(lines)
                    if re.match(r"\s*(\d+$|\(.*\)$|\d+\(.*\)$)", line)]
        if len(elements) != n:
            return None
        gone = self.random.choice(elements)
        self.what = f"without {lines[gone]}"
        del lines[gone]
        return (self.text[:match.start(1)] + str(n - 1)
                + self.text[match.end(1):match.end()] + "\n".join(lines))

    def meshCount(self):
        match = re.compile(r"\s(\d+)\s*\(").search(self.text, body(self.text))
        return self.replaced(
            match.span(1),
            self.random.choice(["0", "7", "-1", "99999999", "banana"]))

    def elements(self):
        """Where the elements of the list stand."""

        match = re.compile(r"\s\d+\s*\(").search(self.text, body(self.text))
        return [(m.start() + match.end(), m.end() + match.end())
                for m in re.finditer(r"(?m)^\s*(?:\d+\(.*\)|\(.*\)|\d+)$",
                                     self.text[match.end():])]

    def meshSwapped(self):
        """Two elements in each other's place."""

        if self.file.endswith("boundary"):
            return None
        some = self.elements()
        a, b = sorted(self.random.sample(some, 2))
        t = self.text
        self.what = f"{t[slice(*a)]!r:.30} <-> {t[slice(*b)]!r:.30}"
        return t[:a[0]] + t[slice(*b)] + t[a[1]:b[0]] + t[slice(*a)] + t[b[1]:]

    def meshTwice(self):
        """An element in place of another one."""

        if self.file.endswith("boundary"):
            return None
        a, b = self.random.sample(self.elements(), 2)
        return self.replaced(a, self.text[slice(*b)])

    def meshReversed(self):
        """A face whose points turn the other way, or that has one twice."""

        if not self.file.endswith("faces"):
            return None
        span = self.random.choice(self.elements())
        n, labels = self.text[slice(*span)].strip().rstrip(")").split("(")
        labels = labels.split()
        labels = self.random.choice(
            [labels[::-1], [labels[1]] + labels[1:], labels[:2] + labels[:2],
             labels[1::-1] + labels[2:]])
        return self.replaced(span, f"\n{n}({' '.join(labels)})")

    def meshPatchName(self):
        """Two patches of the same name, or an unknown one."""

        if not self.file.endswith("boundary"):
            return None
        names = [m.span(1) for m in re.finditer(r"(\w+)\s*\{\s*type",
                                                self.text)]
        a, b = self.random.sample(names, 2)
        return self.replaced(a, self.random.choice(
            [self.text[slice(*b)], "nobody"]))

    def meshPatchType(self):
        if not self.file.endswith("boundary"):
            return None
        span = self.random.choice(
            [m.span(1) for m in re.finditer(r"\btype\s+(\w+);", self.text)])
        return self.replaced(span, self.random.choice(
            ["banana", "wedge", "cyclicAMI", "processor", "cyclic",
             "symmetryPlane", "empty"]))

    def meshPatchEntry(self):
        if not self.file.endswith("boundary"):
            return None
        span = self.random.choice(
            [m.span() for m in
             re.finditer(r"\b(type|nFaces|startFace)\s+\w+;", self.text)])
        return self.replaced(span, "")

    meshKinds = [
        "meshNotANumber", "meshInfinite", "meshHuge", "meshHuge",
        "meshNegative", "meshOther", "meshOther", "meshFewer", "meshCount",
        "meshPatchType", "meshPatchEntry", "meshSwapped", "meshSwapped",
        "meshTwice", "meshReversed", "meshReversed", "meshPatchName",
        "truncated", "emptyFile", "noFile",
        "noise", "unbalanced", "wrongHeader",
    ]
