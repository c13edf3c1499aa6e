import { resolve } from 'node:path';
import { AGENT_NAMES, skillFolder } from '../../client/agent.ts';
import type { ClientContext } from '../../client/client-context.ts';
import { type Input, readUsage, SWITCH, TEXT, textOf, UsageError } from '../command.ts';

/** The flags that choose the folder for items. */
export const TARGET_OPTIONS = { dir: TEXT, agent: TEXT, global: { ...SWITCH, short: 'g' } } as const;

export const TARGET_SYNOPSIS = '[--dir DIR | --agent NAME [-g]]';

/** The folder for items: --dir, or the agent's in the project, or with -g the user's; null without these flags. */
export function readTarget(input: Input, { environment }: ClientContext): string | null {
  const [directory, agent] = [textOf(input, 'dir'), textOf(input, 'agent')];
  const isUser = input.flags['global'] === true;
  if (directory !== null && (agent !== null || isUser))
    throw new UsageError('Cannot use --dir together with --agent or -g: give one of them');
  if (agent === null && isUser)
    throw new UsageError(
      `Cannot install for the user without an agent: add --agent, one of ${AGENT_NAMES.join(', ')}`,
    );
  if (directory === '') throw new UsageError('Cannot install into "": give --dir DIR');
  if (agent === null) return directory === null ? null : resolve(directory);
  return readUsage(() => skillFolder(agent, { isUser, directory: process.cwd(), environment }));
}
