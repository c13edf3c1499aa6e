import { expect, test } from 'bun:test';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { artefactFile, type ArtefactKind } from '../../../src/catalog/artefact.ts';
import { itemYaml, openStall, skillMd, temporaryDirectory, until } from '../../helpers/harness.ts';

/** More than what sockets and a pipe between them hold. */
const SIZE = 24_000_000;
const GRACE = 60;

const old = randomBytes(SIZE);
const stall = await openStall({
  grace: GRACE,
  files: {
    'skills/large/item.yaml': itemYaml(),
    'skills/large/SKILL.md': skillMd('large'),
    'skills/large/noise.bin': old,
  },
});
const { headers } = await stall.reader('anna@example.org', 'large');
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Unpacks what was downloaded and gives the large file. */
const UNPACK: Readonly<Record<string, (file: string) => Uint8Array>> = {
  tar: (file) => Bun.spawnSync(['tar', '-xzOf', file, 'large/noise.bin']).stdout,
  zip: (file) => Bun.spawnSync(['unzip', '-p', file, 'large/noise.bin']).stdout,
  files: (file) =>
    Buffer.from(
      (JSON.parse(readFileSync(file, 'utf8')) as { files: [{ content: string }] }).files[0].content,
      'base64',
    ),
};

/** A download whose reader takes nothing until `resume` makes the file it waits for. */
function download(path: string) {
  const directory = temporaryDirectory();
  const [file, start, head] = ['out', 'resume', 'head'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  const script =
    'curl -sS -D "$5" -H "$1" "$2" | (until [ -e "$3" ]; do sleep 0.02; done; cat > "$4"); exit ${PIPESTATUS[0]}';
  const words = [`Authorization: ${headers.Authorization}`, `${stall.url}${path}`, start, file, head];
  const child = Bun.spawn(['bash', '-c', script, 'bash', ...words]);
  const hasBegun = (): boolean => existsSync(head) && readFileSync(head, 'latin1').includes('\r\n\r\n');
  return { file, hasBegun, exited: child.exited, resume: () => writeFileSync(start, '') };
}

/** The files this process, the stall's too, has open. */
function openFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      return [];
    }
  });
}

test('a reader mid-download gets the old bytes whole while the item changes and its artefacts are removed', async () => {
  const edition = stall.app.catalog().bySlug.get('large')!;
  const paths: readonly (readonly [Exclude<ArtefactKind, 'index'>, string])[] = [
    ['tar', '/api/install/large'],
    ['zip', '/api/skills/large/download'],
    ['files', '/api/skills/large/files?path=noise.bin'],
  ];
  const downloads = paths.map(([kind, path]) => ({ kind, ...download(path) }));
  const files = paths.map(([kind]) => artefactFile(stall.data, edition.artefacts[kind]!));
  // An artefact is also open while it is verified, before its answer begins.
  await until(() => downloads.every(({ hasBegun }) => hasBegun()));
  while (!files.every((file) => openFiles().includes(file))) await Bun.sleep(10);
  const fresh = randomBytes(1000);
  writeFileSync(join(stall.content, 'skills/large/noise.bin'), fresh);
  await stall.app.publish();
  const isHeld = (kind: (typeof paths)[number][0]) =>
    existsSync(artefactFile(stall.data, edition.artefacts[kind]!));
  await until(() => !paths.some(([kind]) => isHeld(kind)));
  for (const { resume } of downloads) resume();
  for (const { kind, file, exited } of downloads) {
    expect([kind, await exited]).toEqual([kind, 0]);
    expect([kind, sha256(UNPACK[kind]!(file))]).toEqual([kind, sha256(old)]);
  }
  const now = Bun.gunzipSync(await (await stall.fetch('/api/install/large')).arrayBuffer());
  expect(Buffer.from(now).includes(fresh)).toBe(true);
});
