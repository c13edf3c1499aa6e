import { describe, expect, test } from 'bun:test';
import { truncateSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openStall, readEvents, type Stall } from '../helpers/harness.ts';

const QUESTION = { book_id: 'free-id', query: 'Why does the heron stand on one leg?' };

async function ask(stall: Stall, headers: Record<string, string>): Promise<unknown> {
  const response = await stall.fetch('/api/agent/fetch', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(QUESTION),
  });
  return response.status === 200 ? (await readEvents(response)).at(-1)?.data['outcome'] : response.status;
}

async function indexesOf({ data }: Stall): Promise<string[]> {
  const names = await readdir(join(data, 'artefacts'), { recursive: true });
  return names.filter((name) => name.endsWith('.index')).map((name) => join(data, 'artefacts', name));
}

describe('an index that a question has opened', () => {
  test.each([
    ['cut', (file: string) => truncateSync(file, 5000)],
    ['emptied', (file: string) => truncateSync(file, 0)],
    ['replaced by nonsense', (file: string) => writeFileSync(file, 'nonsense')],
  ])('and that is then %s is rebuilt for the next question', async (_, damage) => {
    const stall = await openStall();
    const { headers } = await stall.reader('asker@example.org');
    expect(await ask(stall, headers)).toBe('quoted');
    for (const file of await indexesOf(stall)) damage(file);
    expect(await ask(stall, headers)).toBe('quoted');
    expect(stall.log.some(({ event }) => event === 'artefact-broken')).toBe(true);
  });
});
