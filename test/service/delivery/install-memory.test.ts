import { expect, test } from 'bun:test';
import { itemYaml, openStall } from '../../harness.ts';

const ITEM = 5 << 20;
/** What the shelf keeps in memory, in bytes. */
const SHELF_SIZE = 64 << 20;
const NAMES = Array.from({ length: 24 }, (_, n) => `book-${n}`);

function noise(): Uint8Array {
  const bytes = new Uint8Array(ITEM);
  for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
}

test('what the shelf lets go does not stay in memory for the archives that were made of it', async () => {
  const files = Object.fromEntries(
    NAMES.flatMap((name) => [
      [`books/${name}/item.yaml`, itemYaml({ id: name })],
      [`books/${name}/noise.bin`, noise()],
    ]),
  );
  const stall = await openStall({ files, config: { budget: null } });
  const install = async (name: string) =>
    (await (await stall.fetch(`/api/install/${name}`)).arrayBuffer()).byteLength;
  const before = process.memoryUsage().arrayBuffers;
  for (const name of NAMES) expect(await install(name)).toBeGreaterThan(ITEM);
  const grown = (): number => {
    Bun.gc(true);
    return process.memoryUsage().arrayBuffers - before;
  };
  for (let tries = 0; grown() > SHELF_SIZE + ITEM && tries < 50; tries++) await Bun.sleep(20);
  expect(grown()).toBeLessThanOrEqual(SHELF_SIZE + ITEM);
});
