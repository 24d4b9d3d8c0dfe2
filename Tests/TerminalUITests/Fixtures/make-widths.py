#!/usr/bin/env python3
"""Writes widths.tsv: texts in many scripts and the columns that others count for them.

Columns: the text; its width as a terminal with grapheme clusters counts, cluster by cluster (the
Python package wcwidth, `pip install wcwidth==0.9.4`); its width scalar by scalar (this machine's C
library, which ncurses asks), or "-" for emoji sequences, of which nobody shows each scalar.
"""
import ctypes
import locale
import os
import sys

import wcwidth

WORDS = """
हिन्दी क्षि स्त्री कृष्ण प्रार्थना श्रीमान् सूर्यास्त ज़िन्दगी विद्यार्थी हँसी दुःख पर्वतों की चोटियाँ
বাংলা শ্রী সূর্যাস্ত কলকাতা নদী বৃষ্টি ঢাকা দুর্গাপূজা
தமிழ் சூரிய மறைவு கோவில் மழை யானை கடல்
తెలుగు సూర్యాస్తమయం కొండలు శ్రీ నది పక్షులు
ಕನ್ನಡ ಸೂರ್ಯಾಸ್ತ ಬೆಟ್ಟ ಶ್ರೀ ಹಕ್ಕಿ
മലയാളം സൂര്യാസ്തമയം കടൽ ആന ക്ഷേത്രം
ગુજરાતી સૂર્યાસ્ત પર્વત શ્રી નદી
ਪੰਜਾਬੀ ਸੂਰਜ ਪਹਾੜ ਸ਼੍ਰੀ
ଓଡ଼ିଆ ସୂର୍ଯ୍ୟାସ୍ତ ପାହାଡ଼
සිංහල මල් හිරු බැස ගිරි
ภาษาไทย พระอาทิตย์ตก ก้อนหิน น้ำตก เชียงใหม่ ทะเล
ລາວ ນ້ຳຕົກ ແມ່ນ້ຳ ພູ
မြန်မာ ကို ကျောင်း ရေတံခွန်
ភាសា ភ្នំ
བོད་ཡིག རི་བོ
العربية غُرُوب مَدْرَسَة كِتَابٌ
עִבְרִית שָׁלוֹם יְרוּשָׁלַיִם
한국어 노을 산과 바다
日本語 夕焼け ガラス パン ｱｲｳ 写真０１
中文 黄昏 山水
Tiếng Việt Việt ño Ångström x̂ q̈ n̈ a̋b̌
Ελληνικά ηλιοβασίλεμα Русский закат й ё
አማርኛ ქართული հայերեն
naïve — “quoted” ½ € ™ № ½ ★ ☃ ♥ ← → … · ● ■ ◆
"""
PEOPLE = "👨👩🧑👶👧👦"
TONES = "🏻🏼🏽🏾🏿"
ZWJ, STYLE = "\u200d", "\ufe0f"


def sequences():
    for base in "👍👋🤚🙏👩🧑💃🏃🏄🤷":
        for tone in TONES:
            yield base + tone
    for code in "DE FR IN JP US GB BR ZA UA NP KR CN TR GR EU UN".split():
        yield "".join(chr(0x1F1E6 + ord(letter) - 65) for letter in code)
    for key in "0123456789#*":
        yield key + STYLE + "\u20e3"
    for symbol in "❤☀☁☂☎✂✈✉✏☝♀♂⚕⚖©®™‼🏔🏖🏞🕊🖼🗺🌶🎞":
        yield symbol + STYLE
    for thing in "💻🚀🌾🍳🎓🎤🏫🏭🔧🔬🎨🚒":
        for person in "👩👨🧑":
            yield person + ZWJ + thing
            yield person + TONES[2] + ZWJ + thing
    for first in PEOPLE[:2]:
        for second in PEOPLE[:2]:
            for child in PEOPLE[4:]:
                yield ZWJ.join([first, second, child])
                yield ZWJ.join([first, second, child, child])
            yield ZWJ.join([first, "❤" + STYLE, second])
            yield ZWJ.join([first + TONES[0], "❤" + STYLE, "💋", second + TONES[4]])
    yield "🏳" + STYLE + ZWJ + "🌈"
    yield "🏴" + ZWJ + "☠" + STYLE
    yield "❤" + STYLE + ZWJ + "🔥"
    yield "👁" + STYLE + ZWJ + "🗨" + STYLE
    for region in ("gbeng", "gbsct", "gbwls", "usca"):
        yield "🏴" + "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f"
    yield "🐻" + ZWJ + "❄" + STYLE
    yield "🧑🏽" + ZWJ + "🤝" + ZWJ + "🧑🏿"


def joined(text):
    # A cluster that begins with a spacing mark is measured as if it were on something.
    return sum(max(1, wcwidth.wcswidth(cluster)) for cluster in wcwidth.iter_graphemes(text))


def main():
    locale.setlocale(locale.LC_ALL, "C.UTF-8")
    library = ctypes.CDLL("libc.so.6")
    library.wcwidth.argtypes = [ctypes.c_int]
    here = os.path.dirname(os.path.abspath(__file__))
    lines = []
    for word in WORDS.split():
        single = sum(library.wcwidth(ord(character)) for character in word)
        lines.append((word, joined(word), single))
    for sequence in sequences():
        lines.append((sequence, joined(sequence), "-"))
    with open(os.path.join(here, "widths.tsv"), "w", encoding="utf-8") as file:
        for line in lines:
            file.write("\t".join(map(str, line)) + "\n")
    print(f"{len(lines)} texts, wcwidth {wcwidth.__version__}", file=sys.stderr)


main()
