import { LONGEST_TEXT } from '../../src/catalog/chapter-limit.rule.ts';
import { type Files, itemYaml } from '../helpers/harness.ts';

/** Thirty languages that the highlighter knows, and a line of each. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  bash: 'for f in *.md; do echo "$f"; done # all',
  c: 'int main(void) { return printf("%d\\n", 42); }',
  cpp: 'template <typename T> auto twice(T x) -> T { return x + x; }',
  csharp: 'public record Heron(string Name, int Legs = 2);',
  css: '.heron > .leg:first-child { color: #1d1b18; margin: 0 auto; }',
  diff: '- two legs\n+ one leg',
  go: 'func main() { fmt.Println("heron", 1) }',
  graphql: 'query { heron(id: 1) { name legs } }',
  ini: '[heron]\nlegs = 1',
  java: 'class Heron { private final int legs = 1; }',
  javascript: 'const heron = async () => `legs: ${await count()}`;',
  json: '{ "heron": { "legs": 1, "wades": true } }',
  kotlin: 'data class Heron(val legs: Int = 1)',
  less: '@leg: 2px; .heron { width: @leg * 2; }',
  lua: 'local heron = { legs = 1 } -- one',
  makefile: 'heron: leg\n\t$(CC) -o $@ $<',
  markdown: '# Heron\n\n*one* leg',
  objectivec: '@interface Heron : NSObject\n@end',
  perl: 'my %heron = (legs => 1); print "$_\\n" for keys %heron;',
  php: '<?php echo "heron $legs"; ?>',
  python: 'def heron(legs: int = 1) -> str:\n    return f"{legs} leg"',
  r: 'heron <- data.frame(legs = c(1, 2))',
  ruby: 'heron = { legs: 1 }.map { |k, v| "#{k}: #{v}" }',
  rust: "fn heron<'a>(legs: &'a str) -> Option<&'a str> { Some(legs) }",
  scss: '$leg: 2px; .heron { &:hover { width: $leg; } }',
  sql: "SELECT name, legs FROM herons WHERE legs = 1 -- 'one'",
  swift: 'struct Heron { let legs: Int = 1 }',
  typescript: 'type Heron = { readonly legs: 1 | 2 };',
  xml: '<heron legs="1"><!-- one --></heron>',
  yaml: 'heron:\n  legs: 1 # one',
};

const rows = (count: number, cell: (column: number) => string, columns: number): string =>
  Array.from(
    { length: count },
    () => `|${Array.from({ length: columns }, (_, n) => ` ${cell(n)} |`).join('')}`,
  ).join('\n');

const TABLE = `${rows(1, (n) => `Column ${n + 1}`, 40)}\n${rows(1, () => '---', 40)}\n${rows(5, (n) => `value ${n}`, 40)}`;

const CHINESE =
  '苍鹭是一种大型水鸟，常常单腿站立在浅水之中，因为水中的腿会散失热量。它等待鱼游近，然后迅速啄取。';
const JAPANESE =
  '鷺は「寒い」と言った。――それから、片足で立った……。﹁縦書きの句読点﹂︒︑と半角ｶﾅも、ここに在る。';
const ARABIC =
  'يقف مالك الحزين على ساق واحدة في الماء البارد (انظر الشكل 3)، لأن الساق في الماء تفقد الحرارة. ويقول الناس: «الصبر مفتاح الفرج».';
const ENGLISH = 'The grey heron stands on one leg in the cold water, and waits for the fish to come to it. ';

/** Texts that are hard to lay out: what may go wrong is in their names. */
export const HARD_TEXTS: Readonly<Record<string, string>> = {
  'code.md': `# Code of thirty languages\n\n${Object.entries(PROGRAMS)
    .map(
      ([language, code]) => `## ${language}\n\n\`\`\`${language}\n${code}\n${'long '.repeat(60)}\n\`\`\`\n`,
    )
    .join('\n')}`,
  'tables.md': `# Tables of forty columns\n\n${TABLE}\n\nWords between them.\n\n${TABLE}\n`,
  'notes.md': `# Footnotes\n\n${Array.from({ length: 30 }, (_, n) => `Sentence ${n}[^${n}].`).join(' ')}\n\n${Array.from(
    { length: 30 },
    (_, n) => `[^${n}]: Note ${n} with \`code\` and *words*.\n\n    And a second paragraph.\n`,
  ).join('\n')}`,
  'math.md': `# Formulas and alerts\n\n${['NOTE', 'CAUTION'].map((kind) => `> [!${kind}]\n> Words $x^2$ words.\n`).join('\n')}\n$$ ${'a_1 + '.repeat(16)}b $$\n\nWords $${'\\frac{a}{b} + '.repeat(40)}c$ words.\n\n$$\n\\begin{align} a &= \\sum_{i=1}^n b \\tag{1} \\end{align}\n$$\n\n$\\no$\n`,
  'images.md':
    '# Missing images\n\n![A heron that is not there](gone.png)\n\n![](also-gone.png)\n\n![From elsewhere](https://elsewhere.example/a.png)\n\n' +
    'Words ![within](gone.svg) words.\n\n<img src="gone.jpg" width="4000" height="3000" alt="A wide one">\n',
  'words.md': `# ${'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(3)}\n\n${'x'.repeat(3000)}\n\n[${'y'.repeat(400)}](https://example.org/${'z'.repeat(900)})\n\n> > > > > > ${'deep '.repeat(40)}\n\n${Array.from({ length: 12 }, (_, n) => `${'  '.repeat(n)}- level ${n} of a list that goes on and on\n`).join('')}\n\n\`${'code'.repeat(200)}\`\n\n<kbd>${'k'.repeat(300)}</kbd>\n`,
};

