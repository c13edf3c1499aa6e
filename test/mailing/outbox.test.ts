import { languageFor } from '../../src/words/words.ts';
import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'bun:test';
import type { SMTPServerOptions } from 'smtp-server';
import { HOUR, MINUTE } from '../../src/platform/base/duration.ts';
import { defaultStallManifest, type StallManifest } from '../../src/catalog/stall-manifest.rule.ts';
import type { LogEntry, Log } from '../../src/platform/base/log.ts';
import { createMailer } from '../../src/mailing/mailer.ts';
import { MAIL_KINDS, type NewMail } from '../../src/mailing/outbox.rule.ts';
import { mapFields, writeMail } from '../../src/mailing/mail-text.ts';
import { createOutbox } from '../../src/mailing/outbox.ts';
import { createMailDesk } from '../../src/selling/mail-desk.ts';
import { openMailServer } from './mail-server.ts';
import { hashSecret } from '../../src/accounts/secret.rule.ts';
import { until } from '../helpers/harness.ts';
import { openAdmin } from '../helpers/admin-services.ts';
import { defaultEdition, type StallEdition } from '../../src/catalog/stall-edition.ts';
import { createCatalog } from '../../src/catalog/catalog.ts';

const ORIGIN = 'https://stall.example.org';

/** An outbox over a real database and a real mail server, with a clock that only the test moves. */
async function openOutbox({
  options = {},
  stall = {},
  isSending = true,
  mails = {},
  pause = 0,
}: {
  options?: SMTPServerOptions;
  stall?: Partial<StallManifest>;
  isSending?: boolean;
  mails?: StallEdition['mails'];
  pause?: number;
} = {}) {
  const server = await openMailServer(options);
  const admin = await openAdmin();
  const { store, accounts } = admin;
  const log: LogEntry[] = [];
  const mailer = createMailer({
    config: {
      host: '127.0.0.1',
      port: server.port,
      encryption: 'none',
      login: null,
      from: 'stall@example.org',
      tellsSales: false,
      pause: 0,
    },
    senderName: () => 'The Heron Stall',
  });
  const whole = { ...defaultStallManifest, name: 'The Heron Stall', ...stall };
  const catalog = createCatalog([]);
  const origin = () => ORIGIN;
  const base = { store, origin, log: (entry: Parameters<Log>[0]) => log.push(entry), now: admin.now };
  const desk = createMailDesk({
    ...base,
    manifest: () => whole,
    stallFiles: () => ({ ...defaultEdition, mails }),
    catalog: () => catalog,
    findMailedBook: () => null,
    pages: { renderText: async ({ markdown }) => `<p>${markdown}</p>` },
  });
  const outbox = createOutbox(base, {
    desk,
    mailer: () => (isSending ? mailer.send : null),
    isDemo: false,
    pauseOf: () => pause ?? 0,
  });
  afterAll(outbox.close);
  const { id: accountId } = await accounts.add('anna@example.org');
  const queue = async (more: Partial<NewMail> = {}) =>
    store.write.queueMails({
      mails: [
        {
          kind: 'reset',
          subject: `account:${accountId}`,
          address: 'anna@example.org',
          orderId: null,
          accountId,
          details: {},
          state: 'queued',
          at: admin.now(),
          ...more,
        },
      ],
    });
  return { ...admin, advance: admin.pass, server, outbox, log, accountId, queue, run: outbox.settle };
}

const linkIn = (text = ''): string => /https:\S+#\S+/.exec(text)?.[0] ?? '';

test('a queued mail is sent once, in the name of the stall, with a link that was not there before', async () => {
  const { queue, run, server, store, links } = await openOutbox();
  expect(await queue()).toBe(1);
  expect(await queue()).toBe(0);
  expect(links.list()).toEqual([]);
  await run();
  await run();
  expect(server.received).toHaveLength(1);
  const [mail] = server.received;
  expect(mail?.header('Subject')).toBe('A new password at The Heron Stall');
  expect(mail?.header('From')).toBe('The Heron Stall <stall@example.org>');
  expect(mail?.header('Message-ID')).toEndWith('@stall.example.org>');
  expect(linkIn(mail?.text)).toStartWith(`${ORIGIN}/reset#`);
  expect(links.list()).toMatchObject([{ purpose: 'reset', email: 'anna@example.org' }]);
  expect(store.findMail(1)).toMatchObject({ state: 'sent', tries: 1, nextAt: null, error: null });
  expect(JSON.stringify(store.findMail(1))).not.toContain(linkIn(mail?.text).split('#')[1] ?? '?');
});

