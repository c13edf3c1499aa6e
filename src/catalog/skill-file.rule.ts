/**
 * Splits SKILL.md at its two "---" lines into front matter and body. The front matter includes the first of these lines,
 * so that its line numbers are those of SKILL.md. Without both lines `frontMatter` is null, and the body is the whole
 * text.
 */
export function splitSkill(text: string): { frontMatter: string | null; body: string } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end =
    lines[0]?.trimEnd() === '---' ? lines.findIndex((row, n) => n > 0 && row.trimEnd() === '---') : -1;
  return end === -1
    ? { frontMatter: null, body: text }
    : { frontMatter: lines.slice(0, end).join('\n'), body: lines.slice(end + 1).join('\n') };
}
