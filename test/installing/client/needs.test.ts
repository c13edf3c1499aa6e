// Skills that need each other, installed by the reader's program from a real stall.
import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Files,
  itemYaml,
  openStall,
  skillMd,
  temporaryDirectory,
  writeFiles,
} from '../../helpers/harness.ts';
import { withdrawEdition } from '../../../src/catalog/edition.ts';
import { createSigner, signItem } from '../../catalog/signing.ts';
import { person } from './lock-person.ts';

const here = process.cwd();
afterAll(() => process.chdir(here));

/** A skill of a version with needs, such as `kit 1.0.0 tool@^1.0.0`; `keys` are those of its item.yaml. */
function skill(text: string, keys: Readonly<Record<string, string | number>> = {}): Files {
  const [slug = '', version = '', ...needs] = text.split(' ');
  const metadata = `\nmetadata: {needs: "${needs.join(' ')}"}\n---\n`;
  return {
    [`skills/${slug}/item.yaml`]: itemYaml({ version, ...keys }),
    [`skills/${slug}/SKILL.md`]: skillMd(slug, `Version ${version}.\n`).replace('\n---\n', metadata),
  };
}
const skills = (...all: readonly string[]): Files =>
  Object.assign({}, ...all.map((one) => skill(one))) as Files;

let stall: Awaited<ReturnType<typeof openStall>>;
let ann: ReturnType<typeof person>;
const publish = async (...all: readonly (string | Files)[]): Promise<void> => {
  for (const one of all) writeFiles(stall.content, typeof one === 'string' ? skill(one) : one);
  await stall.app.publish();
};
const say = (...words: readonly string[]) => ann.say(...words);
/** Lists the installed items, each with its version; needs in brackets. */
const installed = async (): Promise<string> => {
  const lock = ann.lock() as { items: Record<string, { slug: string; version: string; need?: true }> };
  const names = Object.values(lock.items).map(({ slug, version, need }) => {
    expect(ann.text(`${slug}/SKILL.md`)).toContain(`Version ${version}.`);
    return need ? `(${slug} ${version})` : `${slug} ${version}`;
  });
  expect(readdirSync(ann.project).filter((name) => !name.startsWith('.'))).toHaveLength(names.length + 1);
  return names.join(' ');
};

beforeEach(async () => {
  stall = await openStall({ files: skills('tool 1.0.0', 'alone 1.0.0') });
  await publish('tool 1.4.0');
  await publish('tool 2.0.0', 'kit 1.0.0 tool@^1.0.0');
  ann = person(stall.url);
  return stall.close;
});

test('an item brings what it needs, in the highest edition that fits, and uninstall takes that away', async () => {
  const { code, out } = await say('install', 'kit', '--save');
  expect([code, await installed()]).toEqual([0, 'kit 1.0.0 (tool 1.4.0)']);
  expect(out).toContain('Installed skill tool 1.4.0, which is needed, in ');
  expect(JSON.parse((await say('list', '--json')).out)).toMatchObject([
    { slug: 'kit', need: false },
    { slug: 'tool', need: true },
  ]);
  const removed = await say('uninstall', 'kit');
  expect([removed.code, removed.err]).toEqual([
    0,
    expect.stringContaining('tool: nothing needs it any more'),
  ]);
  expect(await installed()).toBe('');
});

test('a need is put through no link, which no lock file may name', async () => {
  const elsewhere = temporaryDirectory();
  symlinkSync(elsewhere, join(ann.project, 'tool'));
  const { code, err } = await say('install', 'kit', '--save', '--force');
  expect([code, err]).toEqual([1, expect.stringContaining('crosses "tool", a link or file')]);
  expect([existsSync(join(ann.project, 'kit')), readdirSync(elsewhere)]).toEqual([false, []]);
});

test('what the reader asked for stays, and is taken to an edition that fits', async () => {
  await publish('any 1.0.0 tool');
  await say('install', 'tool', '--save');
  expect(await installed()).toBe('tool 2.0.0');
  await say('install', 'kit', '--save');
  expect(await installed()).toBe('kit 1.0.0 tool 1.4.0');
  expect((await say('update')).code).toBe(0);
  expect(await installed()).toBe('kit 1.0.0 tool 1.4.0');
  await say('install', 'any');
  expect((await say('outdated')).out).toMatch(/^tool .* held by kit$/m);
  expect((await say('update', '--diff')).out).toBe('');
  await say('uninstall', 'any');
  await say('uninstall', 'kit');
  expect(await installed()).toBe('tool 1.4.0');
  await say('update');
  expect(await installed()).toBe('tool 2.0.0');
});

