import type { Terminal } from './platform/cli/command.ts';
import { serveCommand } from './serve.cli.ts';
import { runCommand } from './platform/cli/run.ts';

/**
 * Runs a command line and returns the exit code: 0 done, 1 failed or refused, 2 usage, 4 not signed in. For `serve` it
 * loads no other command, since the server would keep their code in memory.
 */
export async function runCli(typed: readonly string[], terminal: Terminal): Promise<number> {
  if (typed[0] === serveCommand.name)
    return runCommand({ first: [], groups: { '': [serveCommand] } }, typed, terminal);
  const { PROGRAM } = await import('./commands.ts');
  return runCommand(PROGRAM, typed, terminal);
}
