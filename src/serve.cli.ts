import { ensureSetup } from './accounts/one-time-link.ts';
import { type App, DRAIN, openApp } from './app.ts';
import { type Config, readConfig, refuseOpenDemo } from './platform/config/config.ts';
import { isLoopback } from './platform/config/local-host.ts';
import { EXTRACTIVE } from './platform/config/model-engines.ts';
import { createLog, type Log, type LogEntry } from './platform/base/log.ts';
import { Refusal } from './platform/base/refusal.ts';
import { prepareDemo } from './selling/demo.ts';
import { becomeOwner } from './platform/store/data-directory.ts';
import { command, createProgress, readUsage, type Terminal } from './platform/cli/command.ts';
import { ALL, settings } from './platform/cli/settings.ts';
import { SECOND } from './platform/base/duration.ts';

export const serveCommand = command(
  {
    name: 'serve',
    summary: 'Serve the stall until it is stopped',
    about: 'Selling, mail and models are set with variables alone; the Handbook lists them.',
    flags: {
      ...settings(...ALL),
      '--watch': 'load changed content automatically (BOOKSTALL_WATCH)',
      '--insecure-http': 'allow sign-in over plain HTTP; every page warns (BOOKSTALL_INSECURE_HTTP)',
      '--demo': 'serve this machine alone, with a demo key, which is printed',
    },
    examples: [
      'bookstall serve --demo',
      'bookstall serve --base-url https://stall.example.org --trusted-proxies 127.0.0.1',
    ],
    async run({ flags }, terminal) {
      const config = readUsage(() => readConfig(flags, terminal));
      refuseOpenDemo(config);
      becomeOwner(config.data);
      const log = createLog(config.log, terminal.err);
      logStrayErrors(log);
      warnOfRuntimeSettings(terminal.environment, log);
      warnOfPlainHttp(config, log);
      const stopped = untilStopped(terminal, log);
      const progress = createProgress(terminal, log);
      let app: App | null = null;
      // The listener is set before the process id is written, since a SIGHUP without a listener would end the process.
      process.on('SIGHUP', () => void app?.publish('signal'));
      app = await openApp(config, { log, onProgress: progress });
      log(listeningEntry(app));
      await Promise.race([open(app, config, terminal, log), stopped]);
      await stopped;
      log({ event: 'stopping', message: `Stopping: running answers get up to ${DRAIN / SECOND} s` });
      await app.close();
      log({ event: 'stopped', message: 'Stopped' });
    },
  },
  {},
);

async function open(app: App, config: Config, terminal: Terminal, log: Log): Promise<void> {
  await app.publish();
  log(engineEntry(config.model));
  if (config.demo)
    terminal.err(
      `\nTry it in a browser: ${app.origin}/\nBuy something there: the checkout is pretended, and no money moves. Then read it, ask it, give the money back.\n`,
    );
  await unlessUnwritable(printSetup(app, terminal, config.demo), terminal);
  if (config.demo) await unlessUnwritable(printDemo(app, terminal), terminal);
  if (config.demo) terminal.err('\nStop with Ctrl-C.\n');
}

async function unlessUnwritable(print: Promise<void>, { err }: Terminal): Promise<void> {
  await print.catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.kind !== 'storage-unavailable') throw error;
    err(`${error.message}\n`);
  });
}

function listeningEntry({ origin, localOrigin }: App): LogEntry {
  const isSame = origin === localOrigin;
  const message = `Bookstall listens on ${localOrigin}${isSame ? '' : `; readers reach it at ${origin}`}`;
  return { event: 'listening', message, origin, ...(isSame ? {} : { address: localOrigin }) };
}

function engineEntry(config: Config['model']): LogEntry {
  if (config === null) {
    const message = "Answers are quotes from the book, not a model's: no model engine is configured";
    return { event: 'engine', message, engine: EXTRACTIVE };
  }
  const { engine, model, url } = config;
  return { event: 'engine', message: `Answers are a model's, at ${url}`, engine, model };
}

/** Warns of environment variables that Bun obeys before this program starts; no build flag prevents that. */
function warnOfRuntimeSettings(environment: Terminal['environment'], log: Log): void {
  const obeyed = {
    BUN_OPTIONS: 'loads files and sets flags',
    BUN_INSPECT: 'lets a debugger in',
    BUN_INSPECT_CONNECT_TO: 'calls a debugger and lets it in',
  };
  for (const [name, effect] of Object.entries(obeyed))
    if (environment[name])
      log({
        event: 'environment',
        message: `${name} is set, and the runtime obeys it: it ${effect}; unset it unless you mean that`,
      });
}

/** Warns if readers may connect without TLS. Whether a proxy in front uses TLS is only known from the base URL. */
function warnOfPlainHttp({ host, baseUrl, insecureHttp }: Config, log: Log): void {
  if (isLoopback(host) || baseUrl?.startsWith('https:')) return;
  const signIn = insecureHttp
    ? 'passwords too, since --insecure-http lets people sign in'
    : 'nobody can sign in';
  const message = `Listening on "${host}" without TLS: API keys and answers can be read on the way, ${signIn}; put a proxy with TLS in front and start with --base-url https://…`;
  log({ event: 'plain-http', message });
}

/** Logs uncaught exceptions and rejections, which would otherwise end the process and all running answers. */
function logStrayErrors(log: Log): void {
  const report = (error: unknown): void =>
    log({
      event: 'internal-error',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  process.on('unhandledRejection', report);
  process.on('uncaughtException', report);
}

function untilStopped({ exit }: Terminal, log: Log): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let signals = 0;
  const onSignal = (): void => {
    if (++signals === 1) return resolve();
    // Writing this entry also writes the log lines of requests that are still buffered.
    log({ event: 'stopped-at-once', message: 'Stopped at once: a second signal came' });
    exit(1);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return promise;
}

async function printDemo(app: App, { out, err }: Terminal): Promise<void> {
  const lines = await prepareDemo(app.stall);
  err(
    '\nOr from a shell: paste these lines into another one. The key in them works for 24 hours, on this machine.\n\n',
  );
  out(`${lines.join('\n\n')}\n`);
}

/**
 * Prints the link that makes the owner's account, on the terminal and never in the log: only those who run the machine
 * read it.
 */
async function printSetup({ stall }: App, { err }: Terminal, isDemo: boolean): Promise<void> {
  if (stall.config.proxySignIn !== null && stall.store.findOwner() === null)
    return err('\nNobody owns this stall yet. Add its owner: bookstall account add EMAIL --owner\n');
  const link = await ensureSetup(stall, stall.origin());
  if (link === null) return;
  if (isDemo) return err(`\nSee its office as the owner, once, within ${link.validFor}:\n\n${link.url}\n`);
  err(
    `\nNobody owns this stall yet. To set up the owner's account, open this link within ${link.validFor}:\n\n`,
  );
  err(
    `${link.url}\n\nIt is also in "setup-url" of the data directory. Without a browser: bookstall account add EMAIL --owner\n`,
  );
}