test('ranges that do not go together are refused, both sides are named, and the way out is true', async () => {
  await publish('other 1.0.0 tool@^2.0.0', 'any 1.0.0 tool');
  await say('install', 'kit', '--save');
  await say('install', 'any');
  const { code, err } = await say('install', 'other', '--save');
  expect([code, err]).toEqual([
    1,
    expect.stringContaining(
      'Cannot install "other": "other" needs "tool@^2.0.0", and "kit" needs "tool@^1.0.0", and no edition is both. Uninstall one, or install one elsewhere with --dir',
    ),
  ]);
  expect((await say('install', 'other', '--dir', '.else/where')).code).toBe(0);
  await say('uninstall', 'any');
  const named = await say('install', 'tool@2.0.0');
  expect([named.code, named.err]).toEqual([1, expect.stringContaining('"kit" needs "tool@^1.0.0"')]);
  expect(await installed()).toBe('kit 1.0.0 (tool 1.4.0)');
});

test('an item that is pinned in an edition that does not fit is freed as the refusal says', async () => {
  await say('install', 'tool@2.0.0', '--agent', 'claude');
  const { code, err } = await say('install', 'kit', '--agent', 'claude');
  expect([code, err]).toEqual([
    1,
    expect.stringContaining(
      'if "tool" is pinned here, "bookstall install tool" with its --agent or --dir frees it',
    ),
  ]);
  expect((await say('install', 'tool', '--agent', 'claude')).code).toBe(0);
  expect((await say('install', 'kit', '--agent', 'claude')).code).toBe(0);
  expect(ann.text('.claude/skills/tool/SKILL.md')).toContain('Version 1.4.0.');
});

test('an update moves all that go together, and refuses an edition that breaks a range', async () => {
  await publish('other 1.0.0 tool@^1.0.0');
  await say('install', 'kit', 'other', '--save');
  expect(await installed()).toBe('kit 1.0.0 other 1.0.0 (tool 1.4.0)');
  await publish('kit 2.0.0 tool@^2.0.0');
  const { code, err } = await say('update');
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/Cannot update "kit": .*"other" needs "tool@\^1\.0\.0"/),
  ]);
  expect(await installed()).toBe('kit 1.0.0 other 1.0.0 (tool 1.4.0)');
  await publish('other 2.0.0 tool@^2.0.0');
  const both = await say('update');
  expect([both.code, both.out.match(/^\w+ (to date: )?tool .* in /gm)]).toEqual([
    0,
    ['Updated tool 1.4.0 to 2.0.0 in '],
  ]);
  expect(both.err).not.toContain('Installed tool');
  expect(await installed()).toBe('kit 2.0.0 other 2.0.0 (tool 2.0.0)');
});

test('a need that an installed item did not have is asked for, and goes when it is dropped', async () => {
  await say('install', 'kit', '--save');
  await publish('kit 1.1.0 tool@^1.0.0 alone');
  const refused = await say('update');
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining(
      'Stopped: "kit" now needs "alone", and "kit" was left as it is; --yes installs that too',
    ),
  ]);
  expect(await installed()).toBe('kit 1.0.0 (tool 1.4.0)');
  expect((await say('update', '--yes')).code).toBe(0);
  expect(await installed()).toBe('(alone 1.0.0) kit 1.1.0 (tool 1.4.0)');
  await publish('kit 1.2.0 alone');
  const dropped = await say('update');
  expect([dropped.code, dropped.out.match(/^\w+ tool/gm), dropped.err.match(/^.* any more$/gm)]).toEqual([
    0,
    null,
    [expect.stringMatching(/^Removed \S+tool: nothing needs it any more$/)],
  ]);
  expect(await installed()).toBe('(alone 1.0.0) kit 1.2.0');
});