/** A book of the hard texts, one of each script, one of long words, one of a chapter of 10 MB, and one of 2,000 chapters. */
export const HARD_BOOKS: Files = {
  'books/hard/item.yaml': itemYaml({ id: 'hard', title: 'Hard texts', language: 'en', math: 'true' }),
  ...under('books/hard', HARD_TEXTS),
  'books/arabic/item.yaml': itemYaml({ id: 'arabic', title: 'مالك الحزين', language: 'ar' }),
  'books/arabic/1.md': script('مالك الحزين', ARABIC),
  'books/arabic/2.md': script('الماء', ARABIC),
  'books/chinese/item.yaml': itemYaml({ id: 'chinese', title: '苍鹭', language: 'zh' }),
  'books/chinese/1.md': script('苍鹭', CHINESE.repeat(6)),
  'books/japanese/item.yaml': itemYaml({ id: 'japanese', title: '鷺の本', language: 'ja' }),
  'books/japanese/1.md': script('鷺', JAPANESE.repeat(6)),
  'books/german/item.yaml': itemYaml({
    id: 'german',
    title: 'Donaudampfschifffahrtsgesellschaftskapitänsausbildungsverordnung',
    publisher: 'Verlag für Verwaltungsvereinfachungsmaßnahmenentwicklung',
    language: 'de',
  }),
  'books/german/1.md': '# Kapitän\n\nEin Satz.\n',
  'books/huge/item.yaml': itemYaml({ id: 'huge', title: 'Huge' }),
  'books/huge/1.md': `# Huge\n\n${`${ENGLISH.repeat(5)}\n\n`.repeat(Math.floor((LONGEST_TEXT - 100) / (ENGLISH.length * 5 + 2)))}The last words.\n`,
  'books/long/item.yaml': itemYaml({ id: 'long', title: 'Long' }),
  ...Object.fromEntries(
    Array.from({ length: 2000 }, (_, n) => [
      `books/long/${String(n + 1).padStart(4, '0')}.md`,
      `# Chapter ${n + 1}\n\n${ENGLISH}\n`,
    ]),
  ),
};

function under(folder: string, texts: Readonly<Record<string, string>>): Files {
  return Object.fromEntries(Object.entries(texts).map(([path, text]) => [`${folder}/${path}`, text]));
}

/** A text with each kind of block in one script. */
function script(title: string, words: string): string {
  return `# ${title}\n\n${words}\n\n> ${words}\n\n## ${words.slice(0, 12)}\n\n- ${words.slice(0, 40)}\n- *${words.slice(0, 20)}* \`code.md\` **${words.slice(20, 40)}**\n\n1. ${words.slice(0, 30)}\n\n| ${words.slice(0, 8)} | ${words.slice(8, 16)} |\n|---|---|\n| 1 | 2.50 |\n\n\`\`\`js\nconst heron = 1; // ${words.slice(0, 10)}\n\`\`\`\n\n${words}[^1]\n\n[^1]: ${words}\n`;
}
