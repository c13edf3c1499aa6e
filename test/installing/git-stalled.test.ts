import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { createGitClient } from './git/git-client.ts';
import { fetchBody, findTip, UPLOAD_HEADERS } from './git/fetch-body.ts';
import { itemYaml, openStall, skillMd } from '../helpers/harness.ts';
import { openTinyWindows } from '../helpers/tiny-windows.ts';

const MB = 1024 * 1024;
const CLONES = 20;

test.each([
  ['in memory', 7 * MB],
  ['on disk', 40 * MB],
])('twenty clones that take nothing of a pack %s hold no pack each, and others clone', async (_, size) => {
  const stall = await openStall({
    files: {
      'skills/heron/item.yaml': itemYaml(),
      'skills/heron/SKILL.md': skillMd('heron'),
      'skills/heron/noise.bin': randomBytes(size),
    },
  });
  const url = `${stall.url}/git/heron.git`;
  const clone = async (name: string) => createGitClient().run('.', 'clone', '-q', url, name);
  expect(await clone('first')).toMatchObject({ code: 0 });
  // Once more, since the first clone finds the pack's hash and the second the answer that later ones share.
  expect(await clone('second')).toMatchObject({ code: 0 });
  const body = fetchBody(`want ${await findTip(url)}`, 'done');
  const sent = { ...UPLOAD_HEADERS, 'Content-Length': String(body.length) };
  const headers = Object.entries(sent).map(([name, value]) => `${name}: ${value}`);
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  const { port } = new URL(stall.url);
  const windows = await openTinyWindows(port, CLONES, '/git/heron.git/git-upload-pack', headers, body);
  await Bun.sleep(1500);
  const held = process.memoryUsage().rss - before;
  expect(await clone('beside')).toMatchObject({ code: 0 });
  expect(await windows.leave()).toEqual({ '200': CLONES });
  expect(held).toBeLessThan(32 * MB);
  await stall.close();
});
