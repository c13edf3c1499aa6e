import { expect, test } from 'bun:test';
import { openStall } from '../harness.ts';

const stall = await openStall();

test('install of a free item needs no key and is one gzip member with the record first', async () => {
  const response = await stall.fetch('/api/install/free-skill');
  expect(response.status).toBe(200);
  const tar = Bun.gunzipSync(await response.arrayBuffer());
  expect(Buffer.from(tar.subarray(0, 24)).toString()).toBe('free-skill/.svc-install\0');
});
