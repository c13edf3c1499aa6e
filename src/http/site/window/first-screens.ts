/** The characters after which a text is cut: three screens of a phone. */
const ENOUGH = 3000;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:\s*\S.*$/gm;

/** The beginning of a Markdown text: whole blocks, and the addresses that links in it refer to. */
export function firstScreens(markdown: string): string {
  if (markdown.length <= ENOUGH) return markdown;
  const end = endOfBlocks(markdown);
  const addresses = markdown.slice(end).match(DEFINITION) ?? [];
  return `${markdown.slice(0, end)}\n\n${addresses.slice(0, 100).join('\n')}`;
}

/** Where the first empty line after enough text ends a block: none within a fenced one. A block that has no end is cut. */
function endOfBlocks(markdown: string): number {
  let [fence, at] = ['', 0];
  for (const line of markdown.split('\n')) {
    if (at >= ENOUGH && fence === '' && line.trim() === '') return at;
    if (at >= ENOUGH * 4) return at;
    const mark = FENCE.exec(line)?.[1] ?? '';
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = '';
    at += line.length + 1;
  }
  return markdown.length;
}
