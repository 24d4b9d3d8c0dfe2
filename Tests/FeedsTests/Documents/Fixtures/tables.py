#!/usr/bin/env python3
"""tables.py >tables.txt: what Python's csv module makes of texts.

A line a text: the delimiter and the text in hexadecimal, and behind a tab each record, with a space
between fields and a semicolon behind each record; "." is an empty field. Lines without anything are no
records.
"""
import csv
import io
import random

texts = [
    (",", "a,b\n1,2\n"), (",", "a,b\r\n1,2\r\n"), (",", "a,b\n1,2"), (",", ""), (",", "\n\n"), (",", "a"),
    (",", "a,\n"), (",", ",\n"), (",", ",,\n,,"), (",", '"a","b"\n'), (",", '"a,b",c\n'),
    (",", '"a\nb",c\nd,e\n'), (",", '"a\r\nb",c\r\nd,e\r\n'), (",", '"a""b",c\n'), (",", '"""",c\n'),
    (",", '"",c\n'), (",", '""""""\n'), (",", 'a"b,c\n'), (",", 'a"b"c,d\n'), (",", '"a"b,c\n'),
    (",", '"a"b"c",d\n'), (",", ' "a",b\n'), (",", '5" disk,b\nx,y\n'), (",", "a\n\n\nb\n"), (";", "a;b,c\n"),
    ("\t", 'a\tb c\t"d\te"\n'), (",", "é,€\n😀,x\n"), (",", '"a\n\n\nb"\n"c"\n'), (",", '"x""\n""y",z\n'),
    (",", "a,b,c\n1\n1,2,3,4\n"), (",", 'x,"a,b'), (",", 'u,"'), (",", 'u,""'),
]

generator = random.Random(14)
for number in range(400):
    delimiter = ",;\t"[number % 3]
    if number % 2:
        out = io.StringIO()
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n" if number % 4 == 1 else "\n")
        for _ in range(generator.randrange(1, 6)):
            writer.writerow(
                "".join(generator.choice('ab ,;\t"\né') for _ in range(generator.randrange(8)))
                for _ in range(generator.randrange(1, 6)))
        texts.append((delimiter, out.getvalue()))
    else:
        # Quotation marks anywhere, all of them closed: what is not is read in another way.
        text = "".join(generator.choice('ab ,,;\t""\n\n') for _ in range(generator.randrange(60)))
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=False)
        list(reader)
        closed = list(csv.reader(io.StringIO(text + "\nend\n", newline=""), delimiter=delimiter))
        if closed[-1:] == [["end"]]:
            texts.append((delimiter, text))

for delimiter, text in texts:
    records = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        rows = [row for row in records if row]
    except csv.Error:
        continue
    print(
        (delimiter + text).encode("utf-8").hex() + "\t"
        + "".join(" ".join(field.encode("utf-8").hex() or "." for field in row) + ";" for row in rows))
