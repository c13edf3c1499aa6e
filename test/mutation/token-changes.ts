/** One token of a source that could be another: `found` stands at `column` of `line`, both from 0. */
export type Place = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly found: string;
  readonly change: string;
};

/** Each token that is changed, with its change. A number becomes the next one. */
const CHANGES: readonly (readonly [RegExp, string | ((found: string) => string)])[] = [
  [/===/g, '!=='],
  [/!==/g, '==='],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/&&/g, '||'],
  [/\|\|/g, '&&'],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/(?<![\w.$#])\d[\d_]*(?![\w.])/g, (found) => String(Number(found.replaceAll('_', '')) + 1)],
  // A negation, a condition and a whole statement are taken out.
  [/(?<=[(&| ])!(?=[\w(])/g, ''],
  [/(?<=\bif \()/g, 'true || '],
  [/(?<=\bif \()/g, 'false && '],
  [/^\s*(?:await |void )?[\w.]+\(.*\);$/g, ''],
];

/** Finds the places of a source where a token could be changed: not in comments, texts, types and imports. */
export function findPlaces(file: string, source: string): readonly Place[] {
  let isComment = false;
  return source.split('\n').flatMap((text, line) => {
    const trimmed = text.trim();
    const isSkipped =
      isComment || trimmed.startsWith('/*') || /^(import\b|\/\/|(export )?(type|interface) )/.test(trimmed);
    isComment = (isComment || trimmed.startsWith('/*')) && !trimmed.includes('*/');
    if (isSkipped) return [];
    const code = maskTexts(text);
    if (/^\s*(readonly )?\w+\??: /.test(code) && !/[({\d]|=>/.test(code)) return [];
    return CHANGES.flatMap(([pattern, change]) =>
      [...code.matchAll(pattern)].map(({ 0: masked, index: column }) => {
        const found = text.slice(column, column + masked.length);
        return { file, line, column, found, change: typeof change === 'string' ? change : change(found) };
      }),
    );
  });
}

/** Returns the source with one place changed. */
export function withChange(source: string, { line, column, found, change }: Place): string {
  const lines = source.split('\n');
  const text = lines[line]!;
  lines[line] = text.slice(0, column) + change + text.slice(column + found.length);
  return lines.join('\n');
}

/** Blanks strings, regular expressions and comments of a line; of a text over several lines, what it can see of it. */
function maskTexts(line: string): string {
  const text =
    /\/\/.*$|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*(?:`|$)|(?<=[(,=:[!&|?{;]\s*)\/(?![/*])(?:\\.|[^/\\])+\//g;
  return line.replaceAll(text, (found) => ' '.repeat(found.length));
}
