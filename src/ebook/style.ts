/** The e-book's style sheet: little, since a reading program's own settings come first. */
export const STYLE = `body { margin: 0 5%; line-height: 1.45; overflow-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { line-height: 1.2; page-break-after: avoid; break-after: avoid; }
img { max-width: 100%; height: auto; }
figure { margin: 1em 0; }
figcaption, caption { font-size: 0.9em; }
blockquote { margin: 1em 1.5em; }
pre { white-space: pre-wrap; font-size: 0.85em; line-height: 1.35; }
p.lines { white-space: pre-wrap; }
code, kbd, samp { font-family: monospace; }
table { border-collapse: collapse; }
td, th { border: 1px solid; padding: 0.2em 0.5em; vertical-align: top; }
.left { text-align: left; }
.center { text-align: center; }
.right { text-align: right; }
sup { line-height: 1; }
.notes { margin-top: 2em; border-top: 1px solid; font-size: 0.9em; }
.cover { text-align: center; }
.cover img { max-height: 100%; }
nav ol { list-style: none; }
.hljs-comment, .hljs-quote { font-style: italic; color: #5c5c5c; }
.hljs-keyword, .hljs-selector-tag, .hljs-section, .hljs-title, .hljs-name { font-weight: bold; }
.hljs-string, .hljs-attr, .hljs-regexp { color: #1c5a2e; }
.hljs-number, .hljs-literal, .hljs-built_in, .hljs-type { color: #7a2a1c; }
.hljs-addition { color: #1c5a2e; }
.hljs-deletion { color: #8a1c1c; }
`;
