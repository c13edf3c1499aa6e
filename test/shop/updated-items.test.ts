import { describe, expect, test } from 'bun:test';
import { itemYaml, openStall, skillMd, until, writeFiles } from '../helpers/harness.ts';
import { createVisitor } from '../platform/site/visitor.ts';

const MARK = 'Updated since you fetched it';

const kit = (version: string) => ({
  'skills/kit/item.yaml': itemYaml({ version, unitAmountCents: 500 }),
  'skills/kit/SKILL.md': skillMd('kit', `Version ${version}.\n`),
});

/** A stall with two accounts that hold its only item; `fetch` returns once the log has the download. */
async function openShelf() {
  const time = { now: Date.parse('2026-11-20T12:00:00Z') };
  const stall = await openStall({ files: kit('1.0'), now: () => time.now });
  const reader = await stall.reader('ann@example.org', 'kit');
  await stall.reader('bob@example.org', 'kit');
  const { downloads } = stall.app.admin.logs;
  const isMarked = async (email: string): Promise<boolean> =>
    (await createVisitor(stall, await stall.signIn(email)).open('/dashboard')).text.includes(MARK);
  return {
    isMarked,
    async fetch(edition = ''): Promise<void> {
      const before = downloads(reader.email, null).length;
      await stall.fetch(`/api/install/kit${edition}`, { headers: reader.headers });
      await until(async () => downloads(reader.email, null).length > before);
      time.now += 1000;
    },
    async publish(files: ReturnType<typeof kit>): Promise<void> {
      writeFiles(stall.content, files);
      await stall.app.publish();
      time.now += 1000;
    },
    rollBack: (edition: string) => stall.app.admin.editions.rollBack('kit', edition),
    close: stall.close,
  };
}

describe('an item in the library', () => {
  test('is marked from its next edition until its holder fetches that', async () => {
    const shelf = await openShelf();
    expect(await shelf.isMarked('ann@example.org')).toBe(false);
    await shelf.fetch();
    expect(await shelf.isMarked('ann@example.org')).toBe(false);
    await shelf.publish(kit('1.1'));
    expect(await shelf.isMarked('ann@example.org')).toBe(true);
    expect(await shelf.isMarked('bob@example.org')).toBe(false);
    await shelf.fetch();
    expect(await shelf.isMarked('ann@example.org')).toBe(false);
    await shelf.close();
  });

  test('is marked when its publisher goes back, not for a new label of the same files', async () => {
    const shelf = await openShelf();
    await shelf.publish(kit('1.1'));
    await shelf.fetch();
    await shelf.publish({ ...kit('1.1'), 'skills/kit/item.yaml': kit('1.1.1')['skills/kit/item.yaml'] });
    expect(await shelf.isMarked('ann@example.org')).toBe(false);
    await shelf.rollBack('1.0');
    await shelf.publish({ ...kit('1.1'), 'skills/kit/item.yaml': kit('1.1.1')['skills/kit/item.yaml'] });
    expect(await shelf.isMarked('ann@example.org')).toBe(true);
    await shelf.close();
  });

  test('is not marked for a holder who fetched an earlier edition on purpose', async () => {
    const shelf = await openShelf();
    await shelf.publish(kit('1.1'));
    await shelf.fetch('?edition=1.0');
    expect(await shelf.isMarked('ann@example.org')).toBe(false);
    await shelf.publish(kit('1.2'));
    expect(await shelf.isMarked('ann@example.org')).toBe(true);
    await shelf.close();
  });
});
