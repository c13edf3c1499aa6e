import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { join } from 'node:path';
import { inDirectory, run } from '../../archive/readers.ts';
import { itemYaml, openStall, skillMd, type Stall, writeFiles } from '../../harness.ts';

const CONTENTS = 4;

/** What happens to the item: other files, other files under the same version, a broken item.yaml, an act, or a restart. */
type Step =
  | { readonly act: 'edit' | 'relabel'; readonly content: number }
  | { readonly act: 'rollBack' | 'withdraw'; readonly content: number }
  | { readonly act: 'break' }
  | { readonly act: 'restart' };

const content = fc.integer({ min: 0, max: CONTENTS - 1 });
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({
      act: fc.constantFrom('edit', 'rollBack', 'withdraw', 'rollBack', 'edit', 'relabel'),
      content,
    }),
    fc.record({ act: fc.constantFrom('break', 'restart') }),
  ) as fc.Arbitrary<Step>,
  { minLength: 6, maxLength: 12 },
);

const textOf = (n: number): string => skillMd('kit', `Content ${n}.\n`);

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

function write({ content: directory }: Stall, n: number, version = 'v'): void {
  writeFiles(directory, {
    'skills/kit/item.yaml': itemYaml({ version }),
    'skills/kit/SKILL.md': textOf(n),
  });
}

/** The digest and SKILL.md as they are installed, or the status. */
async function install(stall: Stall, edition = '') {
  const response = await stall.fetch(`/api/install/kit${edition === '' ? '' : `?edition=${edition}`}`);
  if (!response.ok) return { status: response.status, digest: '', text: '' };
  return inDirectory(async (directory) => {
    await Bun.write(join(directory, 'a.tar.gz'), await response.bytes());
    await run(['tar', '-xzf', 'a.tar.gz'], directory);
    const { digest } = (await Bun.file(join(directory, 'kit/.svc-install')).json()) as { digest: string };
    return { status: 200, digest, text: await Bun.file(join(directory, 'kit/SKILL.md')).text() };
  });
}

/** A stall with what the contract says about its one item: `own` is the last good state of the folder. */
async function openModel() {
  let stall = await openStall({ files: {} });
  const digests: string[] = [];
  for (let n = 0; n < CONTENTS; n++) {
    write(stall, n);
    await stall.app.publish();
    digests.push((await install(stall)).digest);
  }
  let [folder, own]: [number | null, number] = [CONTENTS - 1, CONTENTS - 1];
  let rollback: { readonly to: number; own: number } | null = null;
  const withdrawn = new Set<number>();
  let served: number | null = own;

  const publish = (): void => {
    const now = folder ?? own;
    const isBad = withdrawn.has(now);
    if (rollback !== null && !isBad && (now !== rollback.own || now === rollback.to)) rollback = null;
    if (rollback !== null || !isBad) own = now;
    served = rollback?.to ?? (withdrawn.has(own) ? null : own);
  };
  const edit = (n: number, version: string): void => {
    write(stall, n, version);
    folder = n;
  };
  const tryTo = async (act: 'rollBack' | 'withdraw', n: number): Promise<void> => {
    const isAllowed = n !== served && (act === 'withdraw' || !withdrawn.has(n));
    const done = await stall.app.admin.editions[act]('kit', digests[n] ?? '').then(
      () => true,
      () => false,
    );
    expect([act, n, done]).toEqual([act, n, isAllowed]);
    if (!isAllowed) return;
    if (act === 'rollBack') rollback = { to: n, own: folder ?? own };
    else withdrawn.add(n);
  };
  const take = async (step: Step): Promise<void> => {
    if (step.act === 'edit') edit(step.content, 'v');
    else if (step.act === 'relabel') edit(step.content, `v${step.content}`);
    else if (step.act === 'break') {
      writeFiles(stall.content, { 'skills/kit/item.yaml': 'title: [' });
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
    /** Compares what is served and kept with what the contract says. */
    async check(): Promise<void> {
      const expected = served === null ? { status: 404, digest: '', text: '' } : goodOf(served);
      expect(await install(stall)).toEqual(expected);
      for (let n = 0; n < CONTENTS; n++) {
        const found = await install(stall, digests[n]);
        if (served === null) expect(found.status).toBe(404);
        else expect(found).toEqual(withdrawn.has(n) ? { status: 410, digest: '', text: '' } : goodOf(n));
      }
    },
    close: () => stall.close(),
  };

  function goodOf(n: number) {
    return { status: 200, digest: digests[n] ?? '', text: textOf(n) };
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
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 3), examples: [[KNOWN]], endOnFailure: true },
  );
}, 120_000);

test('of two rollbacks at once, and during a publish, one wins, and the list says which', async () => {
  const stall = await openStall({ files: {} });
  const digests: string[] = [];
  for (let n = 0; n < CONTENTS; n++) {
    write(stall, n);
    await stall.app.publish();
    digests.push((await install(stall)).digest);
  }
  const { rollBack, list } = stall.app.admin.editions;
  await Promise.all([
    stall.app.publish(),
    ...[0, 1].map(async (n) => {
      await rollBack('kit', digests[n] ?? '');
      await stall.app.publish();
    }),
  ]);
  const { digest } = await install(stall);
  expect(digests.slice(0, 2)).toContain(digest);
  const served = (await list('kit')).filter(({ state }) => state === 'served');
  expect(served.map((one) => `sha256:${one.digest}`)).toEqual([digest]);
  await stall.close();
});
