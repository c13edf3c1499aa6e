const PROSE = /\.(?:md|markdown|txt|adoc|rst)$/i;
const PROGRAM =
  /\.(?:bash|c|cc|clj|cpp|cs|cxx|dart|erl|ex|exs|f90|fs|go|h|hpp|hs|java|jl|js|jsx|kt|lisp|lua|m|mjs|ml|nim|php|pl|pm|ps1|py|r|rb|rs|scala|sh|sol|sql|swift|ts|tsx|vue|zig)$/i;
const ABOUT = /^(?:readme|changelog|changes|licen[cs]e|copying)(?:[-_.][^/]*)?$/i;
/** Pages for contributors, by the names that GitHub gives a meaning. */
const COMMUNITY =
  /^(?:CONTRIBUTING|contributing|CODE[-_]OF[-_]CONDUCT|code[-_]of[-_]conduct|AUTHORS|CONTRIBUTORS|FUNDING|GOVERNANCE|MAINTAINERS|SECURITY|SUPPORT)(?:\.[^/]*)?$/;
const MADE =
  /[-.]min\.|\.(?:bundle|generated|gen|pb|g)\.[^./]+$|(?:^|\/)(?:node_modules|vendor|dist|target|__pycache__)\//i;

/** Whether a text file is a chapter of a book that names none: prose or source code, not written by a program. */
export function isChapterFile(path: string): boolean {
  return (PROSE.test(path) || PROGRAM.test(path)) && !isAbout(path) && !MADE.test(path);
}

/** Whether a file of the item's root tells about the book or its repository: README, CHANGELOG, LICENSE, CONTRIBUTING and the like. */
export function isAbout(path: string): boolean {
  return ABOUT.test(path) || COMMUNITY.test(path);
}
