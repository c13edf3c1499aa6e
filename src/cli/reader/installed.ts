import { dirname } from 'node:path';
import type { Manifest } from '../../client/manifest.ts';
import { realFolder } from '../../client/staged-item.ts';
import { quote } from '../../item/problem.ts';
import { didYouMean } from '../../item/field.ts';
import { Refusal } from '../../refusal.ts';
import type { Input } from '../command.ts';
import { type ReaderContext, readTarget } from './reader-command.ts';

/** The installed items of a command: those of a slug or all, in one folder or anywhere. Refuses a slug that is not installed there. */
export async function findInstalled(context: ReaderContext, input: Input): Promise<readonly Manifest[]> {
  const slug = input.words[0];
  const target = readTarget(input, context);
  const all = await context.manifests.list();
  const parent = target === null ? null : await realFolder(target);
  const there = parent === null ? all : all.filter(({ folder }) => dirname(folder) === parent);
  const found = slug === undefined ? there : there.filter((manifest) => manifest.slug === slug);
  if (slug === undefined || found.length > 0) return found;
  const hint = didYouMean(
    slug,
    there.map((manifest) => manifest.slug),
    '"bookstall list" shows what is installed',
  );
  throw new Refusal(
    'not-found',
    `Cannot find ${quote(slug)}: it is not installed${target === null ? '' : ' there'}. ${hint}`,
  );
}