test('a mail is plain text that can be read aloud: every link is alone on its line', async () => {
  const { queue, run, server } = await openOutbox();
  await queue();
  await run();
  const { text = '' } = server.received[0] ?? {};
  expect(text.split('\n').filter((line) => line.includes('http'))).toEqual([
    expect.stringMatching(/^https:\/\/stall\.example\.org\/reset#[\w-]{43}$/),
    ORIGIN,
  ]);
  expect(text).toEndWith('The Heron Stall\nhttps://stall.example.org\n');
  // A link's secret may hold two underscores.
  expect(text.replace(/#[\w-]{43}/, '')).not.toMatch(/[<>*_]{2}/);
});

test.each([
  ['de', 'Neues Passwort bei The Heron Stall', 'de'],
  ['de-AT', 'Neues Passwort bei The Heron Stall', 'de'],
  ['pt-PT', 'Nova senha em The Heron Stall', 'pt-BR'],
  ['sv', 'A new password at The Heron Stall', 'en'],
  [null, 'A new password at The Heron Stall', 'en'],
])('a stall in %p writes %j', async (language, subject, tag) => {
  const { queue, run, server } = await openOutbox({
    stall: { language, languages: [languageFor(language)] },
  });
  await queue();
  await run();
  expect(server.received[0]?.header('Subject')).toBe(subject);
  expect(server.received[0]?.header('Content-Language')).toBe(tag);
});

test('an answer 451 is tried again at 1, 5 and 30 minutes, 2, 6, 12 and 24 hours, then given up', async () => {
  const times: number[] = [];
  let start = 0;
  const opened = await openOutbox({
    options: {
      onRcptTo(_address, _session, done) {
        times.push(opened.now() - start);
        done(Object.assign(new Error('4.2.2 Mailbox full'), { responseCode: 451 }));
      },
    },
  });
  const { queue, run, store, advance, log } = opened;
  start = opened.now();
  await queue();
  for (let minutes = 0; minutes <= 25 * 60; minutes += 30) {
    for (const step of [0, MINUTE, 4 * MINUTE, 25 * MINUTE]) {
      advance(step);
      await run();
    }
  }
  expect(times.map((time) => time / MINUTE)).toEqual([0, 1, 5, 30, 120, 360, 720, 1440]);
  expect(store.findMail(1)).toMatchObject({
    state: 'failed',
    tries: 8,
    error: expect.stringContaining('451'),
  });
  expect(log).toMatchObject([{ event: 'mail-failed', kind: 'reset' }]);
  expect(JSON.stringify(log)).not.toContain('anna@');
});

test('an answer 550 is final', async () => {
  const { queue, run, store, server, log } = await openOutbox({
    options: {
      onRcptTo({ address }, _session, done) {
        done(Object.assign(new Error(`5.1.1 <${address}>: No such user`), { responseCode: 550 }));
      },
    },
  });
  await queue();
  await run();
  expect(store.findMail(1)).toMatchObject({ state: 'failed', tries: 1, nextAt: null });
  expect(log).toMatchObject([{ message: expect.stringContaining('5.1.1 <…>: No such user') }]);
  expect(server.received).toEqual([]);
});

test('each try has a link of its own, one id, and the link of a try that was not sent is dead', async () => {
  let refusals = 1;
  const texts: string[] = [];
  const { queue, run, store, server, links, advance } = await openOutbox({
    options: {
      onData(stream, _session, done) {
        texts.push(String(stream.byteLength));
        if (refusals-- > 0) return done(Object.assign(new Error('4.3.0 Try later'), { responseCode: 451 }));
        done();
      },
    },
  });
  await queue();
  await run();
  const [first] = links.list();
  const { messageId } = store.findMail(1) ?? {};
  expect(messageId).toBeString();
  advance(MINUTE);
  await run();
  const open = links.list();
  expect(open).toHaveLength(1);
  expect(open[0]?.id).not.toBe(first?.id);
  expect(store.findMail(1)).toMatchObject({ state: 'sent', tries: 2, messageId });
  expect(texts).toHaveLength(2);
  expect(server.received).toEqual([]);
});

test('a mail sent again is another mail, and the link of the first still works', async () => {
  const { queue, run, store, server, links, now } = await openOutbox();
  await queue();
  await run();
  expect(await store.write.repeatMail({ id: 1, at: now() })).toBeTrue();
  expect(await store.write.repeatMail({ id: 1, at: now() })).toBeFalse();
  await run();
  const [first, second] = server.received;
  expect(second?.header('Message-ID')).not.toBe(first?.header('Message-ID'));
  expect(linkIn(second?.text)).not.toBe(linkIn(first?.text));
  expect(links.list()).toHaveLength(2);
});

test('without a mail server every mail is left to the owner, and none is sent when there is one later', async () => {
  const { queue, run, store, outbox } = await openOutbox({ isSending: false });
  await queue();
  await queue({ kind: 'news', subject: 'text:1' });
  await run();
  expect(outbox.sends).toBeFalse();
  expect(store.findMail(1)).toMatchObject({ state: 'manual', tries: 0 });
  expect(store.findMail(2)).toMatchObject({ state: 'dropped', tries: 0 });
  expect(store.findNextMailTime()).toBeNull();
});

test('a mail whose cause is gone is dropped, and one to an address that cannot be mailed is never queued', async () => {
  const { queue, run, store, server, accounts } = await openOutbox();
  await accounts.disable('anna@example.org');
  await queue();
  await queue({
    kind: 'open',
    subject: 'open',
    address: 'eve@example.org\r\nBcc: anna@example.org',
    accountId: null,
  });
  await run();
  expect(store.findMail(1)).toMatchObject({ state: 'dropped', tries: 0 });
  expect(store.findMail(2)).toBeNull();
  expect(server.received).toEqual([]);
});

test('a mail that cannot be begun holds up no other', async () => {
  const { queue, run, server, log } = await openOutbox();
  await queue({ kind: 'nonsense' as 'reset' });
  await queue();
  await run();
  expect(server.received).toHaveLength(1);
  expect(log).toMatchObject([{ event: 'mail-late', mail: 1 }]);
});

test('a crash between the try and its end sends again at the next time, not at once', async () => {
  const { queue, run, store, server, advance, now } = await openOutbox();
  await queue();
  // The rows of a try, written before the program ends.
  await store.write.beginMail({
    id: 1,
    messageId: '<one@stall.example.org>',
    link: null,
    copies: null,
    nextAt: now() + MINUTE,
  });
  await run();
  expect(server.received).toEqual([]);
  advance(MINUTE);
  await run();
  expect(server.received).toHaveLength(1);
  expect(server.received[0]?.header('Message-ID')).toBe('<one@stall.example.org>');
  expect(store.findMail(1)).toMatchObject({ state: 'sent', tries: 2 });
  advance(24 * HOUR);
  await run();
  expect(server.received).toHaveLength(1);
});

const FACTS = {
  ...mapFields((name) => `(${name})`),
  origin: ORIGIN,
  reason: 'refunded',
  titles: ['A'],
} as const;

test.each([
  ['refunded', 'was refunded'],
  ['lost', 'was paid back after a dispute'],
  ['disputed', 'is on hold: a dispute over its payment is open'],
  ['revoked', 'was closed by the stall'],
  ['ended', 'has run out'],
] as const)(
  'the mail of an order that was %s says what happened and no more than is true',
  (reason, words) => {
    const { subject, text } = writeMail(
      'ended',
      { language: 'en', stall: { language: 'en', languages: ['en'], postalAddress: null, taxLine: null } },
      { ...FACTS, reason },
      {},
    );
    expect(text).toContain(`your order (ref) ${words}. It no longer opens “A”.`);
    // Another purchase may keep it there, and its publisher decides what becomes of copies.
    expect(`${subject}${text}`).not.toMatch(/no longer in your library|stays yours|access/);
  },
);

describe('announcements', () => {
  const TOLD = {
    kind: 'book',
    itemKey: 'heron-id',
    subject: 'text:1',
    title: 'A talk',
    text: 'Come.',
  } as const;

  /** An outbox in which announcements to so many accounts wait, as `1@example.org`. */
  async function openTelling(count: number, settings: Parameters<typeof openOutbox>[0] = {}) {
    const opened = await openOutbox(settings);
    const readers = [];
    for (let n = 1; n <= count; n++) {
      const { id, email } = await opened.accounts.add(`${n}@example.org`);
      await opened.grants.add({ email, slug: 'heron' });
      readers.push({ address: email, accountId: id, orderId: null });
    }
    const about = { ...TOLD, leftOut: 0, at: opened.now() };
    await opened.store.write.addAnnouncement({ ...about, readers: JSON.stringify(readers) });
    const states = async () => opened.store.listAnnouncements({ kind: 'book', itemKey: 'heron-id' })[0];
    return { ...opened, states };
  }

  test('wait for the pause between two, while a claim or a reset goes at once', async () => {
    const { outbox, server, queue, states } = await openTelling(3, { pause: 60 * MINUTE });
    outbox.look();
    await server.waitFor('1@example.org');
    await queue();
    outbox.look();
    await server.waitFor('anna@example.org');
    await until(async () => (await states())?.sent === 1);
    expect(server.received).toHaveLength(2);
    expect(await states()).toMatchObject({ sent: 1, queued: 2 });
    // A server that stops does not wait for the pause.
    await outbox.close();
  });

  test('go one by one over one connection; 550 ends one, and 451 holds up no other', async () => {
    let [connections, open, most] = [0, 0, 0];
    const refusals = new Map([
      ['2@example.org', 451],
      ['3@example.org', 550],
    ]);
    const { run, advance, server, states, store } = await openTelling(6, {
      options: {
        onConnect(_session, done) {
          connections += 1;
          done();
        },
        onRcptTo({ address }, _session, done) {
          most = Math.max(most, (open += 1));
          setImmediate(() => {
            open -= 1;
            const responseCode = refusals.get(address);
            refusals.delete(address);
            done(responseCode === undefined ? null : Object.assign(new Error('No'), { responseCode }));
          });
        },
      },
    });
    await run();
    expect(server.received.map(({ to }) => to.join()[0]).join('')).toBe('1456');
    expect(await states()).toMatchObject({ sent: 4, failed: 1, queued: 1 });
    const { messageId } = store.findMail(2)!;
    advance(MINUTE);
    await run();
    expect(await states()).toMatchObject({ sent: 5, failed: 1, queued: 0 });
    expect(server.received[4]?.header('Message-ID')).toBe(messageId);
    expect([connections, most]).toEqual([1, 1]);
  });

  test('that were stopped are not sent, but for the one on its way, and go out when they are announced again', async () => {
    const onTheWay = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const { run, server, store, states, accounts, now } = await openTelling(3, {
      options: {
        onRcptTo(_address, _session, done) {
          onTheWay.resolve();
          void stopped.promise.then(() => done());
        },
      },
    });
    const running = run();
    await onTheWay.promise;
    expect(await store.write.stopAnnouncements({ kind: 'book', itemKey: 'heron-id' })).toBe(3);
    stopped.resolve();
    await running;
    expect(await states()).toMatchObject({ sent: 1, queued: 0, dropped: 2 });
    const readers = [];
    for (const name of ['1', '2']) {
      const { id, email } = accounts.find(`${name}@example.org`);
      readers.push({ address: email, accountId: id, orderId: null });
    }
    const again = { ...TOLD, leftOut: 0, at: now(), readers: JSON.stringify(readers) };
    await store.write.addAnnouncement(again);
    await run();
    expect(server.received.map(({ to }) => to.join())).toEqual(['1@example.org', '2@example.org']);
  });

  test('are dropped if their reader lost the item while they waited', async () => {
    const { run, server, states, grants } = await openTelling(2);
    await grants.revoke('2@example.org', 'heron', null);
    await run();
    expect(server.received.map(({ to }) => to.join())).toEqual(['1@example.org']);
    expect(await states()).toMatchObject({ sent: 1, dropped: 1 });
  });

  test('wait for the next look once some could not be recorded, as on a full disk', async () => {
    const { run, directory, states, log } = await openTelling(30);
    const database = new Database(join(directory, 'bookstall.db'));
    database.run(
      "CREATE TRIGGER full BEFORE UPDATE ON outbox BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
    );
    await run();
    expect(log.map(({ event }) => event)).toEqual(Array(10).fill('mail-late'));
    database.run('DROP TRIGGER full');
    database.close();
    await run();
    expect(await states()).toMatchObject({ sent: 30, queued: 0 });
  });

  test('are dropped if their address left while they waited, or its account was disabled', async () => {
    const { run, server, store, states, accounts, now, advance } = await openTelling(2);
    await accounts.disable('2@example.org');
    await run();
    expect(await states()).toMatchObject({ sent: 1, dropped: 1 });
    const [, secret = ''] = /([\w-]{43})>/.exec(server.received[0]?.header('List-Unsubscribe') ?? '') ?? [];
    const { id: accountId, email: address } = accounts.find('1@example.org');
    const readers = JSON.stringify([{ address, accountId, orderId: null }]);
    advance(1);
    await store.write.addAnnouncement({ ...TOLD, subject: 'text:2', leftOut: 0, at: now(), readers });
    expect(await store.write.endNews({ secretHash: hashSecret(secret), at: now() })).toBeTrue();
    await run();
    expect(server.received).toHaveLength(1);
    expect(await states()).toMatchObject({ subject: 'text:2', sent: 0, dropped: 1 });
  });
});

test('each kind of mail is named where it is queued, beside the tables of kinds', async () => {
  const tables = /^(words\/|mailing\/|selling\/mail-content|office\/mail-setting)/;
  const source = join(import.meta.dir, '../../src');
  const files = [...new Bun.Glob('**/*.ts').scanSync(source)].filter((file) => !tables.test(file));
  const texts = (await Promise.all(files.map((file) => Bun.file(join(source, file)).text()))).join();
  expect(Object.keys(MAIL_KINDS).filter((kind) => !texts.includes(`'${kind}'`))).toEqual([]);
});