test('a colleague and a lock of 0.4 get the same', async () => {
  await say('install', 'kit', '--save');
  const old = ann.text('bookstall.lock');
  const ben = person(stall.url);
  writeFileSync(join(ben.project, 'bookstall.lock'), old);
  expect((await ben.say('install', '--frozen')).code).toBe(0);
  expect(ben.text('tool/SKILL.md')).toContain('Version 1.4.0.');
  await ben.say('uninstall', 'kit');
  expect([existsSync(join(ben.project, 'tool')), ben.lock().items]).toEqual([false, {}]);
  const cy = person(stall.url);
  const { kit } = JSON.parse(old).items;
  writeFileSync(join(cy.project, 'bookstall.lock'), JSON.stringify({ lock: 1, items: { kit } }));
  const frozen = await cy.say('install', '--frozen');
  expect([frozen.code, frozen.err]).toEqual([
    0,
    expect.stringContaining('"kit" needs what bookstall.lock does not name; without --frozen that is added'),
  ]);
  await publish('kit 1.1.0 tool@^1.0.0');
  expect((await cy.say('install')).code).toBe(0);
  const { kit: same, tool } = cy.lock().items;
  expect([same, tool.version, tool.need]).toEqual([kit, '1.4.0', true]);
});

test('after an edition was withdrawn, its lock tells the way to the next that fits', async () => {
  await say('install', 'kit', '--save');
  const lock = ann.text('bookstall.lock');
  const withdraw = (wanted: string) => withdrawEdition(stall.app.stall, 'command', { slug: 'tool', wanted });
  await withdraw('1.4.0');
  const ben = person(stall.url);
  writeFileSync(join(ben.project, 'bookstall.lock'), lock);
  const gone = await ben.say('install', '--frozen');
  expect([gone.code, gone.err]).toEqual([
    1,
    expect.stringContaining('"bookstall update" moves bookstall.lock to what is there'),
  ]);
  // Also before what needs it is there.
  expect((await ben.say('update', 'tool')).out).toContain('Updated tool 1.4.0 to 1.0.0 in ');
  expect((await ben.say('update')).code).toBe(0);
  expect([ben.lock().items.kit.version, ben.lock().items.tool.version]).toEqual(['1.0.0', '1.0.0']);
  await withdraw('1.0.0');
  const { code, err } = await ben.say('update');
  expect([code, err]).toEqual([
    1,
    expect.stringContaining(
      'Cannot update "tool": "kit" needs "tool@^1.0.0", and the stall has no such edition for you. Ask its publisher;',
    ),
  ]);
  expect((await ben.say('outdated')).out).toContain('held by kit');
});

test('a need without a grant is one sentence with where to get it, and nothing is installed', async () => {
  await publish(skill('tool 1.4.0', { unitAmountCents: 500 }), skill('paid 1.0.0', { unitAmountCents: 500 }));
  await publish('buyer 1.0.0 paid');
  const { code, err } = await say('install', 'buyer');
  expect([code, err]).toEqual([
    4,
    expect.stringContaining(
      `Cannot install "buyer": it needs "paid": it takes a key: run "bookstall login --url ${stall.url}"`,
    ),
  ]);
  expect(err).toContain(
    `to buy it for $5, ask its publisher, A publisher; its page is ${stall.url}/skills/paid`,
  );
  expect(existsSync(join(ann.project, 'buyer'))).toBe(false);
  // An edition of a free item that was sold: the one of today does not fit.
  await publish(skill('alone 2.0.0', { unitAmountCents: 500 }), 'late 1.0.0 alone@^2.0.0');
  await publish('alone 3.0.0');
  const { key } = await stall.reader('a@example.org');
  const late = await ann.as(key).say('install', 'late');
  expect([late.code, late.err]).toEqual([
    1,
    expect.stringContaining(
      'Cannot install "late": the edition of "alone" that it needs is only for those who held it then. Ask its publisher',
    ),
  ]);
});

test('what others need is not uninstalled unasked, and stays while they stay', async () => {
  await say('install', 'kit', '--save');
  const refused = await say('uninstall', 'tool');
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('"kit" needs it')]);
  writeFileSync(join(ann.project, 'kit/SKILL.md'), `${ann.text('kit/SKILL.md')}mine\n`);
  await publish('kit 2.0.0 tool@^2.0.0');
  expect((await say('update')).code).toBe(1);
  expect(await installed()).toBe('kit 1.0.0 (tool 1.4.0)');
  expect((await say('update', '--force')).code).toBe(0);
  expect(await installed()).toBe('kit 2.0.0 (tool 2.0.0)');
  expect((await say('uninstall', 'tool', '--force')).code).toBe(0);
});

