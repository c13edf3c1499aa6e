import { openStall, SHELF } from '../helpers/harness.ts';

/** A chapter of two answers' length; its last line is the sign that a client read it to its end. */
export const LONG_CHAPTER = `# The owl\n\n${Array.from({ length: 700 }, (_, n) => `Line ${n} of the long chapter, about an owl.\n`).join('')}The owl sleeps at last.\n`;

/** The quotation that answers `QUESTION`. */
export const QUOTE = 'stands on one leg because the cold water would otherwise chill both';
export const QUESTION = 'Why does the grey heron stand on one leg?';

/** A stall for agents that speak MCP, and a reader with a paid book and a key. */
export async function openMcpStall(more: Parameters<typeof openStall>[0] = {}) {
  const stall = await openStall({ files: { ...SHELF, 'books/paid-book/02.md': LONG_CHAPTER }, ...more });
  const reader = await stall.reader('reader@example.org', 'paid-book');
  const revoke = () => stall.app.admin.keys.revoke(String(reader.keyId));
  return { stall, url: `${stall.url}/mcp`, key: reader.key, revoke };
}
