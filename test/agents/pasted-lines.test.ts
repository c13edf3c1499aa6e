import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { bearerVariable, curlLines } from '../../src/catalog/connect.rule.ts';
import { keyVariable } from '../../src/catalog/marketplace.rule.ts';
import { openStall, temporaryDirectory } from '../helpers/harness.ts';

const stall = await openStall();
const reader = await stall.reader('ann@example.org', 'paid-book');
const bearer = bearerVariable(stall.url);
const shells = ['sh', 'bash', 'zsh'].flatMap((name) => Bun.which(name) ?? []);

/** Pastes a line into a shell in an empty directory. */
async function paste(shell: string, line: string, key: string) {
  const cwd = temporaryDirectory();
  const env = { PATH: process.env['PATH'] ?? '', [keyVariable(stall.url)]: key };
  const run = Bun.spawn([shell, '-c', line], { cwd, env, stdout: 'pipe', stderr: 'pipe' });
  const [out, err, code] = await Promise.all([run.stdout.text(), run.stderr.text(), run.exited]);
  return { code, out, err, files: readdirSync(cwd) };
}

describe.each(shells)('in %s', (shell) => {
  test.each([
    ['install', curlLines.install(stall.url, bearer, 'paid-book'), ['paid-book']],
    ['zip', curlLines.zip(stall.url, bearer, 'free-skill'), ['free-skill.zip']],
    ['library', curlLines.library(stall.url, bearer), []],
    ['items', curlLines.items(stall.url), []],
    ['ask', curlLines.ask(stall.url, bearer, 'paid-id', 'Why on one leg?'), []],
  ])('the line %s does its work, on one line that begins with curl', async (_, line, files) => {
    expect(line).toMatch(/^curl [^\n]+$/);
    const pasted = await paste(shell, line, reader.key);
    expect([pasted.code, pasted.err, pasted.files]).toEqual([0, '', files]);
  });

  test.each([
    ['install', curlLines.install(stall.url, bearer, 'paid-book')],
    ['zip', curlLines.zip(stall.url, bearer, 'paid-skill')],
    ['library', curlLines.library(stall.url, bearer)],
    ['ask', curlLines.ask(stall.url, bearer, 'paid-id', 'Why on one leg?')],
  ])('the line %s shows the sentence of a stall that refuses, and leaves no file', async (_, line) => {
    const pasted = await paste(shell, line, `svc_${'0'.repeat(38)}`);
    expect(pasted.code).not.toBe(0);
    expect(pasted.out).toContain('"code":"UNAUTHENTICATED"');
    expect(pasted.err).not.toMatch(/gzip|tar:/);
    expect(pasted.files).toEqual([]);
  });
});
