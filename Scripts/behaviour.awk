# Collects which tests cite which rows. Input: behaviour-rows.txt, then the tests. Output, one a
# line and parted by tabs: "test ID SUITE SENTENCE", and "unknown FILE:LINE ID".
#
# A test cites a row in its sentence, as "V2, F23: a second load cancels …" or "… (V2, F23)", or in
# the comment directly above it: "// V2, open point a", "// PF1-PF6". A flag's row ("option NAME")
# is cited by the flag's name in either, a default's ("default NAME") by these words in the comment.
# A flag's name that is an ordinary word has "flag" before it.

function is_row(token) { return token ~ /^(V|K|M|D|O|C|F|PF)[0-9]+$/ }

# Platform facts, themes and the articles' errors have numbers too, but no row.
function is_other(token) { return token ~ /^[PTE][0-9]+$/ }

function cite(id) {
    if (id in seen) return
    seen[id] = 1
    if (id in rows) cited[++count] = id
    else printf "unknown\t%s:%d\t%s\n", FILENAME, line, id
}

function expand(text,   token, part, family, first, last) {
    while (match(text, /[A-Z]+[0-9]+-[A-Z]*[0-9]+/)) {
        token = substr(text, RSTART, RLENGTH)
        text = substr(text, 1, RSTART - 1) " " substr(text, RSTART + RLENGTH)
        split(token, part, "-")
        family = part[1]; sub(/[0-9]+/, "", family)
        gsub(/[A-Z]/, "", part[1]); gsub(/[A-Z]/, "", part[2])
        last = part[2] + 0
        for (first = part[1] + 0; first <= last; first++) text = text " " family first
    }
    return text
}

# Every row that the words name.
function cite_words(text,   word, index_, total, point) {
    gsub(/[^A-Za-z0-9]+/, " ", text)
    total = split(text, word, " ")
    point = 0
    for (index_ = 1; index_ <= total; index_++) {
        if (word[index_] ~ /^points?$/ && tolower(word[index_ - 1]) == "open") { point = 1; continue }
        if (point && word[index_] == "and") continue
        if (point && word[index_] ~ /^[a-n]$/) { cite("open " word[index_]); continue }
        point = 0
        if (is_row(word[index_])) cite(word[index_])
    }
}

# Whether a piece of the sentence is nothing but citations.
function is_citation(text,   word, index_, total) {
    total = split(text, word, /, */)
    for (index_ = 1; index_ <= total; index_++)
        if (!is_row(word[index_]) && !is_other(word[index_]) \
            && word[index_] !~ /^([Oo]pen point )?[a-n]$/) return 0
    return total > 0
}

function has_word(text, word) {
    gsub(/[^A-Za-z0-9]+/, " ", text)
    return index(" " text " ", " " word " ") > 0
}

function emit(sentence,   rest, inner, id, name, number) {
    split("", seen)
    count = 0
    cite_words(expand(notes))
    number = index(sentence, ": ")
    if (number && is_citation(substr(sentence, 1, number - 1))) {
        cite_words(substr(sentence, 1, number - 1))
        sentence = substr(sentence, number + 2)
    }
    rest = sentence
    while (match(rest, /\([^()]*\)/)) {
        inner = substr(rest, RSTART + 1, RLENGTH - 2)
        if (is_citation(inner)) {
            cite_words(inner)
            sub(/ ?\([^()]*\)/, "", sentence)
        }
        rest = substr(rest, RSTART + RLENGTH)
    }
    for (id in rows) {
        name = id
        if (sub(/^option /, "", name) \
            && has_word(notes " " sentence, (name ~ /[A-Z]/ ? "" : "flag ") name)) cite(id)
        name = id
        if (sub(/^default /, "", name) && has_word(notes, "default " name)) cite(id)
    }
    gsub(/\|/, "\\|", sentence)
    for (number = 1; number <= count; number++)
        printf "test\t%s\t%s\t%s\n", cited[number], suite, sentence
}

FILENAME ~ /behaviour-rows\.txt$/ {
    if ($0 !~ /^#/ && $0 != "") { sub(/ \|.*/, ""); rows[$0] = 1 }
    next
}

FNR == 1 { comment = ""; pending = 0; suite = FILENAME; sub(/.*\//, "", suite); sub(/\.swift$/, "", suite) }

match($0, /^(@[A-Za-z]+(\([^)]*\))? )*((public|private|fileprivate|final) )*(struct|class|actor|enum|extension) [A-Za-z0-9]+/) {
    suite = substr($0, 1, RLENGTH)
    sub(/.* /, "", suite)
}

/^ *\/\// { if (!pending) { comment = comment " " $0; next } }

/^ *@Test/ { pending = 1; awaited = 0; notes = comment; line = FNR }

pending && /^ *(@Test.* )?((mutating|private|fileprivate|static|nonisolated) )*func( |$)/ { awaited = 1 }

pending && awaited {
    text = $0
    if (match(text, /`[^`]*`/)) { emit(substr(text, RSTART + 1, RLENGTH - 2)); pending = 0 }
    else if (match(text, /func +[A-Za-z0-9_]+/)) {
        text = substr(text, RSTART, RLENGTH)
        sub(/func +/, "", text)
        emit(text)
        pending = 0
    }
}

# Another attribute may stand between the comment and @Test.
!/^ *@[A-Za-z]+$/ { comment = "" }
