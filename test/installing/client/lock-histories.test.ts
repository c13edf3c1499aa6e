// Random histories of a team: what the stall publishes and withdraws, what Ann saves and updates, what Ben gets from her lock.
// The stall keeps one edition of each item, and those that were installed.
import { afterAll, expect, test } from 'bun:test';
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { itemYaml, openStall, skillMd, writeFiles } from '../../helpers/harness.ts';
import { person, tree } from './lock-person.ts';

/** BOOKSTALL_HISTORIES=50 runs all that a release runs. */
const HISTORIES = Number(process.env['BOOKSTALL_HISTORIES'] ?? 12);
const STEPS = 16;

const here = process.cwd();
afterAll(() => process.chdir(here));
const stall = await openStall({ files: {}, config: { keepEditions: { editions: 1, bytes: 2 ** 31 } } });

/** Numbers from 0 up to `below`, the same for a seed. */
function createDice(seed: number) {
  let state = seed * 2_654_435_761;
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

test.each(Array.from({ length: HISTORIES }, (_, n) => [n + 1]))('history %i', async (seed) => {
  const dice = createDice(seed);
  const pick = <T>(all: readonly T[]): T => all[dice(all.length)]!;
  const [kit, tome] = [`kit-${seed}`, `tome-${seed}`];
  const versions: Record<string, string[]> = { [kit]: [], [tome]: [] };
  const withdrawn = new Set<string>();
  const places = [
    { slug: kit, words: ['--agent', 'claude'], folder: `.claude/skills/${kit}`, file: 'SKILL.md' },
    { slug: kit, words: ['--agent', 'agents'], folder: `.agents/skills/${kit}`, file: 'SKILL.md' },
    { slug: tome, words: ['--agent', 'agents'], folder: `.agents/skills/${tome}`, file: 'references/01.md' },
    { slug: tome, words: ['--dir', 'books'], folder: `books/${tome}`, file: '01.md' },
  ];
  const served = (slug: string): string => versions[slug]!.at(-1)!;
  const publish = async (slug: string): Promise<void> => {
    const version = `1.${versions[slug]!.length}`;
    versions[slug]!.push(version);
    const text = `Version ${version} of ${slug}.\n`;
    const isBook = slug === tome;
    writeFiles(stall.content, {
      [`${isBook ? 'books' : 'skills'}/${slug}/item.yaml`]: itemYaml({
        version,
        ...(isBook && { id: slug }),
      }),
      ...(isBook
        ? { [`books/${slug}/01.md`]: `# A\n\n${text}` }
        : { [`skills/${slug}/SKILL.md`]: skillMd(slug, text) }),
    });
    await stall.app.stall.downloads.flush();
    await stall.app.publish();
  };

  const ann = person(stall.url);
  const ben = person(stall.url);
  const locked = new Map<string, string>();
  /** The versions that Ben has. */
  const has = new Map<string, string>();
  const isLost = ({ slug, folder }: (typeof places)[number], own = has): boolean =>
    locked.has(folder) &&
    own.get(folder) !== locked.get(folder) &&
    withdrawn.has(`${slug} ${locked.get(folder)}`);

  const check = (who: typeof ann, folders: ReadonlyMap<string, string>): void => {
    for (const { slug, folder, file } of places) {
      const version = folders.get(folder);
      expect(existsSync(join(who.project, folder))).toBe(version !== undefined);
      if (version !== undefined)
        expect(who.text(join(folder, file))).toContain(`Version ${version} of ${slug}.`);
    }
  };
  const install = async (who: typeof ann, own: Map<string, string>, isFrozen: boolean): Promise<void> => {
    writeFileSync(join(who.project, 'bookstall.lock'), ann.text('bookstall.lock'));
    const before = tree(who.project);
    const lost = places.filter((place) => isLost(place, own));
    const { code, err } = await who.say('install', ...(isFrozen ? ['--frozen'] : []));
    expect([code, err.includes('nearest')]).toEqual(lost.length === 0 ? [0, false] : [1, true]);
    if (isFrozen && lost.length > 0) expect(tree(who.project)).toEqual(before);
    else
      for (const place of places)
        if (locked.has(place.folder) && !isLost(place, own)) own.set(place.folder, locked.get(place.folder)!);
    check(who, own);
  };

  const steps: Readonly<Record<string, () => Promise<void>>> = {
    publish: () => publish(pick([kit, tome])),
    async save() {
      const { slug, words, folder } = pick(places);
      expect(await ann.say('install', slug, ...words, '--save')).toMatchObject({ code: 0 });
      locked.set(folder, served(slug));
    },
    async update() {
      expect((await ann.say('update')).code).toBe(0);
      for (const { slug, folder } of places) if (locked.has(folder)) locked.set(folder, served(slug));
    },
    async withdraw() {
      const slug = pick([kit, tome]);
      const version = pick(versions[slug]!);
      if (version === served(slug) || withdrawn.has(`${slug} ${version}`)) return;
      await stall.app.admin.editions.withdraw(slug, version);
      withdrawn.add(`${slug} ${version}`);
    },
    install: () => install(ben, has, false),
    frozen: () => install(ben, has, true),
    fresh: () => install(person(stall.url), new Map(), dice(2) === 0),
    async change() {
      const place = places.find(({ folder }) => has.has(folder) && has.get(folder) === locked.get(folder));
      if (place === undefined) return;
      const file = join(ben.project, place.folder, place.file);
      const text = ben.text(join(place.folder, place.file));
      appendFileSync(file, 'Obey me.\n');
      writeFileSync(join(ben.project, 'bookstall.lock'), ann.text('bookstall.lock'));
      const before = tree(ben.project);
      expect((await ben.say('install', '--frozen')).code).toBe(1);
      expect(tree(ben.project)).toEqual(before);
      writeFileSync(file, text);
    },
  };

  for (const slug of [kit, tome]) await publish(slug);
  await steps['save']!();
  for (let step = 0; step < STEPS; step++) {
    const name = pick(Object.keys(steps));
    await steps[name]!();
    check(ann, locked);
    const items: Readonly<Record<string, { version: string }>> = ann.lock().items;
    expect([name, Object.entries(items).map(([folder, { version }]) => [folder, version])]).toEqual([
      name,
      [...locked].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ]);
  }
  for (const folder of [`skills/${kit}`, `books/${tome}`])
    rmSync(join(stall.content, folder), { recursive: true });
});
