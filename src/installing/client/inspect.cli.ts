import { lstatSync, realpathSync } from 'node:fs';
import { fetchJson } from './stall-calls.ts';
import { describeInventory, inspectFiles, nameOf } from './inventory.ts';
import { type InstalledFile, readFolder } from './manifest.ts';
import { unexpectedAnswer } from './stall-client.ts';
import { quote } from '../../platform/base/problem.ts';
import { plain } from '../../platform/cli/terminal-text.ts';
import { compareText } from '../../platform/base/text.ts';
import type { Inventory } from '../../catalog/inventory.rule.ts';
import type { Command } from '../../platform/cli/command.ts';
import { readerCommand, type ReaderContext } from './reader-command.ts';

export const inspectCommand: Command = readerCommand({
  name: 'inspect',
  synopsis: 'SLUG|DIR',
  summary: 'Say what is inside an item of the stall, or a folder here',
  about: 'Facts without a verdict. Who may not read all of an item gets counts.',
  examples: ['bookstall inspect review-kit', 'bookstall inspect ./skills/review-kit'],
  async run(context, { word }, { out, isJson, json }) {
    const inventory = await inspect(context, word);
    if (isJson) json(inventory);
    else for (const line of linesOf(word, inventory)) out(`${line}\n`);
  },
});

function linesOf(word: string, inventory: Inventory): readonly string[] {
  try {
    const places = inventory.places?.map((place) => `${place.fact.padEnd(10)}  ${nameOf(place)}`) ?? [];
    return [...describeInventory(word, inventory), ...places.map(plain)];
  } catch {
    // The stall's answer may have any form, so reading it can throw.
    throw unexpectedAnswer(`Cannot read what is inside ${quote(word)}`);
  }
}

async function inspect(context: ReaderContext, word: string): Promise<Inventory> {
  if (lstatSync(word, { throwIfNoEntry: false })?.isDirectory() !== true && !/[\\/]/.test(word))
    return (await fetchJson(
      await context.stall(),
      `/api/items/${encodeURIComponent(word)}/inventory`,
    )) as Inventory;
  const folder = realpathSync(word);
  // Leaves out links and devices, which have no hash, and everything in `.git`.
  const isFile = ({ path, sha256 }: InstalledFile) => sha256 !== '' && !/(?:^|\/)\.git\//.test(path);
  const files = (await readFolder(folder)).filter(isFile);
  return inspectFiles(
    folder,
    files.toSorted((a, b) => compareText(a.path, b.path)),
  );
}
