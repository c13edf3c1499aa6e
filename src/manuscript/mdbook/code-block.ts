import { splitFences } from '../markdown/outside-code.ts';
import type { Notes } from '../notes.ts';

const OPEN = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})[ \t]*([^\n]*)/;
/** A line that rustdoc hides: `# ` or `#` alone; `##` shows one "#", and `#[…]` is code. */
const RUST_HIDDEN = /^\s*#(?: .*)?$/;

/**
 * Makes code blocks what readers see of them: without the lines that mdBook hides, and with the language alone after the
 * fence, since words such as `ignore` and `editable` are for programs.
 */
export function showCode(text: string, hiddenLines: ReadonlyMap<string, string>, notes: Notes): string {
  return splitFences(text)
    .map((part) => (part.isCode ? showBlock(part.text, hiddenLines, notes) : part.text))
    .join('');
}

function showBlock(block: string, hiddenLines: ReadonlyMap<string, string>, notes: Notes): string {
  const open = OPEN.exec(block);
  if (open === null) return block;
  const [first, before = '', fence = '', written = ''] = open;
  const words = written.split(/[\s,{}]+/).filter((word) => word !== '');
  const language = (words[0] ?? '').replace(/^[.]|^class=/, '');
  const own = words.find((word) => word.startsWith('hidelines='))?.slice('hidelines='.length);
  const prefix = own ?? hiddenLines.get(language);
  const [, ...lines] = block.split('\n');
  const shown = lines.flatMap((line) => showLine(line, { isRust: language === 'rust', prefix, before }));
  notes.did('hidden lines of code left out', lines.length - shown.length);
  const head = first.slice(0, first.length - written.length).trimEnd();
  return [head.slice(0, before.length) + fence + language, ...shown].join('\n');
}

type Block = { readonly isRust: boolean; readonly prefix: string | undefined; readonly before: string };

function showLine(line: string, { isRust, prefix, before }: Block): readonly string[] {
  const quote = before.includes('>') ? (/^[ \t>]*/.exec(line)?.[0] ?? '') : '';
  const code = line.slice(quote.length);
  if (prefix !== undefined && code.trimStart().startsWith(prefix)) return [];
  if (!isRust) return [line];
  if (RUST_HIDDEN.test(code.trimEnd())) return [];
  return [quote + code.replace(/^(\s*)##/, '$1#')];
}
