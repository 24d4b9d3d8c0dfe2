# Turns a symbol graph, as `swift symbolgraph-extract -pretty-print` writes it, into lines:
#   with mode=api   PATH: DECLARATION, and PATH: conforms to PROTOCOL
#   with mode=docs  FILE:LINE: PATH has no documentation comment
# The layout of the printer is fixed: symbols have an indent of 4, their fields an indent of 6.

function value(line) {
    sub(/^[^:]*: "/, "", line)
    sub(/",?$/, "", line)
    gsub(/\\n */, " ", line)
    gsub(/\\"/, "\"", line)
    gsub(/\\\//, "/", line)
    gsub(/\\\\/, "\\", line)
    return line
}

function begin() { usr = path = declaration = uri = field = ""; documented = 0; at = "" }

function finish(   place) {
    if (usr == "") return
    paths[usr] = path
    gsub(/  +/, " ", declaration)
    # An opaque type (`some Sequence<Int>`) is printed with a blank after it.
    sub(/ +$/, "", declaration)
    if (mode == "api") print path ": " declaration
    # Symbols that the compiler derived have no location in the sources.
    if (mode == "docs" && uri != "" && !documented) {
        place = uri
        sub(/.*\/Sources\//, "Sources/", place)
        print place ":" at + 1 ": " path " has no documentation comment"
    }
}

/^  "symbols": \[/ { part = "symbols"; begin(); next }
/^  "relationships": \[/ { part = "relationships"; next }

part == "symbols" && /^    \{/ { begin(); next }
part == "symbols" && /^    \},?$/ { finish(); begin(); next }
part == "symbols" && /^      "[a-zA-Z]+": / {
    field = $1
    gsub(/[":]/, "", field)
    if (field == "docComment") documented = 1
    next
}
part == "symbols" && field == "identifier" && /^        "precise": / { usr = value($0) }
part == "symbols" && field == "pathComponents" && /^        "/ {
    component = $0
    gsub(/^ *"|",?$/, "", component)
    path = path (path == "" ? "" : ".") component
}
part == "symbols" && field == "declarationFragments" && /^          "spelling": / {
    declaration = declaration value($0)
}
part == "symbols" && field == "location" && /^        "uri": / { uri = value($0) }
part == "symbols" && field == "location" && /^          "line": / { at = $2 + 0 }

part == "relationships" && /^    \{/ { kind = source = target = ""; next }
part == "relationships" && /^      "kind": / { kind = value($0) }
part == "relationships" && /^      "source": / { source = value($0) }
part == "relationships" && /^      "target": / { target = value($0) }
part == "relationships" && /^      "targetFallback": / { target = value($0) }
part == "relationships" && /^    \},?$/ {
    if (mode == "api" && kind == "conformsTo" && source in paths) {
        if (target in paths) target = paths[target]
        # Every type conforms to these by default.
        if (target !~ /^Swift\.(Copyable|Escapable|SendableMetatype)$/)
            print paths[source] ": conforms to " target
    }
}
