import { afterAll, expect, test } from 'bun:test';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inDirectory, run } from '../catalog/archive/readers.ts';
import { itemYaml, openStall, skillMd, type Stall, writeFiles } from '../helpers/harness.ts';

const sha256 = (bytes: Uint8Array): string => new Bun.CryptoHasher('sha256').update(bytes).digest('hex');

/** The digest of the files in an install, and the digest in its record. */
function digestsOf(
  archive: Uint8Array,
): Promise<{ named: string; digest: string; paths: readonly string[] }> {
  return inDirectory(async (directory) => {
    await Bun.write(join(directory, 'archive'), archive);
    await run(['tar', '-xzpf', 'archive'], directory);
    const folder = join(directory, 'busy');
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(folder, path)).isFile() && path !== '.svc-install')
      .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const lines = await Promise.all(
      paths.map(async (path) => {
        const mode = statSync(join(folder, path)).mode & 0o100 ? '0755' : '0644';
        return `${sha256(await Bun.file(join(folder, path)).bytes())}  ${mode} ${path}\n`;
      }),
    );
    const { digest: named } = (await Bun.file(join(folder, '.svc-install')).json()) as { digest: string };
    return { named, digest: `sha256:${sha256(Buffer.from(lines.join('')))}`, paths };
  });
}

async function install(stall: Stall): Promise<{ status: number; archive: Uint8Array }> {
  const answer = await stall.fetch('/api/install/busy');
  return { status: answer.status, archive: await answer.bytes() };
}

/** Runs a shell loop in a folder until disposed of. */
function hammer(folder: string, loop: string) {
  const child = Bun.spawn(['sh', '-c', `i=0; while :; do i=$((i+1)); ${loop}; done`], {
    cwd: folder,
    stderr: 'ignore',
  });
  afterAll(() => child.kill('SIGKILL'));
  return async (): Promise<void> => {
    child.kill('SIGKILL');
    await child.exited;
    // The command in progress runs to its end.
    await Bun.sleep(100);
  };
}

const busy = {
  'skills/busy/item.yaml': itemYaml(),
  'skills/busy/SKILL.md': skillMd('busy'),
  'skills/busy/one/two/three.md': 'three\n'.repeat(50_000),
  'skills/calm/item.yaml': itemYaml(),
  'skills/calm/SKILL.md': skillMd('calm'),
};

test.each([
  ['a file is written all the time', 'printf %0300000d $i > busy.txt'],
  ['a file grows all the time', 'printf %0100d $i >> busy.txt; [ $((i % 400)) = 0 ] && : > busy.txt'],
  ['files come and vanish', 'echo $i > a.md; mv a.md b.md; echo $i > one/c.md; rm -f b.md one/c.md'],
  ['a bit comes and goes', 'chmod 755 SKILL.md; chmod 644 SKILL.md'],
  ['a folder is renamed mid-scan', 'mv one uno; mv uno one'],
  ['the item itself is renamed mid-scan', 'cd ..; mv busy away; mv away busy; cd busy'],
])('while %s every answer is one consistent state, and the calm item is served', async (_, loop) => {
  const stall = await openStall({ files: busy });
  const stop = hammer(join(stall.content, 'skills/busy'), loop);
  let good = 0;
  for (let round = 0; round < 6; round++) {
    await stall.app.publish();
    const { status, archive } = await install(stall);
    expect([200, 404]).toContain(status);
    expect((await stall.fetch('/api/install/calm')).status).toBe(200);
    if (status !== 200) continue;
    good++;
    const { named, digest } = await digestsOf(archive);
    expect(digest).toBe(named);
  }
  await stop();
  rmSync(join(stall.content, 'skills/away'), { recursive: true, force: true });
  writeFiles(stall.content, { ...busy, 'skills/busy/last.md': 'at rest' });
  await stall.app.publish();
  const last = await digestsOf((await install(stall)).archive);
  expect([last.digest, last.paths.includes('last.md')]).toEqual([last.named, true]);
  // Where the item itself comes and goes it may have been away each time.
  if (!loop.includes('away')) expect(good).toBe(6);
  await stall.close();
});

test('a clock that jumps back does not keep changes from being published', async () => {
  let clock = Date.now();
  const stall = await openStall({ files: busy, now: () => clock });
  for (const jump of [-86_400_000, 3_600_000, -1, -3_600_000]) {
    clock += jump;
    writeFiles(stall.content, { 'skills/busy/clock.md': `At ${clock}.` });
    const busyOnes = (await stall.app.publish()).filter(({ slug }) => slug === 'busy');
    expect(busyOnes.map(({ isFresh, problems }) => [isFresh, problems])).toEqual([[true, []]]);
    const { archive } = await install(stall);
    expect(Buffer.from(Bun.gunzipSync(Buffer.from(archive))).includes(`At ${clock}.`)).toBe(true);
  }
  await stall.close();
});

test('an item of 10,000 files is served whole, one of 10,001 is not', async () => {
  const files = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`skills/busy/d${n % 100}/${n}.md`, `File ${n}\n`]),
    );
  const stall = await openStall({ files: { ...busy, ...files(9998) } });
  const { named, digest, paths } = await digestsOf((await install(stall)).archive);
  expect([digest, paths.length]).toEqual([named, 10_000]);
  writeFiles(stall.content, { 'skills/busy/one-more.md': 'x' });
  const [problem] = (await stall.app.publish()).flatMap(({ problems }) =>
    problems.filter(({ severity }) => severity === 'error'),
  );
  expect(problem?.sentence).toContain('10001');
  expect((await digestsOf((await install(stall)).archive)).digest).toBe(digest);
  await stall.close();
});
