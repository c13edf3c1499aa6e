import { expect, test } from 'bun:test';
import { type Files, itemYaml, skillMd, writeFiles } from '../../../harness.ts';
import { openAdmin, wordsOf } from './visit.ts';

const kit = (version: string): Files => ({
  'skills/kit/item.yaml': itemYaml({ version: JSON.stringify(version) }),
  'skills/kit/SKILL.md': skillMd('kit', `Version ${version}.\n`),
});
const { stall, open, send } = await openAdmin({ files: kit('1.0') });
for (const version of ['1.1', '<b>1.2']) {
  writeFiles(stall.content, kit(version));
  await stall.app.publish();
}

const PAGE = '/admin/items/kit/editions';
const rows = async (): Promise<readonly string[]> =>
  (await open(PAGE)).html.split('<tr').slice(2).map(wordsOf);
const digestOf = async (version: string): Promise<string> =>
  (await stall.app.admin.editions.find('kit', version)).digest;

test('the office lists editions, rolls back and withdraws after a confirmation', async () => {
  expect((await open('/admin/items')).html).toContain(`href="${PAGE}"`);
  const { html } = await open(PAGE);
  expect(html).not.toContain('<b>1.2');
  expect(wordsOf(html)).toMatch(/The 2 kept editions of all items take \d+ B/);
  expect(await rows()).toEqual([
    expect.stringContaining('1.2 served'),
    expect.stringMatching(/1\.1 kept .*Roll back Withdraw/),
    expect.stringMatching(/1\.0 kept .*Roll back Withdraw/),
  ]);

  const [bad, good] = [await digestOf('<b>1.2'), await digestOf('1.1')];
  expect(wordsOf((await open(`${PAGE}/${good}/rollback`)).html)).toContain('Roll “kit” back to 1.1?');
  expect((await rows())[0]).toContain('1.2 served');
  expect((await send(`${PAGE}/${good}/rollback`)).location).toBe(`${PAGE}?said=rolled-back`);
  expect((await rows()).slice(0, 2)).toEqual([
    expect.stringContaining('1.2 kept'),
    expect.stringContaining('1.1 served'),
  ]);

  expect(wordsOf((await open(`${PAGE}/${bad}/withdraw`)).html)).toContain('This cannot be undone.');
  expect((await send(`${PAGE}/${bad}/withdraw`)).location).toBe(`${PAGE}?said=withdrawn`);
  expect((await rows())[0]).toContain('1.2 withdrawn');
  expect((await rows())[0]).not.toContain('Roll back');
  expect((await stall.fetch(`/api/install/kit?edition=sha256:${bad}`)).status).toBe(410);
  expect(stall.app.catalog().bySlug.get('kit')?.manifest.version).toBe('1.1');
  const { html: log } = await open('/admin/audit');
  expect(wordsOf(log)).toMatch(/Withdrew an edition .*Rolled an item back/);
});
