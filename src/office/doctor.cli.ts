import { readConfig } from '../platform/config/config.ts';
import { besideServer } from '../platform/config/live-config.ts';
import type { Diagnosis } from './doctor/doctor.ts';
import { readServerState } from '../platform/store/server-note.ts';
import { readUsage, type Terminal, command } from '../platform/cli/command.ts';
import { takeData } from '../platform/cli/admin-command.ts';
import { plain } from '../platform/cli/terminal-text.ts';
import { settings } from '../platform/cli/settings.ts';

type Status = Diagnosis['status'];

/** The word at the left edge for each status, and its colour (ECMA-48 §8.3.117). */
const MARKS: Readonly<Record<Status, readonly [word: string, colour: number]>> = {
  ok: ['ok', 32],
  warn: ['warn', 33],
  fail: ['fail', 31],
  skip: ['-', 2],
};

const COUNTED: readonly (readonly [Status, string, string])[] = [
  ['ok', 'good', 'good'],
  ['warn', 'warning', 'warnings'],
  ['fail', 'failed', 'failed'],
  ['skip', 'not asked', 'not asked'],
];

const WIDTH = 14;

export const doctorCommand = command({
  name: 'doctor',
  summary: 'Look at the health of a stall, and name remedies',
  about:
    'The server may run or not; if it runs, its own settings come first. The exit code is 1 if a check fails.',
  flags: settings('content', 'data', 'host', 'port', 'base-url', 'trusted-proxies', 'max-files', 'max-bytes'),
  async run(input, terminal) {
    const { flags } = input;
    const server = readServerState(takeData(input, terminal));
    // The server's own settings come first, since it may run with another environment than this shell.
    const settings = server.state === 'running' ? server.note?.settings : {};
    const environment = { ...terminal.environment, ...settings };
    const config = besideServer(
      readUsage(() => readConfig({ ...settings, ...flags }, { environment }, { needsKey: false })),
    );
    const diagnoses: Diagnosis[] = [];
    const { examineStall } = await import('./doctor/doctor.ts');
    const { createSubject } = await import('./doctor/subject.ts');
    for await (const diagnosis of examineStall(createSubject(config, server))) {
      diagnoses.push(diagnosis);
      if (!terminal.isJson) writeDiagnosis(terminal, diagnosis);
    }
    if (terminal.isJson) terminal.json(diagnoses);
    terminal.err(`${summaryOf(diagnoses)}\n`);
    return diagnoses.every(({ status }) => status !== 'fail');
  },
});

function writeDiagnosis({ out, isColoured }: Terminal, { check, status, sentence, remedy }: Diagnosis): void {
  const [word, colour] = MARKS[status];
  const mark = isColoured ? `\u001b[${colour}m${word.padEnd(4)}\u001b[0m` : word.padEnd(4);
  out(`${mark}  ${check.padEnd(WIDTH)}  ${plain(sentence)}\n`);
  if (remedy !== null) out(`${' '.repeat(WIDTH + 8)}${plain(remedy)}\n`);
}

function summaryOf(diagnoses: readonly Diagnosis[]): string {
  const counts = COUNTED.map(([status, one, many]) => {
    const count = diagnoses.filter((diagnosis) => diagnosis.status === status).length;
    return count === 0 ? null : `${count} ${count === 1 ? one : many}`;
  });
  return `${diagnoses.length} checks: ${counts.filter((text) => text !== null).join(', ')}`;
}
