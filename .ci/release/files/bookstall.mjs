#!/usr/bin/env node
// Starts the program, which is in the package of this platform.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const name = ['bookstall', process.platform, process.arch, ...(isMusl() ? ['musl'] : [])].join('-');
const child = spawn(findProgram(), process.argv.slice(2), { stdio: 'inherit' });
// Ignores Ctrl-C, which a terminal also sends to the program: passed on, it would arrive twice and end the program at once.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', ({ message }) => fail(`${message}; install the package again`));
child.on('exit', (code, signal) => {
  if (signal !== null) process.removeAllListeners(signal);
  if (signal !== null) process.kill(process.pid, signal);
  else process.exitCode = code;
});

function findProgram() {
  try {
    return createRequire(import.meta.url).resolve(`${name}/bookstall`);
  } catch {
    return fail(
      `the package "${name}" is not installed; install again without --omit=optional, or, if this system has no package, take the program from an archive of the release`,
    );
  }
}

function isMusl() {
  if (process.platform !== 'linux') return false;
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}

function fail(reason) {
  console.error(`Cannot start bookstall: ${reason}`);
  process.exit(1);
}
