import { expect } from 'bun:test';
import type { Engine } from '../../src/asking/engines/engine.ts';
import { itemYaml, openStall } from '../helpers/harness.ts';
import { testPages, withPages } from './chromium.ts';
import { faultsOf } from './page-rules.ts';

const CHAPTER =
  '# Herons\n\nThe grey heron stands on one leg because the water is cold.\n\n## The marsh\n\nMist.\n';
const END = { type: 'end', inputTokens: 0, outputTokens: 0, truncated: false } as const;

/** Answers with all that a model's markup may show, or says that the book does not cover a question about tea. */
const engine: Engine = {
  name: 'anthropic',
  model: 'made-up',
  async *answer({ query, passages: [passage] }) {
    if (query.includes('tea') || passage === undefined) return yield { ...END, outcome: 'not_covered' };
    yield { type: 'text', text: 'It is **cold**:\n\n- *one* leg\n  1. `the other`\n\n<b>' };
    const { path, heading, start, end } = passage;
    yield { type: 'cite', path, heading, start, end };
    yield { type: 'text', text: `\n\n\`\`\`sh\n${'long '.repeat(60)}\n\`\`\`\n\n${'x'.repeat(500)}` };
    yield { ...END, outcome: 'answered' };
  },
};
const stall = await openStall({
  engine,
  files: {
    'books/herons/item.yaml': itemYaml({ id: 'herons', title: 'Herons' }),
    'books/herons/1.md': CHAPTER,
  },
});
await stall.reader('reader@example.org');
const cookie = (await stall.signIn('reader@example.org')).Cookie;

testPages.each(
  (['phone', 'desktop'] as const).flatMap((width) => [
    [width, 'Why is the heron on one leg?', 'In the book'] as const,
    [width, 'Does a heron drink tea in the marsh?', 'Nearest in the book'] as const,
  ]),
)(
  'on a %s the answer to %j keeps all rules of accessible pages in both themes',
  withPages(async (open, width: 'phone' | 'desktop', question: string, heading: string) => {
    const page = await open(stall.url, { width, cookie });
    await page.goto('/books/herons/ask');
    await page.getByLabel('Your question').fill(question);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('heading', { name: heading }).waitFor();
    await page.getByRole('heading', { name: 'Ask again' }).waitFor();
    expect(await page.getByText('The answer is being written').isVisible()).toBeFalse();
    expect(await page.getByLabel('Your question').inputValue()).toBe(question);
    expect(await faultsOf(page)).toEqual([]);
  }),
);
