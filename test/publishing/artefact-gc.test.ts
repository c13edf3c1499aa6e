import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createArtefactGc } from '../../src/catalog/artefact-cache.ts';
import type { Edition } from '../../src/catalog/catalog.ts';
import { itemYaml, openStall, skillMd, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { compile, makeItem } from './item-folder.ts';

const GRACE = 40;
const looks = (count: number) => Bun.sleep(GRACE * count + GRACE / 2);

/** Waits as long as it takes, since a busy machine holds timers back; the test's own time ends it. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await Bun.sleep(5);
};

/** Every artefact's file name, sorted. */
function artefactsOf(data: string): string[] {
  return readdirSync(join(data, 'artefacts'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(tar|zip|files|pack|index)$/.test(path))
    .map((path) => path.slice(3))
    .toSorted();
}

function namesOf(...editions: readonly Edition[]): string[] {
  return editions
    .flatMap(({ artefacts }) => Object.values(artefacts).map(({ name, kind }) => `${name}.${kind}`))
    .toSorted();
}

/** Two editions of one book compiled into one data directory. */
function twoEditions() {
  const [item, data] = [makeItem(), temporaryDirectory()];
  const first = compile(item, data);
  writeFiles(item.folder, { '02.md': 'more' });
  const second = compile(item, data);
  return { data, first, second };
}

describe('eviction', () => {
  test('removes artefacts that are unnamed at the second scan, and nothing else', async () => {
    const { data, first, second } = twoEditions();
    mkdirSync(join(data, 'artefacts/new'), { recursive: true });
    writeFileSync(join(data, 'artefacts/new/half'), 'half written');
    const seen: string[][] = [];
    const isQuiet = () => seen.push(artefactsOf(data)) > 0;
    const eviction = createArtefactGc(data, { named: () => [second], isQuiet, grace: GRACE });
    eviction.start();
    await until(() => artefactsOf(data).length === namesOf(second).length);
    // Each scan asks twice: the second one found everything still there, before it removed anything.
    expect(seen.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => namesOf(first, second).toSorted()));
    expect(artefactsOf(data)).toEqual(namesOf(second));
    expect(existsSync(join(data, 'artefacts/new/half'))).toBe(true);
    eviction.close();
  });

  test('keeps artefacts that are named again before the second scan', async () => {
    const { data, first, second } = twoEditions();
    let calls = 0;
    // A scan asks before it looks, and again after it.
    const named = () => (++calls <= 2 ? [second] : [first, second]);
    const eviction = createArtefactGc(data, { named, isQuiet: () => true, grace: GRACE });
    eviction.start();
    await until(() => calls === 4);
    await looks(1);
    expect(artefactsOf(data)).toEqual(namesOf(first, second).toSorted());
    eviction.close();
  });

  test('looks again if other editions are named after it has looked', async () => {
    const { data, first, second } = twoEditions();
    let calls = 0;
    // The second scan would remove the first edition, which is named again while it looks.
    const named = () => (++calls <= 3 ? [second] : [first, second]);
    const eviction = createArtefactGc(data, { named, isQuiet: () => true, grace: GRACE });
    eviction.start();
    await until(() => calls === 6);
    await looks(1);
    expect(artefactsOf(data)).toEqual(namesOf(first, second).toSorted());
    eviction.close();
  });

  test('compares thousands of editions in slices, between which others have their turn', async () => {
    const { data, second } = twoEditions();
    const many = Array.from({ length: 5000 }, () => second);
    let calls = 0;
    let turns = 0;
    const turn = (): void => void (calls < 2 && ((turns += calls), setImmediate(turn)));
    const eviction = createArtefactGc(data, {
      named: () => (calls++, many),
      isQuiet: () => true,
      grace: GRACE,
    });
    turn();
    eviction.start();
    await until(() => calls === 2);
    expect(turns).toBeGreaterThan(5000 / 50);
    eviction.close();
  });

  test('does nothing during a compile, and continues when started after it', async () => {
    const { data, first, second } = twoEditions();
    let isQuiet = false;
    const eviction = createArtefactGc(data, { named: () => [second], isQuiet: () => isQuiet, grace: GRACE });
    eviction.start();
    await looks(4);
    expect(artefactsOf(data)).toEqual(namesOf(first, second).toSorted());
    isQuiet = true;
    eviction.start();
    await until(() => Bun.deepEquals(artefactsOf(data), namesOf(second)));
    expect(artefactsOf(data)).toEqual(namesOf(second));
    eviction.close();
  });

  test('looks no more once closed', async () => {
    const { data, first, second } = twoEditions();
    let scans = 0;
    const eviction = createArtefactGc(data, {
      named: () => {
        scans++;
        // In the middle of the first scan, whose listing is not there yet.
        eviction.close();
        return [];
      },
      isQuiet: () => true,
      grace: GRACE,
    });
    eviction.start();
    await until(() => scans === 1);
    await looks(3);
    expect(scans).toBe(1);
    expect(artefactsOf(data)).toEqual(namesOf(first, second).toSorted());
  });
});

describe('the stall', () => {
  const skill = (name: string, body: string) => ({
    [`skills/${name}/item.yaml`]: itemYaml(),
    [`skills/${name}/SKILL.md`]: skillMd(name, body),
  });

  test('keeps the artefacts of a broken item, and removes those of changed and removed ones', async () => {
    const stall = await openStall({
      grace: GRACE,
      files: { ...skill('broken', 'a'), ...skill('changed', 'a'), ...skill('removed', 'a') },
    });
    const broken = stall.app.catalog().bySlug.get('broken')!;
    writeFiles(stall.content, { 'skills/broken/SKILL.md': 'half done', ...skill('changed', 'b') });
    rmSync(join(stall.content, 'skills/removed'), { recursive: true });
    await stall.app.publish();
    const expected = namesOf(broken, stall.app.catalog().bySlug.get('changed')!);
    await until(() => artefactsOf(stall.data).length <= expected.length);
    await looks(1);
    expect(artefactsOf(stall.data)).toEqual(expected);
    await stall.close();
  });

  test('keeps the artefacts of two saved items with one name, so that resolving the conflict compiles nothing', async () => {
    const book = (id: string) => ({ 'books/egret/item.yaml': itemYaml({ id }), 'books/egret/a.md': 'a' });
    const other = (id: string) => ({ 'books/heron/item.yaml': itemYaml({ id }), 'books/heron/a.md': 'a' });
    const stall = await openStall({ grace: GRACE, files: { ...book('one'), ...other('two') } });
    const before = artefactsOf(stall.data);
    writeFiles(stall.content, book('two'));
    await stall.app.publish();
    expect(stall.app.catalog().editions).toEqual([]);
    await looks(5);
    expect(artefactsOf(stall.data)).toEqual(before);
    await stall.close();
  });

  test('keeps its artefacts folder small while an item alternates between good and broken, and always serves it', async () => {
    const stall = await openStall({ grace: GRACE, files: skill('swing', 'round -1') });
    const ofOne = artefactsOf(stall.data).length;
    const sizes: number[] = [];
    const statuses = new Set<number>();
    const hungry = new AbortController();
    const install = async (): Promise<Buffer> => {
      const answer = await stall.fetch('/api/install/swing');
      statuses.add(answer.status);
      return Buffer.from(Bun.gunzipSync(await answer.arrayBuffer()));
    };
    const reader = (async () => {
      for (; !hungry.signal.aborted; await Bun.sleep(1)) await install();
    })();
    for (let round = 0; round < 20; round++) {
      writeFiles(stall.content, skill('swing', `round ${round}!`));
      await stall.app.publish();
      writeFiles(stall.content, { 'skills/swing/SKILL.md': 'broken' });
      await stall.app.publish();
      expect((await install()).includes(`round ${round}!`)).toBe(true);
      sizes.push(artefactsOf(stall.data).length);
      await until(() => artefactsOf(stall.data).length === ofOne);
    }
    hungry.abort();
    await reader;
    await looks(1);
    expect([...statuses]).toEqual([200]);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2 * ofOne);
    expect(artefactsOf(stall.data)).toEqual(namesOf(...stall.app.catalog().editions));
    await stall.close();
  });

  test('removes the unfinished artefacts of a killed compiler at its start', async () => {
    const first = await openStall({ files: skill('one', 'a') });
    await first.close();
    const halves = ['artefacts/new/half', 'ebooks/artefacts/new/half', 'skills/artefacts/new/half'];
    writeFiles(first.data, Object.fromEntries(halves.map((half) => [half, 'half written'])));
    const second = await openStall({ directory: first.directory, files: {} });
    expect(halves.filter((half) => existsSync(join(first.data, half)))).toEqual([]);
    await second.close();
  });
});
