import { isError } from '../../catalog/scan.ts';
import { Refusal } from '../../refusal.ts';
import { describeSoldDrafts, type Report } from '../../service/publish/publish.ts';
import { type Command, DONE, FAILED, type Input, SWITCH, type Terminal } from '../command.ts';
import { plain } from '../../client/terminal-text.ts';
import { RELOAD_OPTIONS, reloadContent } from './reload.ts';
import { printableJson } from '../../item/problem.ts';

export const reindexCommand: Command = {
  name: 'reindex',
  synopsis: '[--content DIR] [--data DIR] [--max-files N] [--max-bytes N]',
  summary: 'Reload the content directory, in the running server or without one',
  options: { ...RELOAD_OPTIONS, json: SWITCH },
  words: [0, 0],
  async run(input, terminal) {
    return announce(await reloadContent(input, terminal), input, terminal);
  },
};

function announce(report: Report, { flags }: Input, { out, err }: Terminal): number {
  const { fault, items } = report;
  if (fault !== null) throw new Refusal('not-found', fault);
  const withErrors = items.filter(({ problems }) => problems.some(isError));
  if (flags['json'] === true) out(`${printableJson(items)}\n`);
  for (const { kind, slug, digest, problems } of flags['json'] === true ? [] : withErrors) {
    out(
      `${kind}s/${plain(slug)}: ${digest === null ? 'not served' : 'its last good edition continues to be served'}\n`,
    );
    for (const { path, sentence, remedy } of problems.filter(isError))
      out(`  ${plain(`${path === '' ? '' : `${path}: `}${sentence}. ${remedy}`)}\n`);
  }
  for (const line of describeSoldDrafts(report)) err(`${plain(line)}\n`);
  err(`${summaryOf(items.filter(({ digest }) => digest !== null).length, withErrors.length)}\n`);
  return withErrors.length === 0 ? DONE : FAILED;
}

function summaryOf(served: number, broken: number): string {
  return `${served} ${served === 1 ? 'item is' : 'items are'} served, ${broken} ${broken === 1 ? 'has' : 'have'} errors`;
}
