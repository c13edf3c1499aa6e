import { expect } from 'bun:test';
import { buildProgram, serve, stallDirectory } from '../binary/program.ts';
import { isCi } from '../suite/ci-only.ts';
import { testPages, withPages } from './chromium.ts';
import {
  accept,
  createKey,
  expectUsed,
  grant,
  invite,
  meet,
  revokeKey,
  setUp,
  showKeys,
  signIn,
  signOut,
  tryLine,
  WAYS,
} from './people.ts';

await buildProgram();
const ways = isCi ? WAYS : WAYS.filter(([name]) => name === 'with the keyboard alone');
const stalls = await Promise.all(ways.map(() => serve(stallDirectory())));

testPages.each(ways.map((way, index) => [way[0], way, index] as const))(
  'people use a stall %s, from the first start to a revoked key',
  withPages(async (openPage, _, way, index) => {
    const stall = stalls[index];
    if (stall === undefined) throw new Error('There is a stall for each way');
    const owner = await meet(openPage, stall, 'owner@example.org', way);
    await setUp(owner, stall);
    await signOut(owner);
    await signIn(owner, '/admin');
    const reader = await meet(openPage, stall, 'reader@example.org', way);
    await accept(reader, await invite(owner, reader.email));
    const { key, line } = await createKey(reader, 'laptop');
    expect(await tryLine(line, key)).toContain('"items":[]');
    await expectUsed(reader, 'laptop');
    await grant(owner, reader.email, 'paid-book');
    expect(await tryLine(line, key)).toContain('"slug":"paid-book"');
    await reader.follow('Library');
    await reader.follow('The paid book');
    await showKeys(reader);
    await revokeKey(reader, 'laptop');
    expect(await tryLine(line, key)).toContain('401');
    await signOut(reader);
    await signIn(reader, '/dashboard');
  }),
);
