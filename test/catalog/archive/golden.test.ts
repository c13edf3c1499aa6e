import { expect, test } from 'bun:test';
import { join } from 'node:path';

// A change here means new bytes for unchanged items: raise the artefacts' format version with it
const GOLDEN = {
  tarGz: '6d714b7716a26375944993cebd3f2e80141cd25d4e48f1da947b7b02abb510be',
  zip: 'f9d661f7f285b9f72413aa73ee8381bea564ad2b9b7535d18c44246f0270ab83',
};

const zones = [
  'UTC',
  'Asia/Kolkata',
  'America/St_Johns',
  'Pacific/Kiritimati',
  'Pacific/Apia',
  'America/Anchorage',
];

test.each(zones)('archives have the same bytes in time zone %s', async (zone) => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'golden.ts')], {
    env: { ...process.env, TZ: zone },
    stdout: 'pipe',
  });
  expect(await child.stdout.json()).toEqual(GOLDEN);
});
