import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import {
  createFactFinder,
  FACTS,
  type FileGroup,
  type Inventory,
  takeInventory,
} from '../../catalog/inventory.rule.ts';
import { printableJson, quote } from '../../platform/base/problem.ts';
import { counted, formatBytes } from '../../platform/base/text.ts';
import type { InstalledFile } from './manifest.ts';
import { plain } from '../../platform/cli/terminal-text.ts';

export async function inspectFiles(folder: string, files: readonly InstalledFile[]): Promise<Inventory> {
  const found = [];
  for (const file of files) {
    const finder = createFactFinder(file.path);
    for await (const chunk of createReadStream(join(folder, file.path), { highWaterMark: 1 << 20 }))
      finder.push(chunk as Uint8Array);
    found.push({ ...file, facts: finder.end() });
  }
  return takeInventory(found);
}

const NOUNS = {
  executable: 'executable file',
  program: 'binary program',
  host: 'host',
  tool: 'allowed tool',
  hidden: 'hidden character',
};

/**
 * Describes an inventory in two lines, safe for a terminal: what the files are, then what was found in them. Each fact has
 * up to ten examples.
 */
export function describeInventory(name: string, inventory: Inventory): readonly string[] {
  const { files, bytes, kinds, languages, counts, places } = inventory;
  const size = `${counted(files, 'file')}, ${formatBytes(bytes)} (${grouped(kinds)})`;
  const scripts = languages.length === 0 ? [] : [`scripts: ${grouped(languages)}`];
  const [executables = '', programs = '', ...others] = FACTS.map((fact) => {
    const found = places?.filter((place) => place.fact === fact) ?? [];
    const named = new Set(found.map((one) => (fact === 'host' || fact === 'tool' ? one.what : nameOf(one))));
    const first = [...named].slice(0, 10).join(', ') + (named.size > 10 ? ', …' : '');
    const count = counts[fact] === 0 ? `no ${NOUNS[fact]}s` : counted(counts[fact], NOUNS[fact]);
    return first === '' ? count : `${count}: ${first}`;
  });
  const held = [size, ...scripts, executables, programs].join('; ');
  return [`${quote(name)} holds ${held}`, `${quote(name)} names ${others.join('; ')}`].map(plain);
}

export function nameOf({ path, line, what }: NonNullable<Inventory['places']>[number]): string {
  const where = printableJson(line === null ? path : `${path}:${line}`);
  return what === '' ? where : `${where} (${what})`;
}

const grouped = (groups: readonly FileGroup[]): string =>
  groups.map(({ name, files }) => `${files} ${name}`).join(', ');
