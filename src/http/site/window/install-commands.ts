import type { Edition } from '../../../catalog/edition.ts';
import { isFree } from '../../../item/item.ts';
import { BEARER_VARIABLE, curlLines } from '../../../service/delivery/curl-line.ts';

/** A command that gets an item, and what it does. */
export type InstallCommand = {
  readonly name: string;
  readonly line: string;
  readonly does: string;
  /** Whether an agent, or a program that asks, is its reader. */
  readonly isForAgents: boolean;
};

/** The commands that get an item from this stall, each one physical line. None contains a key, only its variable. */
export function installCommands({ manifest, artefacts }: Edition, origin: string): readonly InstallCommand[] {
  const { kind, slug, id } = manifest;
  const bearer = isFree(manifest) ? '' : BEARER_VARIABLE;
  return [
    {
      name: 'curl',
      line: curlLines.install(origin, bearer, slug),
      does: `Unpacks the folder ${slug} into the current directory.`,
      isForAgents: false,
    },
    {
      name: 'Node',
      line: `npx --yes ${origin}/client.tgz install ${slug} --url ${origin}${kind === 'skill' ? ' --agent claude' : ''}`,
      does:
        kind === 'skill'
          ? 'Checks each file, then installs the skill where Claude Code looks. Name another agent, or none for this directory.'
          : 'Checks each file, then installs the folder into the current directory.',
      isForAgents: kind === 'skill',
    },
    ...(kind === 'skill'
      ? [
          {
            name: 'zip',
            line: curlLines.zip(origin, bearer, slug),
            does: `Saves ${slug}.zip, which agents on the web accept as an upload.`,
            isForAgents: false,
          },
        ]
      : []),
    ...(artefacts.index !== undefined
      ? [
          {
            name: 'Ask',
            line: curlLines.ask(origin, BEARER_VARIABLE, id, 'What is this book about?'),
            does: 'Streams an answer from the book, with citations.',
            isForAgents: true,
          },
        ]
      : []),
  ];
}
