import { AGENT_NAMES, skillFolder } from './agent.ts';
import { type ClientContext, openClientContext } from './client-context.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { mapInLanes } from '../../platform/base/turn.ts';
import {
  type Command,
  command,
  type CommandIn,
  type Input,
  readUsage,
  type Flags,
  JSON_FLAG,
  type Terminal,
  UsageError,
} from '../../platform/cli/command.ts';
import { confirm } from '../../platform/cli/confirm.ts';
import { isInstalled, listInstalled, type Lock, LOCK_NAME } from './lock-file.ts';
import { isPlainHttp } from './stall-client.ts';
import { plain } from '../../platform/cli/terminal-text.ts';
import { formatBytes } from '../../platform/base/text.ts';
import { dirname, resolve } from 'node:path';
import type { InstalledManifest } from './manifest.ts';
import { realFolder } from './staged-item.ts';
import { quote, didYouMean } from '../../platform/base/problem.ts';

/** The context of a reader's command. `bars` show the progress of downloads. */
export type ReaderContext = ClientContext & { readonly bars: ProgressBars };

const STOPPED = 'Stopped: no partial files are left';

/**
 * Makes a command that talks to a stall over HTTP. Ctrl-C cancels its requests and cleans up; a second Ctrl-C ends the process.
 */
export function readerCommand<Own extends Flags = Record<never, string>>({
  run,
  ...definition
}: CommandIn<ReaderContext, Own>): Command {
  const runInside: Command['run'] = async (input, terminal) => {
    const controller = new AbortController();
    const onSignal = (): void => {
      if (controller.signal.aborted) terminal.exit(1);
      controller.abort(Refusal.invalid(STOPPED));
    };
    // SIGHUP comes when the terminal was closed or its connection lost.
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, onSignal);
    const bars = openProgressBars(terminal);
    const context = openClientContext(input.text('url'), {
      environment: terminal.environment,
      packageStall: terminal.packageStall ?? null,
      signal: controller.signal,
      say: bars.say,
    });
    try {
      return await run({ ...context, bars }, input, terminal);
    } finally {
      bars.end();
      for (const signal of signals) process.off(signal, onSignal);
    }
  };
  return command<Flags>(
    { ...definition, run: runInside },
    { '--url URL': 'the stall, if not that of the last login (BOOKSTALL_URL)', ...JSON_FLAG },
  );
}

const WIDTH = 24;

/** The minimum time between two drawings of the bars, in milliseconds. */
const INTERVAL = 80;

type Bar = { readonly update: (received: number, all: number) => void; readonly end: () => void };

/**
 * Opens progress bars, one for each running download, below the messages. Shows none without a terminal, in CI or with
 * TERM=dumb.
 */
export function openProgressBars({ err, isTerminal, environment }: Terminal) {
  const isShown = isTerminal && !environment['CI'] && environment['TERM'] !== 'dumb';
  const running = new Map<Bar, string>();
  let drawn = 0;
  let drawnAt = 0;
  const erase = (): string => (drawn === 0 ? '' : `\u001b[${drawn}A\u001b[J`);
  const draw = (before = ''): void => {
    const lines = [...running.values()].filter((line) => line !== '');
    err(`${erase()}${before}${lines.map((line) => `${line}\n`).join('')}`);
    drawn = lines.length;
    drawnAt = performance.now();
  };
  return {
    say: (sentence: string): void => (drawn === 0 ? err(`${sentence}\n`) : draw(`${sentence}\n`)),
    start(name: string): Bar {
      const bar: Bar = {
        update(received, all) {
          if (!isShown) return;
          running.set(bar, describe(name, received, all));
          if (performance.now() - drawnAt > INTERVAL) draw();
        },
        end() {
          if (running.delete(bar) && drawn > 0) draw();
        },
      };
      return bar;
    },
    end(): void {
      running.clear();
      if (drawn > 0) draw();
    },
  };
}

type ProgressBars = ReturnType<typeof openProgressBars>;

function describe(name: string, received: number, all: number): string {
  const label = plain(name).slice(0, 30).padEnd(30);
  if (all === 0) return `${label} ${formatBytes(received)}`;
  const filled = Math.round((Math.min(received, all) / all) * WIDTH);
  return `${label} [${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${formatBytes(received)} of ${formatBytes(all)}`;
}

export const TARGET_FLAGS = {
  '--dir DIR': 'the folder that holds the item, or will hold it',
  '--agent NAME': `where this agent reads skills: ${AGENT_NAMES.join(', ')}`,
  '-g, --global': "with --agent: in the user's folder, not the project's",
};

type TargetInput = Input<'dir' | 'agent' | 'global'>;

/**
 * Returns the folder that the flags name: --dir, or that of --agent in the project, with -g in the user's home; null
 * without them.
 */
export function readTarget(input: TargetInput, { environment }: ClientContext): string | null {
  const [directory, agent] = [input.text('dir'), input.text('agent')];
  const isUser = input.has('global');
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

/** The number of parallel downloads: enough to hide latency, and few enough not to exhaust the stall's request limit. */
const LANES = 6;

/** Runs `work` on each item, several in parallel; returns the outcomes in the order of the items. */
export const inParallel = <T, R>(items: readonly T[], work: (item: T) => Promise<R>) =>
  mapInLanes(items, LANES, async (item) => (await Promise.allSettled([work(item)]))[0]);

/**
 * Asks the reader whether to install from stalls that only the lock file names: somebody else may have written it. Refuses
 * without a yes, and without a terminal.
 */
export async function allowStalls(context: ReaderContext, terminal: Terminal, urls: readonly string[]) {
  for (const url of new Set(urls)) {
    if (await context.knows(url)) continue;
    const remedy = `if you trust ${url}, which ${LOCK_NAME} names, sign in with "${context.program} login --url ${url}", or give --url ${url}`;
    if (isPlainHttp(url)) throw Refusal.invalid(`Cannot install from ${url}: it is not https; ${remedy}`);
    await confirm(
      terminal,
      `${LOCK_NAME} names ${url}, where you never signed in. Install from there?`,
      'nothing was installed',
      remedy,
    );
  }
}

/** Lists the installed items, and those only in the lock file. Asks the reader about the stalls of the latter. */
export async function listAllowed(context: ReaderContext, terminal: Terminal, lock: Lock | null) {
  const listed = await listInstalled(context.manifests, lock);
  const urls: string[] = [];
  for (const one of listed) if (!(await isInstalled(context.manifests, one))) urls.push(one.url);
  await allowStalls(context, terminal, urls);
  return listed;
}

/**
 * Returns the items in `listed` that the command line selects by a slug, a folder or both; without either, all. Refuses a
 * slug that is not among them.
 */
export async function findInstalled(
  context: ReaderContext,
  input: TargetInput,
  listed: readonly InstalledManifest[],
): Promise<readonly InstalledManifest[]> {
  const slug = input.words[0];
  const target = readTarget(input, context);
  const parent = target === null ? null : await realFolder(target);
  const there = parent === null ? listed : listed.filter(({ folder }) => dirname(folder) === parent);
  const found = slug === undefined ? there : there.filter((manifest) => manifest.slug === slug);
  if (slug === undefined || found.length > 0) return found;
  const hint = didYouMean(
    slug,
    there.map((manifest) => manifest.slug),
    '"bookstall list" shows what is installed',
  );
  throw Refusal.missing(
    `Cannot find ${quote(slug)}: it is not installed${target === null ? '' : ' there'}. ${hint}`,
  );
}
