#!/usr/bin/env python3
"""json-values.py >json-values.txt: what Python's json module makes of texts.

A line a text: its bytes in hexadecimal, and behind a tab the value as JSON without spaces, in
hexadecimal too; "-" is no JSON. Numbers stay as they are written. Python differs from RFC 8259 where
it takes NaN and Infinity, and from UTF-8 where it takes halves of surrogate pairs: those are no JSON.
"""
import json
import random


class Number(str):
    pass


def refuse(text):
    raise ValueError(text)


decoder = json.JSONDecoder(parse_float=Number, parse_int=Number, parse_constant=refuse)


def written(value):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(written(k) + ":" + written(v) for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def expected(text):
    try:
        return written(decoder.decode(text.decode("utf-8"))).encode("utf-8").hex()
    except (ValueError, UnicodeError):
        return "-"


texts = [
    rb'{}', rb'[]', rb'""', rb'0', rb'-0', rb'-0.0', rb'1', rb'-1', rb'01', rb'-01', rb'1.', rb'.5',
    rb'+1', rb'1e5', rb'1E+5', rb'1e-5', rb'1e', rb'1e+', rb'1.5e3', rb'--1', rb'1.2.3', rb'-',
    rb'9223372036854775807', rb'9223372036854775808', rb'-9223372036854775809',
    rb'123456789012345678901234567890', rb'1e400', rb'-1e400', rb'1e-400', rb'9.90', rb'1.10',
    rb'0.1000000000000000055511151231257827', rb'[1,2.50,3e2,12345678901234567890]',
    rb'{"a":1,"b":2}', rb'{"b":1,"a":2}', rb'{"a":1,"a":2}', rb'{"a":1,"b":2,"a":3}', rb'{"":1}',
    rb'{"a":{"b":[{"c":null}]}}', rb'[true,false,null]', rb'true', rb'True', rb'nul', rb'NaN',
    rb'Infinity', rb'[NaN]', rb' [ 1 , 2 ] ', b'\n\t[\r\n1\n]\n', rb'[1,]', rb'[,1]', rb'[1 2]', rb'{"a"}',
    rb'{"a":}', rb'{a:1}', rb"{'a':1}", rb'{"a":1,}', rb'[1', rb'{"a":1', rb'"a', rb'"a\"', rb'[]]',
    rb'{} {}', rb'1 2', b'', b' ', rb'"\"\\\/\b\f\n\r\t"', rb'"\u00e9\u20ac"', rb'"\ud83d\ude00"',
    rb'"\u0000"', rb'"a\u0000b"', rb'"\u001f\u007f"', rb'"\x"', rb'"\u12"', rb'"\u12g4"', b'"a\tb"',
    b'"a\nb"', b'"\x00"', b'"\x7f"', '"é€😀"'.encode(), '{"ключ":"значение"}'.encode(), b'"\xff"', b'"\xc3"',
    b'"\xc0\x80"', b'"\xed\xa0\x80"', b'"\xf4\x90\x80\x80"', b'\x00', b'[1]\x00', rb'// no' + b'\n1',
    rb'[1]//', rb'/**/1', b'\xa0[1]', rb'"\uffff"', rb'["\u2028\u2029"]', b'"' + b'x' * 5000 + b'"',
    b'[' * 100 + b']' * 100, b'{"a":' * 60 + b'1' + b'}' * 60, b'[' + b'1,' * 2000 + b'1]',
    rb'{"url":"https://a.example/1.jpg","size":[640,480],"score":0.75,"tags":["x","y"],"nsfw":false}',
]

generator = random.Random(14)


def value(depth):
    kind = generator.randrange(8 if depth else 5)
    if kind == 0:
        return generator.choice([None, True, False])
    if kind == 1:
        return generator.choice([0, -1, 3, 10 ** 25, -7e-9, 2.5, 1e300, generator.getrandbits(63)])
    if kind < 5:
        letters = 'ab"\\/\n\t\x01\x7f é€😀\u2028,:{}[]0'
        return "".join(generator.choice(letters) for _ in range(generator.randrange(12)))
    if kind < 7:
        return [value(depth - 1) for _ in range(generator.randrange(5))]
    return {f"{generator.choice('abc.é')}{n}": value(depth - 1) for n in range(generator.randrange(5))}


for number in range(300):
    text = json.dumps(value(5), ensure_ascii=number % 2 == 0, indent=[None, 1][number % 3 == 0])
    texts.append(text.encode("utf-8"))
    if number % 5 == 0:
        place = generator.randrange(len(text) + 1)
        texts.append(text.encode("utf-8")[:place] + b"," + text.encode("utf-8")[place:])

for text in texts:
    print(text.hex() + "\t" + expected(text))
