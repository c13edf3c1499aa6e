// `bun run demo:site`: the site full of made-up people, items and logs, to look at until Ctrl-C. Run by `bun test`, whose
// hooks the harness needs.
import { test } from 'bun:test';
import { PASSWORD } from '../helpers/harness.ts';
import { openFull, OWNER } from './stalls.ts';

test('the site is open until Ctrl-C', async () => {
  const { stall, reader } = await openFull();
  console.log(`\n${stall.url}/\n\nSign in as ${OWNER} or ${reader}, with the password: ${PASSWORD}\n`);
  await new Promise(() => {});
}, 0);
