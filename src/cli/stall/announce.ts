import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminServices } from '../../app.ts';
import { announce, listAnnouncements, stopAnnouncements } from '../../service/announcements.ts';
import { drawBar, type Output, UsageError } from '../command.ts';
import { adminCommand, readCsvFile } from './admin-command.ts';

export const announceCommand = adminCommand({
  name: 'announce',
  synopsis: 'SLUG [--edition V] [--subject TEXT] [--text FILE] [--dry-run] [--stop]',
  summary:
    'Mail all who bought or hold an item what is new in an edition, or a text of your own, each once; --stop drops what waits',
  examples: ['bookstall announce field-notes --dry-run'],
  async run(office, input, terminal) {
    const [slug, edition, title, file] = [
      input.word,
      input.text('edition'),
      input.text('subject'),
      input.text('text'),
    ];
    if (input.has('stop')) {
      const stopped = await stopAnnouncements(office, 'command', slug);
      return terminal.result({ item: slug, stopped }, `Stopped ${stopped} mails that waited`);
    }
    if ((title === null) !== (file === null) || (title !== null && edition !== null))
      throw new UsageError('Cannot announce this: give --subject and --text together, without --edition');
    const dryRun = input.has('dry-run');
    const told = title !== null && file !== null ? { title, text: await readCsvFile(file) } : { edition };
    const { key, text, ...done } = await announce(office, 'command', slug, told, dryRun);
    const when = office.isServed() ? 'the running server sends them' : 'sent when "bookstall serve" runs';
    const sentence = `${done.mails} mails${dryRun ? ' would be sent' : `: ${when}`}; ${done.left} left such mails, ${done.had} had this one`;
    terminal.result({ item: slug, dryRun, ...done }, dryRun ? `${sentence}\n\n${text}` : sentence);
    if (!dryRun && terminal.isTerminal) await follow(office, terminal, slug, key);
  },
});

/** How often the bar is drawn, in milliseconds. */
const INTERVAL = 250;

/** Shows how far the server is, until all is sent or somebody presses ctrl-c. */
async function follow(office: AdminServices, terminal: Output, slug: string, key: string) {
  const left = new AbortController();
  const { signal } = left;
  process.once('SIGINT', () => left.abort());
  while (office.isServed() && !signal.aborted) {
    const told = (await listAnnouncements(office, slug)).find(({ subject }) => subject === key);
    if (told === undefined || told.queued === 0) return;
    const done = told.sent + told.failed;
    drawBar(terminal, 'Mailing', done, done + told.queued, 'mails');
    await sleep(INTERVAL, undefined, { signal }).catch(() => {});
  }
  terminal.err(`\nThe server goes on sending; "bookstall announce ${slug} --stop" ends it\n`);
}
