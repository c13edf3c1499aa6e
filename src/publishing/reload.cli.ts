import { publishOnce } from './publishing-session.ts';
import { readLimits, readSetting } from '../platform/config/config.ts';
import { createLog } from '../platform/base/log.ts';
import { Refusal } from '../platform/base/refusal.ts';
import {
  describeSoldDrafts,
  describeVersions,
  listUnsold,
  readReport,
  type PublishReport,
} from './publication.ts';
import { describeDiskFault, findDiskFault } from '../platform/store/data-directory.ts';
import { findServer, isServed, readReportLoss } from '../platform/store/server-note.ts';
import {
  createProgress,
  type Input,
  readUsage,
  type Terminal,
  UsageError,
  type Output,
  command,
} from '../platform/cli/command.ts';
import { type AdminCommand, type OpenStore, refuseMissing, takeData } from '../platform/cli/admin-command.ts';
import type { Store } from './stall.ts';
import { isError } from './scan.ts';
import { plain } from '../platform/cli/terminal-text.ts';
import { settings } from '../platform/cli/settings.ts';

/** How long a running server may take to publish, in milliseconds; for gigabytes it needs some minutes. */
const RELOAD_TIME = 30 * 60 * 1000;

/**
 * Publishes the content again: by a signal to the running server, or here if none runs. Calls `prepare` before that, with
 * the data directory, which exists by then.
 */
export async function reloadContent(
  open: OpenStore<Store>,
  input: Input<'content'>,
  terminal: Terminal,
  prepare: (data: string) => Promise<void> = async () => {},
): Promise<PublishReport> {
  const data = takeData(input, terminal);
  refuseMissing(data);
  const server = findServer(data);
  if (server === null) refuseNameless(data);
  else if (input.text('content') !== null)
    throw new UsageError(
      'Cannot reindex another --content: the running server reloads its own; leave --content out, or stop the server first',
    );
  await prepare(data);
  const before = { report: await readReport(data), loss: readReportLoss(data), time: Date.now() };
  if (server === null) await publishHere(open, input, terminal);
  else signal(server);
  return waitForReport(data, before, server);
}

/** Refuses if the process id of a running server is unknown, because the disk was full: the server cannot be signalled. */
function refuseNameless(data: string): void {
  const fault = isServed(data) ? findDiskFault(data) : null;
  if (fault === null) return;
  const { reason, remedy } = describeDiskFault(fault);
  throw Refusal.storage(
    `Cannot reload the content: ${reason} ("${data}"), and its server could not write its process id; ${remedy}, then run this again`,
  );
}

function signal(server: number): void {
  try {
    process.kill(server, 'SIGHUP');
  } catch {
    throw Refusal.denied(
      `Cannot reach the running server, process ${server}: run this as the user it runs as`,
    );
  }
}

async function publishHere(open: OpenStore<Store>, { flags }: Input, terminal: Terminal): Promise<void> {
  const data = readSetting('data', flags, terminal.environment);
  const content = readSetting('content', flags, terminal.environment);
  // Writes no log, since the report says the same.
  const log = createLog('pretty', () => {});
  const limits = readUsage(() => readLimits(flags, terminal.environment));
  await publishOnce(open, { content, data, limits }, { log, onProgress: createProgress(terminal, log) });
}

/** The state before the reload: the last report, a mark that changes when a report is lost, and the time. */
type Before = { readonly report: PublishReport | null; readonly loss: number | null; readonly time: number };

/** Waits for the report of a publish that began after `before`: an earlier publish may have missed the change. */
async function waitForReport(data: string, before: Before, server: number | null): Promise<PublishReport> {
  for (const end = performance.now() + RELOAD_TIME; performance.now() < end; await Bun.sleep(50)) {
    // Read before the report: a server that lost one report may write the next one in between.
    const isLost = server === null || readReportLoss(data) !== before.loss || findDiskFault(data) === 'EROFS';
    const report = await readReport(data);
    if (report !== null && report.at !== before.report?.at && report.at >= before.time) return report;
    if (isLost)
      throw Refusal.storage(
        `Cannot tell whether the content was reloaded: no report could be written to "${data}"; check its free space and permissions, then run it again`,
      );
    if (findServer(data) !== server) break;
  }
  throw Refusal.missing(
    'Cannot tell whether the content was reloaded: the server stopped; look into its log',
  );
}

export const reindexCommand: AdminCommand<Store> = (open) =>
  command({
    name: 'reindex',
    summary: 'Load changed content, in the running server or without one',
    flags: settings('content', 'data', 'max-files', 'max-bytes'),
    run: async (input, terminal) => announce(await reloadContent(open, input, terminal), terminal),
  });

function announce(report: PublishReport, { out, err, isJson, json }: Output): boolean {
  const { fault, files, items } = report;
  if (fault !== null) throw Refusal.missing(fault);
  const withErrors = items.filter(({ problems }) => problems.some(isError));
  if (isJson)
    json([...files.map(({ path, problems }) => ({ kind: 'stall', slug: path, problems })), ...items]);
  const told = [
    ...files.map(({ path, instead, problems }) => [`${path}: ${instead}`, problems] as const),
    ...withErrors.map(({ kind, slug, digest, problems }) => {
      const state = digest === null ? 'not served' : 'its last good edition continues to be served';
      return [`${kind}s/${slug}: ${state}`, problems] as const;
    }),
  ];
  for (const [title, problems] of isJson ? [] : told) {
    out(`${plain(title)}\n`);
    for (const { path, sentence, remedy } of problems.filter(isError))
      out(`  ${plain(`${path === '' ? '' : `${path}: `}${sentence}. ${remedy}`)}\n`);
  }
  for (const line of [...describeSoldDrafts(report), ...describeVersions(report)]) err(`${plain(line)}\n`);
  for (const { kind, slug } of listUnsold(report))
    err(`${kind}s/${slug} has a price, and nobody can buy it: see "bookstall check ${slug}"\n`);
  const [served, broken] = [items.filter(({ digest }) => digest !== null).length, withErrors.length];
  const unused = files.map(({ path }) => `; ${plain(path)} cannot be used`).join('');
  err(
    `${served} ${served === 1 ? 'item is' : 'items are'} served, ${broken} ${broken === 1 ? 'has' : 'have'} errors${unused}\n`,
  );
  return told.length === 0;
}
