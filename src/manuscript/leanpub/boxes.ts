import type { Notes } from '../notes.ts';

/** The words before a box of each kind; the others are plain quotations. */
const NAMES: Readonly<Record<string, string>> = {
  D: 'Discussion',
  E: 'Error',
  I: 'Information',
  Q: 'Question',
  T: 'Tip',
  W: 'Warning',
  X: 'Exercise',
};
const LINE = /^([ABCDEIQTWX])>(?: (.*))?$/;
const CENTRED = 'C';
const BLOCK = /^\{(\/?)(?:aside|blurb)((?:,| |:)[^{}]*)?\}$/;
const FENCE = /^\s*(`{3,}|~{3,})/;

/** Turns the boxes of Markua, lines such as `A> …` and blocks such as `{aside}`, into quotations. */
export function quoteBoxes(lines: readonly string[], notes: Notes): readonly string[] {
  const out: string[] = [];
  let kind: string | null = null;
  let fence: string | null = null;
  let isBlock = false;
  for (const line of lines) {
    const boxed: RegExpExecArray | null = fence === null ? LINE.exec(line) : null;
    const block = fence === null ? BLOCK.exec(line.trim()) : null;
    const next = boxed?.[1] ?? null;
    if (next !== kind && (next !== null || line.trim() !== '')) out.push('');
    if (next !== kind && next !== null) out.push(...headOf(next, notes));
    kind = next;
    if (block !== null) {
      isBlock = block[1] === '';
      out.push('', ...(isBlock ? headOfBlock(block[2] ?? '', notes) : []));
    } else if (boxed !== null)
      out.push(kind === CENTRED ? (boxed[2] ?? '') : `> ${boxed[2] ?? ''}`.trimEnd());
    else out.push(isBlock ? `> ${line}`.trimEnd() : line);
    const mark: string | undefined = boxed === null ? FENCE.exec(line)?.[1] : undefined;
    if (fence === null) fence = mark ?? null;
    else if (mark !== undefined && mark.startsWith(fence)) fence = null;
  }
  return out;
}

function headOf(kind: string, notes: Notes): readonly string[] {
  if (kind === CENTRED) return [];
  notes.did('boxes made quotations');
  const name = NAMES[kind];
  return name === undefined ? [] : [`> **${name}**`, '>'];
}

function headOfBlock(attributes: string, notes: Notes): readonly string[] {
  const kind = /class ?[:=] ?"?(\w)(\w*)/.exec(attributes);
  notes.did('boxes made quotations');
  return kind === null ? [] : [`> **${kind[1]?.toUpperCase()}${kind[2]}**`, '>'];
}
