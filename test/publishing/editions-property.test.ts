import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { inDirectory, run } from '../catalog/archive/readers.ts';
import { itemYaml, openStall, type Stall, writeFiles } from '../helpers/harness.ts';

const CONTENTS = 4;
const SLUGS = ['kit', 'tool', 'set'];

/**
 * The changes to the item: other files, other files under the same version, a broken item.yaml, an act, a
 * restart, another folder, or another status.
 */
type Step =
  | { readonly act: 'edit' | 'relabel' | 'rename'; readonly content: number }
  | { readonly act: 'rollBack' | 'withdraw'; readonly content: number }
  | { readonly act: 'break' }
  | { readonly act: 'restart' }
  | { readonly act: 'draft' }
  | { readonly act: 'sell' };

const content = fc.integer({ min: 0, max: CONTENTS - 1 });
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({
      act: fc.constantFrom('edit', 'rollBack', 'withdraw', 'rollBack', 'edit', 'relabel', 'rename'),
      content,
    }),
    fc.record({ act: fc.constantFrom('break', 'draft', 'sell', 'restart') }),
  ) as fc.Arbitrary<Step>,
  { minLength: 6, maxLength: 12 },
);

const textOf = (n: number): string => `# Content ${n}\n\nThe heron of content ${n} stands on one leg.\n`;

/** The ways on which a rollback ends or lasts, and a withdrawn edition comes back; a few random steps may miss them. */
const KNOWN: readonly Step[] = [
  { act: 'rollBack', content: 1 },
  { act: 'withdraw', content: 3 },
  { act: 'restart' },
  { act: 'edit', content: 2 },
  { act: 'edit', content: 3 },
  { act: 'rollBack', content: 0 },
  { act: 'edit', content: 0 },
  { act: 'edit', content: 1 },
];

/** The same for drafts that were sold, and renamed. */
const KNOWN_DRAFTS: readonly Step[] = [
  { act: 'draft' },
  { act: 'edit', content: 0 },
  { act: 'rename', content: 1 },
  { act: 'restart' },
  { act: 'withdraw', content: 1 },
  { act: 'rollBack', content: 2 },
  { act: 'break' },
  { act: 'restart' },
  { act: 'edit', content: 3 },
  { act: 'rename', content: 2 },
  { act: 'sell' },
  { act: 'rename', content: 0 },
];

/** The item as its folder has it. */
type Folder = { readonly n: number; readonly version: string; readonly isDraft: boolean };

function write({ content: directory }: Stall, slug: string, { n, version, isDraft }: Folder): void {
  const status = isDraft ? 'draft' : 'published';
  writeFiles(directory, {
    [`books/${slug}/item.yaml`]: itemYaml({ id: 'kit-id', version, status }),
    [`books/${slug}/01.md`]: textOf(n),
  });
}

const NOTHING = { digest: '', slug: '', text: '' };

/** The digest, slug and text as they are installed, or the status. */
async function install(stall: Stall, slug: string, headers: Readonly<Record<string, string>>, edition = '') {
  const query = edition === '' ? '' : `?edition=${edition}`;
  const response = await stall.fetch(`/api/install/${slug}${query}`, { headers });
  if (!response.ok) return { status: response.status, ...NOTHING };
  return inDirectory(async (directory) => {
    await Bun.write(join(directory, 'a.tar.gz'), await response.bytes());
    await run(['tar', '-xzf', 'a.tar.gz'], directory);
    const folder = readdirSync(directory).find((name) => name !== 'a.tar.gz') ?? '';
    const read = (file: string) => Bun.file(join(directory, folder, file));
    const record = (await read('.svc-install').json()) as { digest: string; slug: string };
    expect(record.slug).toBe(folder);
    return { status: 200, digest: record.digest, slug: folder, text: await read('01.md').text() };
  });
}

