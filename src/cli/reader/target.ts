import { resolve } from 'node:path';
import { AGENT_NAMES, skillFolder } from '../../client/agent.ts';
import type { ClientContext } from '../../client/client-context.ts';
import { type Input, readUsage, SWITCH, TEXT, textOf, UsageError } from '../command.ts';

/** The flags that say where items go. */
export const TARGET_OPTIONS = { dir: TEXT, agent: TEXT, global: { ...SWITCH, short: 'g' } } as const;

export const TARGET_SYNOPSIS = '[--dir DIR | --agent NAME [-g]]';

/** The folder that gets the item's folder: --dir, else the one the agent reads, here or with -g for the whole user; null where nothing was said. */
export function readTarget(input: Input, { environment }: ClientContext): string | null {
  const [directory, agent] = [textOf(input, 'dir'), textOf(input, 'agent')];
  const isUser = input.flags['global'] === true;
  if (directory !== null && (agent !== null || isUser))
    throw new UsageError('Cannot take --dir together with --agent or -g: give one of them');
  if (agent === null && isUser)
    throw new UsageError(
      `Cannot install for the user without an agent: add --agent, one of ${AGENT_NAMES.join(', ')}`,
    );
  if (directory === '') throw new UsageError('Cannot install into "": give --dir DIR');
  if (agent === null) return directory === null ? null : resolve(directory);
  return readUsage(() => skillFolder(agent, { isUser, directory: process.cwd(), environment }));
}
