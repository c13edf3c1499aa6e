import { existsSync } from 'node:fs';
import { test } from 'bun:test';

/** Debian's package has a jar that its kernel runs by itself; java runs it everywhere. */
const JAR = '/usr/bin/epubcheck';
const canCheck = existsSync(JAR) && Bun.which('java') !== null;

/** A test that needs epubcheck: skipped without it, which test/run.ts reports; under CI it then fails. */
export const testChecked = test.skipIf(!canCheck && process.env['CI'] !== 'true');

/** Every message of epubcheck about a file: fatal errors, errors, warnings. */
export async function checkEpub(file: string): Promise<readonly string[]> {
  // It ends before the better compiler and the parallel collector have paid for themselves.
  const quick = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
  const { stdout, stderr, exited } = Bun.spawn(['java', ...quick, '-jar', JAR, file], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([stdout.text(), stderr.text()]);
  await exited;
  const said = `${out}\n${err}`;
  if (!said.includes('EPUBCheck completed')) return [`epubcheck did not end: ${said.slice(0, 500)}`];
  return said.split('\n').filter((line) => /^(?:FATAL|ERROR|WARNING)/.test(line));
}
