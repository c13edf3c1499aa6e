import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dir, '../src');

/** Things a stall never does: the pattern in a source, an example, and the files that are exempt. */
const NEVER: readonly (readonly [what: string, pattern: RegExp, example: string, ...except: string[]])[] = [
  [
    'starts a program',
    /child_process|\bBun\.(spawn|spawnSync|\$)|bun:ffi/,
    'Bun.spawn([name])',
    // The reader's own machine: a browser, the diff of two files, and git's configuration.
    'installing/client/connect.cli.ts',
    'installing/client/update.cli.ts',
    'installing/client/open.cli.ts',
    // The publisher's own machine, too: ssh-keygen.
    'publishing/sign.cli.ts',
    // Bun itself, when the stall is built.
    'platform/site/bundle.ts',
  ],
  ['makes code of a text', /\beval\(|\bnew Function\b|node:vm/, 'eval(text)'],
  // How long to wait before asking again.
  [
    'draws numbers that can be foretold',
    /\bMath\.random\b/,
    'Math.random()',
    'installing/client/stall-client.ts',
  ],
  [
    'hashes weakly',
    /['"](md4|md5|sha-?1|ripemd160)['"]/i,
    "createHash('md5')",
    // The codes of authenticators, and the formats of git and KOReader; what the stall itself relies on is SHA-256.
    'accounts/totp.rule.ts',
    'accounts/device-key.ts',
    'reading/ebook/pointer-map.ts',
    'installing/git/object.ts',
  ],
  [
    'encrypts or signs',
    /createCipher|subtle\.|createSign\b|createHmac|\bjwt\b/i,
    'createCipheriv(a, b, c)',
    // The ids and secrets of OAuth clients.
    'agents/client.rule.ts',
    'asking/check-quote.browser.ts',
    // A quote's salts and places, whose key whoever has the book can compute.
    'catalog/quote-tree.rule.ts',
    // The secrets of the office's settings.
    'platform/store/secret-box.ts',
    // Codes of authenticators; signatures of payment providers, whose part a test sale plays.
    'accounts/totp.rule.ts',
    'selling/providers/signature.ts',
    'publishing/sell-test.ts',
  ],
  [
    'normalizes a text in quadratic time',
    /\.normalize\(/,
    "text.normalize('NFC')",
    // Cuts the runs of marks first.
    'platform/base/text.ts',
  ],
  ['trusts any certificate', /rejectUnauthorized|TLS_REJECT/, 'tls: { rejectUnauthorized: false }'],
  [
    'calls another server',
    /(?<![.\w])fetch\(|node:https?\b|node:dgram|\bBun\.connect|new WebSocket/,
    'await fetch(url)',
    // The reader's commands.
    'installing/client/stall-client.ts',
    // A server of their own, to which the browser comes back.
    'installing/client/browser-sign-in.ts',
    // The server that the owner named in the configuration, behind the limits of asking/engines/model-request.ts.
    'asking/engines/anthropic.ts',
    'asking/engines/compat.ts',
    'asking/search/embedder.ts',
    // Public addresses alone, of documents that readers' assistants name.
    'agents/client-document.ts',
    'publishing/push.cli.ts',
    'publishing/sell.cli.ts',
    // Scripts of pages and the service worker, whose policies let them ask their own stall alone.
    'platform/site/browser/notes.ts',
    'platform/site/browser/unsent.ts',
    'reading/offline-book.browser.ts',
    'reading/offline-worker.browser.ts',
    'selling/providers/provider-api.ts',
    'office/doctor/server.ts',
  ],
  [
    'puts a value into the text of a statement',
    // Not in a tag such as db.one<Row>`…`, which binds it.
    /(?<![\w>])`\s*(?:SELECT|INSERT|UPDATE|DELETE|WHERE)\b[^`]*(?:=|VALUES ?\(|LIKE|MATCH|IN ?\()\s*'?\$\{/,
    '`SELECT id FROM accounts WHERE email = ${email}`',
  ],
];

const sources = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(SRC)].map(
  (path) => [path, readFileSync(join(SRC, path), 'utf8')] as const,
);

test.each(NEVER)('no source %s', (_, pattern, example, ...except) => {
  expect(pattern.test(example)).toBeTrue();
  expect(sources.length).toBeGreaterThan(100);
  const found = sources.filter(([, source]) => pattern.test(source)).map(([path]) => path);
  expect(found.sort()).toEqual([...except].sort());
});

/** The files that answer requests: the platform's, routes and pages. */
const ANSWERS = /^platform\/(?:http|site\/(?!browser\/))|^agents\/|\.(?:api|page|area)\.tsx?$/;

/** How the bytes of a request become values: what only `platform/http/body.ts` does, which looks at them first. */
const PARSES: readonly (readonly [what: string, pattern: RegExp, example: string, ...except: string[]])[] = [
  [
    'reads the body of a request',
    /\b(?:request|req)\)?\.(?:body|json|text|bytes|blob|formData|arrayBuffer)\b(?! =)|\{[^{}]*\bbody\b[^{}=]*\} = (?:asked\.)?request\b/,
    'await request.json()',
    'platform/http/body.ts',
  ],
  [
    'parses JSON or a form',
    /\bJSON\.parse\(|\.formData\(|new URLSearchParams\((?![[{]|\)|list\b|query\))/,
    'JSON.parse(text)',
    // A client's id, whose MAC was checked.
    'agents/client.rule.ts',
    'platform/http/body.ts',
  ],
  [
    'takes a body in pieces',
    /\bstreamBody\(/,
    'streamBody(request, most)',
    'publishing/push.api.ts',
    // Its definition.
    'platform/http/body.ts',
    'platform/http/multipart.ts',
  ],
];

test.each(PARSES)(
  'no source that answers requests %s but those that are named',
  (_, pattern, example, ...except) => {
    expect(pattern.test(example)).toBeTrue();
    const found = sources.filter(([path, source]) => ANSWERS.test(path) && pattern.test(source));
    expect(found.map(([path]) => path).sort()).toEqual([...except].sort());
  },
);

/** A statement that begins with `expect` and asserts on a promise; Bun's types do not show the linter that it is one. */
const UNAWAITED = /^[^\S\n]*expect\((?:(?!;\n)[^])*?\)\s*\.(?:rejects|resolves)\b/m;

test('no test leaves an expectation of a promise unawaited', () => {
  expect(UNAWAITED.test('  expect(\n    read(),\n  ).rejects.toThrow();\n')).toBeTrue();
  expect(UNAWAITED.test('  expect(a).toBe(1);\n  await expect(read()).rejects.toThrow();\n')).toBeFalse();
  const tests = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(import.meta.dir)];
  expect(tests.length).toBeGreaterThan(100);
  const found = tests.filter((path) => UNAWAITED.test(readFileSync(join(import.meta.dir, path), 'utf8')));
  expect(found).toEqual(['dangerous-calls.test.ts']);
});
