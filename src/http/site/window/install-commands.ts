import type { Edition } from '../../../catalog/edition.ts';
import { isFree } from '../../../item/item.ts';

/** One way to an item: a line to paste, and what it does. */
export type InstallCommand = { readonly name: string; readonly line: string; readonly does: string };

const BEARER = '-H "Authorization: Bearer $BOOKSTALL_KEY" ';

/** The ways to get an item, each one physical line for this stall; a key is never in it, only its place. */
export function installCommands({ manifest, artefacts }: Edition, origin: string): readonly InstallCommand[] {
  const { kind, slug, id } = manifest;
  const bearer = isFree(manifest) ? '' : BEARER;
  const question = JSON.stringify({ book_id: id, query: 'What is this book about?' });
  return [
    {
      name: 'curl',
      line: `curl -fsS ${bearer}${origin}/api/install/${slug} | tar -xz`,
      does: `Unpacks the folder ${slug} where you are.`,
    },
    {
      name: 'Node',
      line: `npx --yes ${origin}/client.tgz install ${slug} --url ${origin}`,
      does:
        kind === 'skill'
          ? 'Checks each file, then installs; add --agent claude, or another agent, to put it where that looks.'
          : 'Checks each file, then installs the folder where you are.',
    },
    ...(kind === 'skill'
      ? [
          {
            name: 'zip',
            line: `curl -fsSOJ ${bearer}${origin}/api/skills/${slug}/download`,
            does: `Saves ${slug}.zip, as agents on the web take it.`,
          },
        ]
      : []),
    ...(artefacts.index !== undefined
      ? [
          {
            name: 'Ask',
            line: `curl -fsSN ${BEARER}-H 'Content-Type: application/json' -d '${question}' ${origin}/api/agent/fetch`,
            does: 'Streams an answer out of the book, with where it stands.',
          },
        ]
      : []),
  ];
}
