import type { Edition } from '../../../catalog/edition.ts';
import { isFree } from '../../../item/item.ts';

/** A command that gets an item, and what it does. */
export type InstallCommand = { readonly name: string; readonly line: string; readonly does: string };

const BEARER = '-H "Authorization: Bearer $BOOKSTALL_KEY" ';

/** The commands that get an item from this stall, each one physical line. None contains a key, only its variable. */
export function installCommands({ manifest, artefacts }: Edition, origin: string): readonly InstallCommand[] {
  const { kind, slug, id } = manifest;
  const bearer = isFree(manifest) ? '' : BEARER;
  const question = JSON.stringify({ book_id: id, query: 'What is this book about?' });
  return [
    {
      name: 'curl',
      line: `curl -fsS ${bearer}${origin}/api/install/${slug} | tar -xz`,
      does: `Unpacks the folder ${slug} into the current directory.`,
    },
    {
      name: 'Node',
      line: `npx --yes ${origin}/client.tgz install ${slug} --url ${origin}`,
      does:
        kind === 'skill'
          ? 'Checks each file, then installs. Add --agent claude, or another agent, to install where that agent looks.'
          : 'Checks each file, then installs the folder into the current directory.',
    },
    ...(kind === 'skill'
      ? [
          {
            name: 'zip',
            line: `curl -fsSOJ ${bearer}${origin}/api/skills/${slug}/download`,
            does: `Saves ${slug}.zip, which agents on the web accept as an upload.`,
          },
        ]
      : []),
    ...(artefacts.index !== undefined
      ? [
          {
            name: 'Ask',
            line: `curl -fsSN ${BEARER}-H 'Content-Type: application/json' -d '${question}' ${origin}/api/agent/fetch`,
            does: 'Streams an answer from the book, with citations.',
          },
        ]
      : []),
  ];
}
