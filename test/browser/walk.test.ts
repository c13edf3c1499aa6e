import { buildProgram, serve, stallDirectory } from '../binary/program.ts';
import { testPages, withPages } from './chromium.ts';
import { accept, meet, setUp, signIn, signOut, WAYS } from './people.ts';

await buildProgram();
const stalls = await Promise.all(WAYS.map(() => serve(stallDirectory())));

testPages.each(WAYS.map((way, index) => [way[0], way, index] as const))(
  'a stall is used %s, from the first start to a revoked key',
  withPages(async (openPage, _, way, index) => {
    const stall = stalls[index];
    if (stall === undefined) throw new Error('There is a stall for each way');
    const owner = await meet(openPage, stall, 'owner@example.org', way);
    await setUp(owner, stall);
    await signOut(owner);
    await signIn(owner, '/admin');
    const reader = await meet(openPage, stall, 'reader@example.org', way);
    await stall.office('account', 'add', reader.email);
    await accept(reader, JSON.parse(await stall.office('account', 'link', reader.email, '--json')).url);
  }),
);