/** A stall with what the contract says about its one item: `own` is the last good state of the folder. */
async function openModel() {
  let stall = await openStall({ files: {} });
  let slug = SLUGS[0] ?? '';
  const slugs = new Set([slug]);
  const digests: string[] = [];
  for (let n = 0; n < CONTENTS; n++) {
    write(stall, slug, { n, version: 'v', isDraft: false });
    await stall.app.publish();
    digests.push((await install(stall, slug, {})).digest);
  }
  const { headers } = await stall.reader('ann@example.org', slug);
  const first: Folder = { n: CONTENTS - 1, version: 'v', isDraft: false };
  let [folder, own]: [Folder | null, Folder] = [first, first];
  let rollback: { readonly to: number; own: number } | null = null;
  const withdrawn = new Set<number>();
  let served: number | null = own.n;
  /** Of a draft too: what its holders have. */
  let last = own.n;

  const publish = (): void => {
    const now = folder ?? own;
    const isBad = withdrawn.has(now.n);
    if (rollback !== null && !isBad && (now.n !== rollback.own || now.n === rollback.to)) rollback = null;
    if (rollback !== null || !isBad) own = now;
    const good = withdrawn.has(own.n) ? null : own.isDraft ? last : own.n;
    served = rollback?.to ?? good;
    last = served ?? last;
  };
  const edit = (to: Folder): void => {
    write(stall, slug, to);
    folder = to;
  };
  const tryTo = async (act: 'rollBack' | 'withdraw', n: number): Promise<void> => {
    const isAllowed = n !== last && (act === 'withdraw' || !withdrawn.has(n));
    const done = await stall.app.admin.editions[act](slug, digests[n] ?? '').then(
      () => true,
      () => false,
    );
    expect([act, n, done]).toEqual([act, n, isAllowed]);
    if (!isAllowed) return;
    if (act === 'rollBack') rollback = { to: n, own: (folder ?? own).n };
    else withdrawn.add(n);
  };
  /** A folder that is broken or withdrawn has its last good edition under its name alone, and stays. */
  const rename = (to: string): void => {
    if (folder === null || folder.n !== own.n || withdrawn.has(own.n) || to === slug) return;
    renameSync(join(stall.content, 'books', slug), join(stall.content, 'books', to));
    slugs.add((slug = to));
  };
  const take = async (step: Step): Promise<void> => {
    const now = folder ?? own;
    if (step.act === 'edit') edit({ ...now, n: step.content, version: 'v' });
    else if (step.act === 'relabel') edit({ ...now, n: step.content, version: `v${step.content}` });
    else if (step.act === 'rename') rename(SLUGS[step.content % SLUGS.length] ?? slug);
    else if (step.act === 'draft' || step.act === 'sell') edit({ ...now, isDraft: step.act === 'draft' });
    else if (step.act === 'break') {
      writeFiles(stall.content, { [`books/${slug}/item.yaml`]: 'title: [' });
      folder = null;
    } else if (step.act === 'restart') {
      await stall.close();
      stall = await openStall({ directory: stall.directory, files: {} });
    } else await tryTo(step.act, step.content);
  };
  return {
    async take(step: Step): Promise<void> {
      await take(step);
      await stall.app.publish();
      publish();
    },
    /** Compares what is served and kept, under every slug that the item had, with what the contract says. */
    async check(): Promise<void> {
      for (const name of slugs) {
        const expected = served === null ? { status: 404, ...NOTHING } : goodOf(served);
        expect(await install(stall, name, headers)).toEqual(expected);
        const stranger = own.isDraft ? { status: 404, ...NOTHING } : expected;
        expect(await install(stall, name, {})).toEqual(stranger);
      }
      const name = [...slugs][digests.length % slugs.size] ?? slug;
      for (let n = 0; n < CONTENTS; n++) {
        const found = await install(stall, name, headers, digests[n]);
        if (served === null) expect(found.status).toBe(404);
        // An earlier edition is the archive that was kept, under the name that the item had.
        else
          expect(found).toMatchObject(
            withdrawn.has(n) ? { status: 410 } : { ...goodOf(n), slug: expect.any(String) },
          );
      }
    },
    close: () => stall.close(),
  };

  /** Under every former name it comes under the name of today. */
  function goodOf(n: number) {
    return { status: 200, digest: digests[n] ?? '', slug, text: textOf(n) };
  }
}

test('after any steps the stall serves what the contract says, each kept edition is whole, and none that was withdrawn is served', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const model = await openModel();
      try {
        for (const step of taken) {
          await model.take(step);
          await model.check();
        }
      } finally {
        await model.close();
      }
    }),
    {
      numRuns: Number(process.env['PROPERTY_RUNS'] ?? 3),
      examples: [[KNOWN], [KNOWN_DRAFTS]],
      endOnFailure: true,
    },
  );
});

test('of two rollbacks at once, and during a publish, one wins, and the list says which', async () => {
  const stall = await openStall({ files: {} });
  const digests: string[] = [];
  for (let n = 0; n < CONTENTS; n++) {
    write(stall, 'kit', { n, version: 'v', isDraft: false });
    await stall.app.publish();
    digests.push((await install(stall, 'kit', {})).digest);
  }
  const { rollBack, list } = stall.app.admin.editions;
  await Promise.all([
    stall.app.publish(),
    ...[0, 1].map(async (n) => {
      await rollBack('kit', digests[n] ?? '');
      await stall.app.publish();
    }),
  ]);
  const { digest } = await install(stall, 'kit', {});
  expect(digests.slice(0, 2)).toContain(digest);
  const served = list('kit').filter(({ state }) => state === 'served');
  expect(served.map((one) => `sha256:${one.digest}`)).toEqual([digest]);
  await stall.close();
});
