import type { ClientContext } from '../../client/client-context.ts';
import { plain } from '../../client/terminal-text.ts';
import { CONNECT_AGENTS, CONNECT_NAMES, type ConnectAgent, type ConnectStep } from '../../item/connect.ts';
import { didYouMean } from '../../item/field.ts';
import { type Command, DONE, type Output, SWITCH, type Terminal, UsageError } from '../command.ts';
import { readerCommand } from './reader-command.ts';
import { printableJson } from '../../item/problem.ts';

export const connectCommand: Command = readerCommand({
  name: 'connect',
  synopsis: `[${CONNECT_NAMES.join('|')}] [--undo] [--url URL] [--json]`,
  summary: 'Print the lines that connect an agent to a stall; for git, connect it',
  examples: ['bookstall connect claude', 'bookstall connect git', 'bookstall connect git --undo'],
  options: { undo: SWITCH },
  words: [0, 1],
  async run(context, input, terminal) {
    const [name] = input.words;
    const origin = (await context.stall()).url;
    if (input.flags['undo'] === true && name !== 'git')
      throw new UsageError(
        'Cannot undo this here: only "connect git" changes anything; the others print what undoes them',
      );
    if (name === 'git' && !terminal.isJson) return await runGit(context, origin, input, terminal);
    const agents = name === undefined ? CONNECT_AGENTS : [findAgent(name)];
    const place = { origin, link: null, slug: 'SLUG' };
    const shown = agents.map((agent) => ({
      agent: agent.name,
      title: agent.title,
      steps: agent.steps(place),
    }));
    if (terminal.isJson) terminal.out(`${printableJson(shown)}\n`);
    else {
      for (const { title, steps } of shown) writeAgent(terminal, title, steps);
      terminal.err(
        `For what you own without a key in reach, make a link on ${plain(origin)}/dashboard/connect\n`,
      );
    }
  },
});

async function runGit(
  context: ClientContext,
  origin: string,
  input: Parameters<Command['run']>[0],
  terminal: Output,
): Promise<number> {
  const { connectGit, disconnectGit } = await import('./git-helper.ts');
  if (input.flags['undo'] === true) {
    const wasThere = await disconnectGit(origin);
    const sentence = wasThere ? `git asks no longer for ${origin}` : `git was not connected to ${origin}`;
    terminal.result({ url: origin, removed: wasThere }, sentence);
    return DONE;
  }
  await connectGit(origin, terminal.packageStall ?? null);
  const { stalls } = await context.signIns.read();
  if (!Object.hasOwn(stalls, origin))
    terminal.err(`No key is kept for it yet: run "${context.program} login --url ${plain(origin)}"\n`);
  const sentence = `git asks bookstall for the key of ${origin}; "${context.program} connect git --undo --url ${plain(origin)}" takes it back`;
  terminal.result({ url: origin }, sentence);
  return DONE;
}

function findAgent(name: string): ConnectAgent {
  const agent = CONNECT_AGENTS.find((one) => one.name === name);
  if (agent !== undefined) return agent;
  throw new UsageError(
    `Cannot connect "${plain(name)}": ${didYouMean(name, CONNECT_NAMES, `choose from ${CONNECT_NAMES.join(', ')}`)}`,
  );
}

function writeAgent({ out }: Terminal, title: string, steps: readonly ConnectStep[]): void {
  out(`${title}\n`);
  for (const { does, line, file, kept, undo } of steps) {
    out(`  ${file === null ? does : `${does} In ${file}:`}\n    ${line}\n`);
    if (kept !== null) out(`    ${kept}\n`);
    if (undo !== null) out(`    Undo: ${undo}\n`);
  }
  out('\n');
}
