import { mintLink } from '../accounts/one-time-link.ts';
import type { MailDesk } from '../mailing/outbox.ts';
import { mintCopies } from './code.ts';
import { composeMail } from './mail-content.ts';
import { writeMailHtml } from './mail-html.ts';
import type { Stall } from './stall.ts';

type Part = Parameters<typeof composeMail>[0] & {
  readonly pages: Pick<Stall['pages'], 'renderText'>;
};

/** Creates the functions by which the outbox composes a mail and ends its tries. They know the mail's words and links. */
export function createMailDesk(stall: Part): MailDesk {
  const { store, origin, now, pages } = stall;

  const htmlOf = async (framed: string, markdown: string, language: string | null): Promise<string> => {
    const news = await pages.renderText({ markdown, language: null, math: true, level: 3, place: null });
    return writeMailHtml(framed, news, language);
  };

  return {
    compose(row) {
      const mail = composeMail(stall, row);
      if (mail === null) return null;
      const minted = mail.link === null ? null : mintLink(mail.link, origin(), now());
      const copies = mail.copies === null ? null : mintCopies(mail.copies, origin());
      const kept = { link: minted?.row ?? null, copies: copies?.row ?? null };
      const link = minted?.link.url ?? null;
      const headers = link !== null && mail.link?.purpose === 'unsubscribe' ? endingBy(link) : {};
      return {
        begin: (next) => store.write.beginMail({ id: row.id, ...next, ...kept }),
        async write() {
          const { framed, news, ...written } = mail.write(link, copies?.url);
          const html = framed === null ? {} : { html: await htmlOf(framed, news, written.language) };
          const ebook = mail.book && { attachment: await mail.book.attach() };
          return { ...written, ...html, ...ebook, headers };
        },
      };
    },
    async end({ id, kind, address, accountId, orderId }, { state, error, isNever }) {
      // Ends the news for an address that refuses mail for good.
      const isRefused = isNever && kind === 'news';
      if (isRefused && accountId !== null) await store.write.setNews({ accountId, at: null });
      await store.write.endMail({ id, state, error, at: now() });
      if (isRefused && accountId === null && orderId === null)
        await store.write.removeSubscriber({ address });
    },
    leave: () => store.write.leaveMails(),
  };
}

/** Returns the headers that give a mail an unsubscribe button in mail programs (RFC 8058 §3.1). */
const endingBy = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});
