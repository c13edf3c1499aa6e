import type { ClientContext } from './client-context.ts';
import { fetchJson } from './stall-calls.ts';
import { objectOf } from './stall-client.ts';
import { plain, plainLines } from '../../platform/cli/terminal-text.ts';
import {
  CONNECT_AGENTS,
  CONNECT_NAMES,
  type ConnectAgent,
  type ConnectStep,
} from '../../catalog/connect.rule.ts';
import { didYouMean } from '../../platform/base/problem.ts';
import { type Command, type Output, type Terminal, UsageError } from '../../platform/cli/command.ts';
import { isCompiled } from '../../platform/cli/program-path.ts';
import { readerCommand } from './reader-command.ts';
import { spawnSync } from 'node:child_process';
import { Refusal } from '../../platform/base/refusal.ts';
import { shellWord } from '../../platform/base/text.ts';

const REGISTRY = 'registry';

export const connectCommand: Command = readerCommand({
  name: 'connect',
  synopsis: `[AGENT|${REGISTRY}]`,
  summary: 'Print the lines that connect an agent; connect git',
  about: `AGENT is ${CONNECT_NAMES.join(', ')}, or left out for all. "connect ${REGISTRY}" prints a server.json for MCP's registry.`,
  flags: { '--undo': 'take back what "connect git" did' },
  examples: ['bookstall connect claude', 'bookstall connect git', 'bookstall connect git --undo'],
  async run(context, input, terminal) {
    const [name] = input.words;
    const origin = (await context.stall()).url;
    if (input.has('undo') && name !== 'git')
      throw new UsageError(
        'Cannot undo this here: only "connect git" changes anything; the others print what undoes them',
      );
    if (name === REGISTRY) return terminal.out(await describeServer(context));
    if (name === 'git' && !terminal.isJson) return runGit(context, origin, input.has('undo'), terminal);
    const agents = name === undefined ? CONNECT_AGENTS : [findAgent(name)];
    const place = { origin, link: null, slug: 'SLUG', program: context.program };
    const shown = agents.map((agent) => ({
      agent: agent.name,
      title: agent.title,
      steps: agent.steps(place),
    }));
    if (terminal.isJson) terminal.json(shown);
    else {
      for (const { title, steps } of shown) writeAgent(terminal, title, steps);
      terminal.err(
        `For what you own without a key in reach, make a link on ${plain(origin)}/dashboard/connect\n`,
      );
    }
  },
});

const REGISTRY_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** Writes the `server.json` that enters a stall into MCP's registry; it has the fields of the stall's own card. */
async function describeServer(context: ClientContext): Promise<string> {
  const card = objectOf(await fetchJson(await context.stall(), '/mcp/server-card'));
  return plainLines(`${JSON.stringify({ ...card, $schema: REGISTRY_SCHEMA }, null, 2)}\n`);
}

async function runGit(
  context: ClientContext,
  origin: string,
  isUndo: boolean,
  terminal: Output,
): Promise<void> {
  if (isUndo) {
    const wasThere = disconnectGit(origin);
    const sentence = wasThere ? `git asks no longer for ${origin}` : `git was not connected to ${origin}`;
    return terminal.result({ url: origin, removed: wasThere }, sentence);
  }
  connectGit(origin, terminal.packageStall ?? null);
  const { stalls } = await context.signIns.read();
  if (!Object.hasOwn(stalls, origin))
    terminal.err(`No key is kept for it yet: run "${context.program} login --url ${plain(origin)}"\n`);
  const sentence = `git asks bookstall for the key of ${origin}; "${context.program} connect git --undo --url ${plain(origin)}" takes it back`;
  terminal.result({ url: origin }, sentence);
}

function findAgent(name: string): ConnectAgent {
  const agent = CONNECT_AGENTS.find((one) => one.name === name);
  if (agent !== undefined) return agent;
  throw new UsageError(
    `Cannot connect "${plain(name)}": ${didYouMean(name, CONNECT_NAMES, `choose from ${[...CONNECT_NAMES, REGISTRY].join(', ')}`)}`,
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

/**
 * Makes this program git's credential helper for one stall only; refuses if git has another for it. `packageStall` is the
 * stall that served this program, or null.
 */
function connectGit(origin: string, packageStall: string | null): void {
  const name = settingOf(origin);
  // Hides the helper's messages, such as npm's: they would come before git's own error, and some agents show only a few lines.
  const helper = `!f() { ${programOf(packageStall)} git-credential "$@" 2>/dev/null; }; f`;
  const known = readHelpers(name).filter((one) => one !== '');
  const foreign = known.find((one) => !isOurs(one));
  if (foreign !== undefined)
    throw Refusal.invalid(
      `Cannot connect git to ${origin}: it has another helper for it; remove that with "git config --global --unset-all ${name}"`,
    );
  // An empty value turns off git's helpers for all addresses, which would store the key that this helper gives.
  config(['--replace-all', name, '']);
  config(['--add', name, helper]);
}

function disconnectGit(origin: string): boolean {
  const name = settingOf(origin);
  const known = readHelpers(name);
  if (!known.some(isOurs)) return false;
  config(['--unset-all', name]);
  return true;
}

/** Reports whether a credential helper is this program. Version 0.2.0 wrote it in another form. */
const isOurs = (helper: string): boolean => / git-credential(?: "\$@" 2>\/dev\/null; }; f)?$/.test(helper);

const settingOf = (origin: string): string => `credential.${origin}.helper`;

function readHelpers(name: string): readonly string[] {
  const { code, out } = git(['config', '--global', '--null', '--get-all', name]);
  return code === 0 ? out.split('\0').slice(0, -1) : [];
}

function config(words: readonly string[]): void {
  const { code, err } = git(['config', '--global', ...words]);
  if (code === 0) return;
  throw Refusal.invalid(`Cannot change git's configuration: ${err.trim() || `git ended with ${code}`}`);
}

function programOf(packageStall: string | null): string {
  if (packageStall !== null) return `npx --yes ${packageStall}/client.tgz`;
  const [, script = ''] = process.argv;
  return [process.execPath, ...(isCompiled() ? [] : [script])]
    .map((word) => shellWord(word.replaceAll('\\', '/')))
    .join(' ');
}

function git(words: readonly string[]): { code: number; out: string; err: string } {
  const { error, status, stdout, stderr } = spawnSync('git', words, { encoding: 'utf8' });
  if (error !== undefined)
    throw Refusal.invalid('Cannot find git on this machine: install it, and try again');
  return { code: status ?? 1, out: stdout, err: stderr };
}