test('a need that was renamed is named to its publisher, and stays where it is installed', async () => {
  await publish('plain 1.0.0 alone');
  await say('install', 'plain', '--save');
  renameSync(join(stall.content, 'skills/alone'), join(stall.content, 'skills/lone'));
  writeFiles(stall.content, skill('lone 1.1.0', { formerly: 'alone' }));
  const publications = await stall.app.publish();
  const sentences = publications.flatMap(({ problems }) => problems.map(({ sentence }) => sentence));
  expect(sentences).toContain('Cannot need "alone": its name is "lone" now');
  await say('update');
  expect(ann.text('lone/SKILL.md')).toContain('Version 1.1.0.');
});

test('a tree of ten takes one request for an archive an item', async () => {
  const tree = Array.from(
    { length: 10 },
    (_, n) => `t${n} 1.0.0${n < 9 ? ` t${n + 1}@^1.0.0` : ''}${n < 8 ? ` t${n + 2}` : ''}`,
  );
  await publish(...tree);
  const before = stall.log.length;
  expect((await say('install', 't0')).code).toBe(0);
  const asked = stall.log.slice(before).filter(({ route }) => String(route).startsWith('/api/'));
  expect(asked.filter(({ route }) => route === '/api/install/:slug')).toHaveLength(10);
  expect(asked.filter(({ route }) => route === '/api/items/:slug/editions')).toHaveLength(9);
  expect(asked).toHaveLength(19);
});

describe('of a signed item', () => {
  const ours = createSigner('ssh-ed25519');
  const theirs = createSigner('ssh-ed25519');
  const signed = async (signer: typeof ours, ...all: readonly string[]): Promise<void> => {
    for (const text of all) {
      writeFiles(stall.content, skill(text));
      signItem(stall.content, `skills/${text.split(' ')[0]}`, signer);
    }
    await stall.app.publish();
  };

  test('the needs carry its own key, or one that is pinned', async () => {
    await signed(ours, 'top 1.0.0 tool');
    const { code, err } = await say('install', 'top');
    const why = `Cannot install "tool": it is not signed. It comes with "top", signed by ${ours.fingerprint}`;
    expect([code, err]).toEqual([1, expect.stringContaining(why)]);
    expect(err).not.toContain('from now on');
    expect(err).toContain('run "bookstall install tool" first');
    expect((await say('install', 'top', '--agent', 'claude')).err).toContain(
      'run "bookstall install tool --dir .claude/skills" first',
    );
    await signed(theirs, 'tool 2.1.0');
    expect((await say('install', 'top')).err).toContain(`and not ${ours.fingerprint}`);
    expect([existsSync(join(ann.project, 'top')), existsSync(join(ann.project, 'tool'))]).toEqual([
      false,
      false,
    ]);
    await say('install', 'tool', '--save');
    await say('install', 'top', '--save');
    expect(await installed()).toBe('tool 2.1.0 top 1.0.0');
    await signed(ours, 'tool 2.2.0');
    expect((await say('update')).err).toContain(
      `${ours.fingerprint} signed it, and not ${theirs.fingerprint} as before`,
    );
  });

  test.each([
    ['adds a need to it', 'middle', ['alone'], 'the stall lists other needs than its SKILL.md has'],
    ['drops a need of it', 'middle', [], 'the stall lists other needs than its SKILL.md has'],
    ['adds a need to what the reader asked for, which changes nothing', 'top', ['middle', 'alone'], null],
  ])('a hostile stall that %s is caught', async (_, slug, needs, refusal) => {
    await signed(ours, 'tool 2.1.0', 'middle 1.0.0 tool@^2.1.0', 'top 1.0.0 middle');
    using hostile = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const { pathname, search } = new URL(request.url);
        const answer = await fetch(`${stall.url}${pathname}${search}`, { headers: request.headers });
        if (pathname !== `/api/items/${slug}/editions`) return answer;
        const { editions } = (await answer.json()) as { editions: object[] };
        return Response.json({ editions: editions.map((edition) => ({ ...edition, needs })) });
      },
    });
    const ben = person(hostile.url.origin);
    const { code, err } = await ben.say('install', 'top');
    expect([code, err]).toEqual(
      refusal === null ? [0, expect.anything()] : [1, expect.stringContaining(refusal)],
    );
    expect(existsSync(join(ben.project, 'top'))).toBe(refusal === null);
    expect(existsSync(join(ben.project, 'alone'))).toBe(false);
  });
});
