import { describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultEdition, readStall } from '../../src/catalog/stall-edition.ts';
import { defaultStallManifest } from '../../src/catalog/stall-manifest.rule.ts';
import { check } from '../../src/publishing/publishing-session.ts';
import { type Files, openStall, SHELF, temporaryDirectory, writeFiles } from '../helpers/harness.ts';

function content(files: Files): string {
  const directory = temporaryDirectory();
  writeFiles(directory, files);
  return directory;
}

const codes = (directory: string) => readStall(directory).problems.map(({ code }) => code);

describe('stall.yaml', () => {
  test('may be missing', () => {
    expect(readStall(content({}))).toEqual({ isThere: false, ...defaultEdition, problems: [] });
  });

  test('names files of the content directory', () => {
    const directory = content({
      'stall.yaml': 'logo: stall/logo.svg\nterms: terms.md\n',
      'stall/logo.svg': '<svg/>',
      'terms.md': '# Terms\n',
    });
    const { stall, problems, images, terms } = readStall(directory);
    expect(problems).toEqual([]);
    expect(stall).toMatchObject({ logo: 'stall/logo.svg', terms: 'terms.md' });
    expect([images, terms]).toEqual([{ 'stall/logo.svg': btoa('<svg/>') }, '# Terms\n']);
  });

  test('that names a missing file or a folder is used without it', () => {
    const directory = content({
      'stall.yaml': 'name: N\nlogo: logo.svg\nterms: terms.md\n',
      'terms.md/x': '',
    });
    const { stall, problems } = readStall(directory);
    expect(problems.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'missing-logo stall.yaml',
      'missing-terms stall.yaml',
    ]);
    expect(stall).toEqual({ ...defaultStallManifest, name: 'N' });
  });

  test('that names a file too large, or terms that are not text, is used without them', () => {
    const directory = content({
      'stall.yaml': 'name: N\nlogo: logo.png\nterms: terms.md\n',
      'logo.png': new Uint8Array(256 * 1024 + 1),
      'terms.md': Uint8Array.of(0xff),
    });
    const { stall, problems, images, terms } = readStall(directory);
    expect(problems.map(({ code }) => code)).toEqual(['large-logo', 'terms-not-text']);
    expect([stall, images, terms]).toEqual([{ ...defaultStallManifest, name: 'N' }, {}, null]);
  });

  test('shows the pictures of its introduction, and names a lost one', () => {
    const intro =
      'Hello ![a](stall/a.png) ![b](b.png) ![c](../c.png) ![d](terms.md) ![e](https://e.example/e.png)';
    const directory = content({ 'stall.yaml': `intro: '${intro}'\n`, 'stall/a.png': 'A', 'terms.md': '#' });
    const { stall, problems, images } = readStall(directory);
    expect([images, stall.intro]).toEqual([{ 'stall/a.png': btoa('A') }, intro]);
    expect(problems.map(({ code }) => code)).toEqual(['missing-intro']);
  });

  test('follows no link, to a file or to a folder on the way', () => {
    const outside = content({ 'logo.svg': '<svg/>', 'terms.md': '#' });
    const directory = content({ 'stall.yaml': 'logo: logo.svg\nterms: elsewhere/terms.md\n' });
    symlinkSync(join(outside, 'logo.svg'), join(directory, 'logo.svg'));
    symlinkSync(outside, join(directory, 'elsewhere'));
    expect(codes(directory)).toEqual(['missing-logo', 'missing-terms']);
  });

  test('is no link and no folder itself', () => {
    const outside = content({ 'stall.yaml': 'name: Stolen\n' });
    const directory = content({});
    symlinkSync(join(outside, 'stall.yaml'), join(directory, 'stall.yaml'));
    expect(readStall(directory)).toMatchObject({ stall: defaultStallManifest, problems: [{ code: 'link' }] });
    const folder = content({});
    mkdirSync(join(folder, 'stall.yaml'));
    expect(codes(folder)).toEqual(['link']);
  });
});

describe('check', () => {
  test('has an entry for stall.yaml, if there is one', async () => {
    const directory = content({ ...SHELF, 'stall.yaml': 'nam: x\n' });
    const [entry, ...items] = await check(directory);
    expect(entry).toMatchObject({
      kind: 'stall',
      slug: 'stall.yaml',
      files: [],
      problems: [{ code: 'unknown-key' }],
    });
    expect(items.map(({ slug }) => slug)).toHaveLength(8);
    expect((await check(content(SHELF))).map(({ kind }) => kind)).not.toContain('stall');
  });
});

describe('a stall', () => {
  const home = async (stall: Awaited<ReturnType<typeof openStall>>) => {
    const page = await (await stall.fetch('/')).text();
    return [/<title>(.*)<\/title>/.exec(page)?.[1], /<h1>(.*)<\/h1>/.exec(page)?.[1]];
  };

  test('has the name of its stall.yaml on its first page, and keeps the last good one', async () => {
    const stall = await openStall({ files: { ...SHELF, 'stall.yaml': 'name: Heron & <Egret>\n' } });
    expect(await home(stall)).toEqual(Array(2).fill('Heron &amp; &lt;Egret>'));
    writeFileSync(join(stall.content, 'stall.yaml'), 'name: New\nnam: x\n');
    await stall.app.publish();
    expect(await home(stall)).toEqual(Array(2).fill('Heron &amp; &lt;Egret>'));
    expect(stall.log).toContainEqual(expect.objectContaining({ event: 'stall-problem' }));
    writeFileSync(join(stall.content, 'stall.yaml'), 'name: New\n');
    await stall.app.publish();
    expect(await home(stall)).toEqual(['New', 'New']);
  });

  test('whose stall.yaml is broken from the start serves its items', async () => {
    const stall = await openStall({ files: { ...SHELF, 'stall.yaml': 'name: [' } });
    expect(await home(stall)).toEqual(['Bookstall', 'Bookstall']);
    expect((await stall.fetch('/api/install/free-book')).status).toBe(200);
  });

  test.each(['name: [', null])('whose stall.yaml is %j after a restart is as it was', async (yaml) => {
    const first = await openStall({
      files: { ...SHELF, 'stall.yaml': 'name: Heron\nterms: terms.md\n', 'terms.md': '# Terms\n' },
    });
    const before = first.app.stall.stallFiles();
    expect(before).toMatchObject({ stall: { name: 'Heron' }, terms: '# Terms\n' });
    await first.close();
    if (yaml === null) rmSync(first.content, { recursive: true });
    else writeFileSync(join(first.content, 'stall.yaml'), yaml);
    const second = await openStall({ files: {}, directory: first.directory });
    expect(second.app.stall.stallFiles()).toEqual(before);
  });
});
