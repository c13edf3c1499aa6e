import { type App, openApp } from '../../app.ts';
import { type Config, readConfig } from '../../config.ts';
import { createLog, type Log } from '../../log.ts';
import { prepareDemo } from '../../service/demo.ts';
import type { Publication } from '../../service/publish.ts';
import { type Command, DONE, SWITCH, type Terminal, TEXT } from '../command.ts';

const ONE_SECOND = 1000;

export const serveCommand: Command = {
  name: 'serve',
  synopsis:
    '[--content DIR] [--data DIR] [--host 127.0.0.1] [--port 7070] [--base-url URL] [--budget N/S|off] [--route-budget N/S|off] [--trusted-proxies CIDR,…] [--log json|pretty] [--demo]',
  summary: 'Serve the stall until it is told to stop',
  options: {
    content: TEXT,
    data: TEXT,
    host: TEXT,
    port: TEXT,
    'base-url': TEXT,
    budget: TEXT,
    'route-budget': TEXT,
    'trusted-proxies': TEXT,
    log: TEXT,
    demo: SWITCH,
  },
  words: [0, 0],
  async run({ flags }, terminal) {
    const config = readConfig(flags, terminal.environment, terminal.isTerminal);
    const log = createLog(config.log, terminal.err);
    logStrayErrors(log);
    const stopped = untilStopped(terminal);
    const app = await openApp(config, { log });
    log({ event: 'listening', message: `Bookstall listens on ${app.origin}`, origin: app.origin });
    announcePublications(await app.publish(createProgress(log)), config, log);
    if (config.demo) await printDemo(app, terminal);
    await stopped;
    log({ event: 'stopping', message: 'Stopping: running answers get up to 25 s' });
    await app.close();
    log({ event: 'stopped', message: 'Stopped' });
    return DONE;
  },
};

/** A throw in a listener or a forgotten rejection would end the process, and every reader's answer with it. */
function logStrayErrors(log: Log): void {
  const report = (error: unknown): void =>
    log({
      event: 'internal-error',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  process.on('unhandledRejection', report);
  process.on('uncaughtException', report);
}

function untilStopped({ exit }: Terminal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let signals = 0;
  const onSignal = (): void => {
    if (++signals === 1) resolve();
    else exit(1);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return promise;
}

function createProgress(log: Log) {
  let saidAt = performance.now();
  return (done: number, all: number): void => {
    if (performance.now() - saidAt < ONE_SECOND) return;
    saidAt = performance.now();
    log({ event: 'compiling', message: `Compiling: ${done} of ${all} items` });
  };
}

function announcePublications(
  publications: readonly Publication[],
  { content, engine }: Config,
  log: Log,
): void {
  const served = publications.filter(({ edition }) => edition !== null).length;
  const left = publications.length - served;
  log({
    event: 'ready',
    message: `Ready: ${served} items from "${content}"${left === 0 ? '' : `, ${left} not served`}`,
    items: served,
  });
  log({
    event: 'engine',
    message: "Answers are quotes from the book, not a model's: no model engine is configured",
    engine,
  });
}

async function printDemo(app: App, { out, err }: Terminal): Promise<void> {
  const lines = await prepareDemo(app.catalog(), app.office, app.origin);
  err(
    '\nTry it: paste these lines into another shell. The key in them works for 24 hours, on this machine.\n\n',
  );
  out(`${lines.join('\n\n')}\n`);
  err('\nStop with Ctrl-C.\n');
}
