// The site: the shop window beside a bare server of the same text, and the pages of a stall that is full.
import { join } from 'node:path';
import { freePort } from './child.ts';
import { rate, ratio, type Row } from './figure.ts';
import { makeFullHouse, writeShelf } from './full-house.ts';
import { startPeer } from './peer.ts';
import { alternate } from './rounds.ts';
import { openPages } from './site-pages.ts';
import { scratch, startStall } from './stall-process.ts';
import { wrk } from './wrk.ts';

const COMMAND = 'bun run bench site';
const ROUNDS = 3;
const SECONDS = 2;
const LARGEST = 60_000;

/** The window's first page, then the dashboard, the office and signing in on a stall that is full. */
export async function measureSite(): Promise<readonly Row[]> {
  const rows = await measureWindow();
  console.error('  10,000 items and accounts, 200,000 rows in each log …');
  const pages = await openPages(await makeFullHouse(scratch('full-house')));
  const full = [
    ...(await pages.measureDashboard()),
    ...(await pages.measureOffice()),
    ...(await pages.measureSearch()),
    ...(await pages.measureSignIn()),
    ...(await pages.measureHolders()),
    ...(await pages.measureImport()),
    ...(await pages.measureSwap()),
  ];
  await pages.stop();
  return [...rows, ...full.map((row) => ({ ...row, ratio: '', command: COMMAND }))];
}

/** The first page of 1,000 items against a bare Elysia handler that returns the same text. */
async function measureWindow(): Promise<readonly Row[]> {
  const directory = scratch('window');
  writeShelf(directory, 1000);
  const stall = await startStall(directory, join(scratch('window-data'), 'data'), freePort());
  const url = `${stall.url}/`;
  const body = await (await fetch(url)).bytes();
  const elysia = await startPeer('elysia', body);
  const run = await alternate(ROUNDS, {
    ours: () => wrk(url, { seconds: SECONDS }),
    elysia: () => wrk(elysia.url, { seconds: SECONDS }),
  });
  await Promise.all([stall.stop(), elysia.stop()]);
  return [
    {
      figure:
        'first page of a catalog of 1,000 items, against a bare Elysia handler that returns the same text',
      bound: '>= 0.3 x',
      measured: `${rate(run.ours)} against ${rate(run.elysia)}`,
      ratio: ratio(run.ours, run.elysia),
      isMet: run.ours >= 0.3 * run.elysia,
      command: COMMAND,
    },
    {
      figure: 'its HTML',
      bound: '< 60 KB',
      measured: `${(body.length / 1000).toFixed(1)} KB`,
      ratio: '',
      isMet: body.length < LARGEST,
      command: COMMAND,
    },
  ];
}
