import { setTimeout as sleep } from 'node:timers/promises';
import { announce, stopAnnouncements } from './announcement.ts';
import type { GrantedItem } from '../accounts/grant.ts';
import { drawBar, type Output, UsageError } from '../platform/cli/command.ts';
import {
  type AdminCommand,
  type AdminServices,
  adminCommand,
  readTextFile,
} from '../platform/cli/admin-command.ts';
import type { Store } from './stall.ts';
import { counted } from '../platform/base/text.ts';

export const announceCommand: AdminCommand<Store> = adminCommand({
  name: 'announce',
  synopsis: 'SLUG',
  summary: 'Mail all who bought or hold an item, once',
  about: 'They get the notes of the served edition, unless flags say otherwise.',
  flags: {
    '--edition V': 'the notes of another edition',
    '--subject TEXT': 'a subject of your own, with --text',
    '--text FILE': 'a text of your own, with --subject',
    '--to WHO': 'news: those who asked for news, not the readers',
    '--dry-run': 'show the mail and how many would get it',
    '--stop': 'drop the mails of this item that still wait',
  },
  examples: ['bookstall announce field-notes --dry-run'],
  async run(office, input, terminal) {
    const { word: slug, text: textOf } = input;
    const [edition, title, file] = [textOf('edition'), textOf('subject'), textOf('text')];
    if (input.has('stop')) {
      const stopped = await stopAnnouncements(office, 'command', slug);
      return terminal.result({ item: slug, stopped }, `Dropped ${counted(stopped, 'mail')} that waited`);
    }
    if ((title === null) !== (file === null) || (title !== null && edition !== null))
      throw new UsageError('Cannot announce this: give --subject and --text together, without --edition');
    const to = input.text('to');
    if (to !== null && to !== 'news') throw new UsageError(`Cannot announce this to "${to}": give --to news`);
    const dryRun = input.has('dry-run');
    const isOwn = title !== null && file !== null;
    const told = isOwn ? { title, text: await readTextFile(file), to } : { edition, to };
    const {
      item,
      title: subject,
      text,
      ...done
    } = await announce(office, 'command', { slug, told, isDry: dryRun });
    const way = office.isServed() ? 'queued for the running server' : 'queued until a server runs';
    const sentence = `${counted(done.mails, 'mail')} ${dryRun ? 'would be sent' : way}; ${done.had} had it already, ${done.left} ended such mails${testersLeftOut(done.tests)}`;
    terminal.result({ item: slug, dryRun, subject, ...done }, dryRun ? `${sentence}\n\n${text}` : sentence);
    if (!dryRun && terminal.isTerminal) await follow(office, terminal, item);
  },
});

const testersLeftOut = (tests: number): string =>
  tests === 0 ? '' : `, ${counted(tests, 'test buyer')} left out`;

async function follow(office: AdminServices<Store>, terminal: Output, item: GrantedItem): Promise<void> {
  const left = new AbortController();
  process.once('SIGINT', () => left.abort());
  while (office.isServed() && !left.signal.aborted) {
    const [told] = office.store.listAnnouncements(item);
    const { sent = 0, failed = 0, queued = 0 } = told ?? {};
    drawBar(terminal, { act: 'Mailing', things: 'mails', done: sent + failed, all: sent + failed + queued });
    if (queued === 0) return;
    await sleep(250, undefined, left).catch(() => {});
  }
  terminal.err('\nThe server goes on sending; --stop ends it\n');
}
