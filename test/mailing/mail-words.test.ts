import { describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Language, OFFERED } from '../../src/words/words.ts';
import {
  type MailVoice,
  mapFields,
  ourMailFile,
  WORDS_KINDS,
  writeMail,
} from '../../src/mailing/mail-text.ts';
import { type } from '../platform/cli/type.ts';
import { SHELF, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { openMailServer } from './mail-server.ts';
import { type ClaimStall, openClaimStall } from '../selling/claim-stall.ts';
import { chargeRefunded, dispute } from '../selling/providers/stripe-events.ts';

const ORIGIN = 'https://stall.example.org';
const FACTS = {
  ...mapFields((name) => `the ${name}`),
  origin: ORIGIN,
  link: `${ORIGIN}/reset#${'a'.repeat(43)}`,
  titles: ['Herons'],
  reason: 'refunded',
} as const;

/** A stall that writes in one language. */
const voiceOf = (language: Language, lines: Partial<MailVoice['stall']> = {}): MailVoice => ({
  language,
  stall: { language, languages: [language], postalAddress: null, taxLine: null, ...lines },
});

const RESET = '---\nsubject: "{{stall}}: a new password"\n---\nMoin!\n\n{{link}}\n\nYours, the herons\n';

describe.each(WORDS_KINDS.flatMap((kind) => OFFERED.map((language) => [kind, language] as const)))(
  'our words of %s in %p',
  (kind, language) => {
    test('can be written as a file, which makes the same mail', () => {
      const file = ourMailFile(kind, language);
      const voice = voiceOf(language);
      const ours = writeMail(kind, voice, FACTS, {});
      expect(ours.file).toBeNull();
      const path = `mails/${kind}.md`;
      expect(writeMail(kind, voice, FACTS, { [path]: file })).toEqual({ ...ours, file: path });
      const own = `mails/${kind}.${language}.md`;
      expect(writeMail(kind, voice, FACTS, { [own]: file, [path]: RESET })).toEqual({ ...ours, file: own });
      const other = { ...voice, language: language === 'de' ? ('en' as const) : ('de' as const) };
      expect(writeMail(kind, other, FACTS, { [path]: file }).file).toBeNull();
    });
  },
);

test.each([[{}], [{ 'mails/claim.md': '---\nsubject: Yours\n---\n{{link}}\n' }]])(
  'a mail ends with the address and tax line of the seller, whosever words it has: %p',
  (files) => {
    const lines = { postalAddress: 'Quince Press\n1 Reed Lane', taxLine: 'VAT ID DE123456789' };
    const { text } = writeMail('claim', voiceOf('en', lines), FACTS, files);
    expect(text).toEndWith('\n\nQuince Press\n1 Reed Lane\nVAT ID DE123456789\n');
    expect(writeMail('claim', voiceOf('en'), FACTS, files).text).not.toContain('Quince');
  },
);

test('a subject is one line whatever a stall and its titles are called, and no fact is read as a field', () => {
  const files = {
    'mails/library.md': '---\nsubject: "{{titles}} at {{stall}} "\n---\n{{ titles }}\n\n{{stall}}\n',
  };
  const name = fc.string({
    unit: fc.constantFrom('a', ' ', '\n', '\r', '\u2028', '\u0000', '{{link}}', '$&', '\ufeff'),
  });
  fc.assert(
    fc.property(name, fc.array(name, { maxLength: 3 }), (stall, titles) => {
      const { subject, text, file } = writeMail('library', voiceOf('en'), { ...FACTS, stall, titles }, files);
      expect(subject).not.toMatch(/[\r\n\u2028\u2029\u0000]/);
      expect(subject + text).not.toContain(FACTS.link);
      if (file !== null && [stall, ...titles].some((one) => one.includes('{{link}}')))
        expect(text).toContain('{{link}}');
    }),
  );
});

test.each([
  ['{{stall}}: new password', 'S: new password'],
  ['"{{stall}}: new #1"', 'S: new #1'],
  ["'it''s'", "it''s"],
])('the subject may stand without quotation marks, as in %s', (written, subject) => {
  const file = `\ufeff---\r\nsubject: ${written}\r\n---\r\nA\r\n\r\n{{link}}\r\n`;
  const mail = writeMail('reset', voiceOf('en'), { ...FACTS, stall: 'S' }, { 'mails/reset.md': file });
  expect(mail).toMatchObject({ subject, text: `A\n\n${FACTS.link}\n` });
});

test('a paragraph whose fact a mail does not have is left out, and a mail without a word is in ours', () => {
  const write = (text: string) =>
    writeMail(
      'library',
      voiceOf('en'),
      { ...FACTS, epub: '' },
      { 'mails/library.md': `---\nsubject: A\n---\n${text}` },
    );
  expect(write('One\n\nThe EPUB:\n{{epub}}\n\n\nTwo\n').text).toBe('One\n\nTwo\n');
  expect(write('{{epub}}\n').file).toBeNull();
});

const head = (text: string) => `---\nsubject: A\n---\n${text}\n`;

const PROBLEMS = [
  ['mails/reset.md', 'Open {{link}}', 'no-subject', 'Begin with the lines'],
  ['mails/reset.md', '---\nsubject:\n---\n{{link}}', 'blank-value', '"subject"'],
  ['mails/reset.md', `---\nsubject: ${'a'.repeat(201)}\n---\n{{link}}`, 'too-long', '201 characters'],
  ['mails/reset.md', '---\nsubject: a\rBcc: b@example.org\n---\n{{link}}', 'control-character', 'one line'],
  [
    'mails/reset.md',
    '---\nsubject: A\nBcc: b@example.org\n---\n{{link}}',
    'no-subject',
    'Begin with the lines',
  ],
  ['mails/reset.md', '---\nsubject: A\u2028B\n---\n{{link}}', 'control-character', 'one line'],
  ['mails/reset.md', head('Hello'), 'missing-field', 'Cannot do without {{link}}'],
  ['mails/reset.md', head(''), 'blank-value', '"text"'],
  ['mails/reset.md', head('{{link}} \u0007'), 'control-character', '"text"'],
  ['mails/reset.md', head(`{{link}} ${'a'.repeat(10_000)}`), 'too-long', 'at most 10000'],
  ['mails/reset.md', head('{{linkk}} {{link}}'), 'unknown-field', 'Did you mean "link"?'],
  ['mails/reset.md', head('{{titles}} {{link}}'), 'unknown-field', '{{stall}}, {{link}}, {{origin}}'],
  ['mails/reset.md', head('{{link}} {{origin}'), 'unknown-field', '"{{"'],
  ['mails/reset.md', '---\nsubject: "{{link}}"\n---\n{{link}}', 'field-in-subject', 'in the text alone'],
  ['mails/reset.md', new Uint8Array([255, 254]), 'mail-not-text', 'UTF-8'],
  ['mails/reset.md', new Uint8Array(300_000), 'large-mail', '300000 bytes'],
  ['mails/reset.md/x', '', 'link', 'not a regular file'],
  ['mails', 'Hello', 'unreadable', 'mails'],
  ['mails/rest.md', head('{{link}}'), 'unknown-mail', 'Did you mean "mails/reset.md"?'],
  ['mails/reset.txt', head('{{link}}'), 'unknown-mail', 'one of claim, claimed,'],
  ['mails/news.md', head('{{news}}'), 'missing-field', 'Cannot do without {{link}}'],
  ['mails/news.md', head('{{link}}'), 'missing-field', 'Cannot do without {{news}}'],
  ['mails/claimed.md', head('{{link}}'), 'unknown-field', '{{holder}}'],
] as const;

test.each(PROBLEMS.map(([path, text, code, words]) => ({ path, text, code, words })))(
  'check names the problem $code of $path: $words',
  async ({ path, text, code, words }) => {
    const content = temporaryDirectory();
    writeFiles(content, { [path]: text });
    if (path !== 'mails') writeFiles(content, { 'mails/.claim.md.swp': 'x', 'mails/claim.md~': 'x' });
    const file = path.replace(/\/x$/, '');
    const { out } = await type(['check', '--content', content, '--json']);
    const entries: unknown = JSON.parse(out);
    expect(entries).toMatchObject([{ kind: 'stall', slug: file, problems: [{ code, path: file }] }]);
    const said = await type(['check', '--content', content]);
    expect(said.out).toStartWith(`${file}: not used\n  error  ${file}: `);
    expect(said.out).toContain(words);
    expect(said).toMatchObject({ code: 1, err: `0 items, all can be served; ${file} cannot be used\n` });
  },
);

test('a stall mails in its publisher’s words, takes new ones with the content, and never a broken mail', async () => {
  const stall = await openClaimStall();
  await stall.app.admin.accounts.add('anna@example.org');
  let count = 0;
  const mailed = async (files: Readonly<Record<string, string>>) => {
    writeFiles(stall.content, files);
    await stall.app.publish();
    stall.pass(3_600_000);
    await stall.browser().post('/forgot', { email: 'anna@example.org' });
    return stall.server.waitFor('anna@example.org', ++count);
  };
  const theirs = await mailed({ 'mails/reset.md': RESET });
  expect(theirs.header('Subject')).toBe('The Heron Stall: a new password');
  expect(theirs.text).toMatch(/^Moin!\n\nhttp:\S+\/reset#[\w-]{43}\n\nYours, the herons\n$/);
  const changed = await mailed({
    'mails/reset.md': RESET.replace('Moin', 'Tach'),
    'stall.yaml': 'nome: X\n',
  });
  expect(changed.text).toStartWith('Tach!\n');
  const broken = await mailed({ 'mails/reset.md': RESET.replace('{{link}}', '{{lonk}}') });
  expect(broken.text).toStartWith('Hello,\n');
  expect(stall.log).toContainEqual({
    event: 'stall-problem',
    message: expect.stringMatching(
      /^mails\/reset\.md: Cannot fill "lonk" [^]*Bookstall's own words are used$/,
    ),
  });
  for (const path of ['/mails/reset.md', '/mails', '/skills/mails', '/api/install/mails'])
    expect((await stall.fetch(path)).status).toBe(404);
  rmSync(join(stall.content, 'mails'), { recursive: true });
  expect((await mailed({})).header('Subject')).toBe('A new password at The Heron Stall');
});

test.each(WORDS_KINDS)(
  'mail preview %s shows our words, and a file to change that the stall takes',
  async (kind) => {
    const content = temporaryDirectory();
    writeFiles(content, { ...SHELF, 'stall.yaml': 'name: The Heron Stall\n' });
    const preview = (...more: string[]) => type(['mail', 'preview', kind, '--content', content, ...more]);
    const ours = await preview();
    expect(ours.code).toBe(0);
    expect(ours.out).toMatch(/^Subject: .*Heron Stall.*\n\nHello,\n/);
    expect(ours.out).not.toMatch(/\{\{|undefined/);
    expect(ours.err).toContain(`These are Bookstall's words: ${content}/mails/${kind}.md is not there, or `);
    expect(ours.err).toContain(`--template > ${content}/mails/${kind}.md\n  {{stall}} `);
    writeFiles(content, { [`mails/${kind}.md`]: (await preview('--template')).out });
    const theirs = await preview();
    expect(theirs.out).toBe(ours.out);
    expect(theirs.err).toStartWith(`The words of ${content}/mails/${kind}.md\n`);
    const german = (await preview('--language', 'de')).err;
    expect(german).toContain(`${content}/mails/${kind}.de.md is not there`);
    expect(german).toContain(`preview ${kind} --language de --template > ${content}/mails/${kind}.de.md\n`);
  },
);

test('mail preview names an item of the stall, and refuses a mail that there is not', async () => {
  const content = temporaryDirectory();
  writeFiles(content, { ...SHELF, 'books/broken/item.yaml': 'nonsense\n' });
  expect((await type(['mail', 'preview', 'library', '--content', content])).out).toContain(
    '“The archived book”',
  );
  expect(await type(['mail', 'preview', 'clam'])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('one of claim'),
  });
});

test('mail test --kind sends a mail in the words that buyers get', async () => {
  const content = temporaryDirectory();
  writeFiles(content, { 'mails/reset.md': RESET, 'stall.yaml': 'name: The Heron Stall\n' });
  const server = await openMailServer();
  const environment = {
    BOOKSTALL_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    BOOKSTALL_MAIL_FROM: 'stall@example.org',
  };
  const words = ['mail', 'test', 'owner@example.org', '--kind', 'reset', '--content', content];
  expect(await type(words, environment)).toMatchObject({ code: 0 });
  const mail = await server.waitFor('owner@example.org');
  expect(mail.header('Subject')).toBe('The Heron Stall: a new password');
  expect(mail.header('From')).toBe('The Heron Stall <stall@example.org>');
  expect(mail.text).toStartWith('Moin!\n\nhttps://stall.example.org/claim#example\n');
  // Nothing listens there.
  expect(await type(words, { ...environment, BOOKSTALL_SMTP_URL: 'smtp://127.0.0.1:1' })).toMatchObject({
    code: 1,
    out: expect.stringContaining('Cannot send mail: '),
  });
});

describe('a buyer whose order', () => {
  test.each<[string, (stall: ClaimStall, id: number) => Promise<unknown>, string | null]>([
    ['is refunded', (stall) => stall.giveBack('heron0001'), 'was refunded'],
    [
      'is disputed',
      (stall) => stall.deliver(dispute('created', 'heron0001', 60, 'needs_response')),
      'is on hold: a dispute over its payment is open',
    ],
    [
      'lost a dispute',
      (stall) => stall.deliver(dispute('closed', 'heron0001', 60, 'lost')),
      'was paid back after a dispute',
    ],
    ['is closed by the owner', (stall, id) => stall.app.admin.orders.revoke(id), 'was closed by the stall'],
    ['is refunded in part', (stall) => stall.deliver(chargeRefunded('heron0001', 60, 900)), null],
  ])('%s is told so and no more', async (_, act, words) => {
    const stall = await openClaimStall();
    const id = await stall.buy('heron0001');
    await stall.server.waitFor('ada@example.org');
    await act(stall, id);
    await stall.settle();
    const [mail, ...more] = stall.server.received.filter(({ text }) => text.includes('no longer opens'));
    expect(more).toEqual([]);
    const { ref } = stall.store.findOrder(id) ?? {};
    expect(mail?.text ?? null).toBe(
      words &&
        `Hello,\n\nyour order 1 (${ref}) ${words}. It no longer opens “The paid book”.\n\nThe stall is here:\n\n${stall.url}\n\nThe Heron Stall\n${stall.url}\n`,
    );
    expect(stall.store.findOrder(id)?.state === 'paid').toBe(words === null);
  });
});
