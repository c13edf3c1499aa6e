// Packs a second beside git's own server and beside nginx, and memory while many clones are slow.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchBody, findTip, UPLOAD_HEADERS } from '../installing/git/fetch-body.ts';
import { itemYaml, skillMd, writeFiles } from '../helpers/harness.ts';
import { openTinyWindows } from '../helpers/tiny-windows.ts';
import { freePort, own } from './child.ts';
import { mb, rate, ratio, type Row } from './figure.ts';
import { startGitBackend } from './git-backend.ts';
import { startNginx } from './nginx.ts';
import { alternate } from './rounds.ts';
import { scratch, startStall, type StallProcess } from './stall-process.ts';
import { wrk } from './wrk.ts';

const COMMAND = 'bun run bench:git';
const ROUNDS = 3;
const CLONES = 20;
const MB = 1024 * 1024;
const MOST = 32 * MB;

/** A skill of 1 KB against a git process each, one of 1 MB against nginx, one of 200 MB to clones that stall. */
export async function measureGit(): Promise<readonly Row[]> {
  const content = scratch('git');
  const data = join(scratch('git-data'), 'data');
  mkdirSync(data);
  for (const [slug, size] of [
    ['small', 1024],
    ['middle', MB],
    ['large', 200 * MB],
  ] as const)
    writeFiles(content, {
      [`skills/${slug}/item.yaml`]: itemYaml(),
      [`skills/${slug}/SKILL.md`]: skillMd(slug),
      [`skills/${slug}/noise.bin`]: randomBytes(size),
    });
  const port = freePort();
  const stall = await startStall(content, data, port);
  const rows = [await measureSmall(stall), await measureMiddle(stall), await measureSlow(stall, port)];
  await stall.stop();
  return rows;
}

async function measureSmall(stall: StallProcess): Promise<Row> {
  const [url, script] = await cloneOf(`${stall.url}/git/small.git`);
  const backend = await startGitBackend(`${stall.url}/git/small.git`);
  const [theirUrl, theirScript] = await cloneOf(backend.url);
  const run = await alternate(ROUNDS, {
    ours: () => wrk(url, { script }),
    git: () => wrk(theirUrl, { script: theirScript }),
  });
  backend.stop();
  return {
    figure: 'clone of a skill of 1 KB, against `git http-backend`, a process each',
    bound: '>= 20 x',
    measured: `${rate(run.ours)} against ${rate(run.git)}`,
    ratio: ratio(run.ours, run.git),
    isMet: run.ours >= 20 * run.git,
    command: COMMAND,
  };
}

async function measureMiddle(stall: StallProcess): Promise<Row> {
  const [url, script, bytes] = await cloneOf(`${stall.url}/git/middle.git`);
  const folder = scratch('git-nginx');
  writeFileSync(join(folder, 'pack'), bytes);
  const nginx = await startNginx(folder, freePort());
  const run = await alternate(ROUNDS, {
    ours: () => wrk(url, { script }),
    nginx: () => wrk(`${nginx.url}/pack`),
  });
  await nginx.stop();
  return {
    figure: `clone of a skill of 1 MB, against nginx sending the same ${bytes.length.toLocaleString('en')} bytes`,
    bound: '>= 0.7 x',
    measured: `${rate(run.ours)} against ${rate(run.nginx)}`,
    ratio: ratio(run.ours, run.nginx),
    isMet: run.ours >= 0.7 * run.nginx,
    command: COMMAND,
  };
}

/** Half the clones stall, half take 1 MB a second. */
async function measureSlow(stall: StallProcess, port: number): Promise<Row> {
  const url = `${stall.url}/git/large.git`;
  const body = fetchBody(`want ${await findTip(url)}`, 'done');
  const headers = Object.entries({ ...UPLOAD_HEADERS, 'Content-Length': body.length });
  const before = stall.rss();
  // Resets VmHWM (proc(5)).
  writeFileSync(`/proc/${stall.pid}/clear_refs`, '5');
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const windows = await openTinyWindows(port, CLONES / 2, '/git/large.git/git-upload-pack', lines, body);
  own(windows.client);
  const readers = Array.from({ length: CLONES / 2 }, () =>
    own(
      Bun.spawn(
        [
          'curl',
          '-s',
          '-o',
          '/dev/null',
          '--max-time',
          '20',
          '--limit-rate',
          '1M',
          ...lines.flatMap((line) => ['-H', line]),
          '--data-binary',
          body,
          `${url}/git-upload-pack`,
        ],
        { stdio: ['ignore', 'ignore', 'ignore'] },
      ),
    ),
  );
  await Promise.all(readers.map((reader) => reader.exited));
  const peak = stall.peakRss();
  const statuses = await windows.leave();
  return {
    figure: `${CLONES} clones of a skill of 200 MB, ten that take nothing and ten at 1 MB/s, for 20 s`,
    bound: 'RSS + < 32 MB',
    measured: `RSS ${mb(before)}, at most ${mb(peak)}; ${statuses['200'] ?? 0} of 10 that take nothing answered`,
    ratio: '',
    isMet: peak - before < MOST,
    command: COMMAND,
  };
}

/** The address and the wrk script of a whole clone's last request, and what is answered. */
async function cloneOf(url: string): Promise<readonly [url: string, script: string, answer: Uint8Array]> {
  const body = fetchBody(`want ${await findTip(url)}`, 'done');
  const script = join(scratch('git-wrk'), 'clone.lua');
  const headers = Object.entries(UPLOAD_HEADERS).map(
    ([name, value]) => `wrk.headers["${name}"] = "${value}"\n`,
  );
  writeFileSync(
    script,
    `wrk.method = "POST"\nwrk.body = "${body.replaceAll('\n', '\\n')}"\n${headers.join('')}`,
  );
  const pack = `${url}/git-upload-pack`;
  const answer = await fetch(pack, { method: 'POST', headers: UPLOAD_HEADERS, body });
  return [pack, script, await answer.bytes()];
}
