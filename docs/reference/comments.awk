# Comments of headers as Doxygen reads them: // before a declaration becomes ///, after it ///<, and those of C
# the same. Text stays text: what Doxygen would take for a tag or a link is masked, but for `code`.
function masked(text,    parts, count, i, out) {
  count = split(text, parts, "`")
  for (i = 1; i <= count; ++i) {
    if (i % 2 == 1) gsub(/[<>#%&]/, "\\\\&", parts[i])
    out = out (i > 1 ? "`" : "") parts[i]
  }
  return out
}
# Text of a line of a comment; what stands further in keeps its lines.
function lined(text) {
  if (text ~ /^ ? ? ? ?[^ ]/) return masked(text)
  return "     " text
}
FNR == 1 { first = 1; trailing = 0; block = 0 }

block {
  ends = index($0, "*/")
  line = $0
  if (ends) line = substr(line, 1, ends - 1)
  sub(/^ *\*? ?/, " ", line)
  print (block > 1 ? "" : " *") lined(line) (ends ? " */" : "")
  if (ends) block = 0
  next
}

/^ *\/\/ namespace|^#|^}/ { first = 0; trailing = 0; print; next }

/^ *\/\*/ && !/----/ {
  ends = index($0, "*/")
  text = substr($0, index($0, "/*") + 2)
  sub(/ *\*\/.*/, "", text)
  print "/**" (first ? " \\file" : "") (first ? "\n *" : "") masked(text) (ends ? " */" : "")
  first = 0
  block = ends ? 0 : 1
  next
}

/^ *\/\// {
  column = index($0, "//")
  text = substr($0, column + 2)
  mark = trailing == column ? "///<" : "///"
  if (trailing != column) trailing = 0
  print substr($0, 1, column - 1) (first ? "/// \\file\n" : "") mark lined(text)
  first = 0
  next
}

# Trailing ones.
/[^ ].*  \/\/ / {
  column = match($0, /  \/\/ /) + 2
  print substr($0, 1, column - 1) "///<" masked(substr($0, column + 2))
  trailing = column
  next
}
/[^ ].* \/\* / {
  column = match($0, / \/\* /) + 1
  text = substr($0, column + 2)
  ends = index(text, "*/")
  sub(/ *\*\/.*/, "", text)
  print substr($0, 1, column - 1) "/**<" masked(text) (ends ? " */" : "")
  block = ends ? 0 : 1
  next
}

{ if ($0 !~ /^ *$/) first = 0; trailing = 0; print }
