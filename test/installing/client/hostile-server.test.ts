import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type } from '../../platform/cli/type.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';
import { goodArchive } from './hostile-tar.ts';

const KEY = `svc_${'k'.repeat(38)}`;
const good = goodArchive({ 'SKILL.md': 'Hello\n' });

type Answer = (request: Request) => Response | Promise<Response>;

let answer: Answer = () => new Response('');
const asked: Request[] = [];
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  idleTimeout: 60,
  fetch: (request) => {
    asked.push(request);
    return answer(request);
  },
});
/** The key that was sent to the other stall; read at once, since Bun forgets a request's headers after its answer. */
const elsewhere: (string | null)[] = [];
const other = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (request) => {
    elsewhere.push(request.headers.get('authorization'));
    return new Response(good as Buffer<ArrayBuffer>);
  },
});
afterAll(() => Promise.all([server.stop(true), other.stop(true)]));
beforeEach(() => {
  asked.length = 0;
  elsewhere.length = 0;
});

/** Runs a reader's command with a key against the scripted server. */
async function ask(words: readonly string[], scripted: Answer, more: Readonly<Record<string, string>> = {}) {
  answer = scripted;
  const sandbox = temporaryDirectory();
  mkdirSync(join(sandbox, 'a'));
  const environment = {
    BOOKSTALL_URL: server.url.origin,
    BOOKSTALL_KEY: KEY,
    BOOKSTALL_HOME: join(sandbox, 'home'),
    ...more,
  };
  const line = words[0] === 'install' ? [...words, '--dir', join(sandbox, 'a')] : words;
  const said = await type(line, environment);
  expect(`${said.out}${said.err}`).not.toContain(KEY);
  expect(said.err).not.toMatch(/Internal error|[^\P{Cc}\n]|\p{Bidi_Control}/u);
  return { ...said, left: readdirSync(join(sandbox, 'a')) };
}

const json = (value: unknown, init: ResponseInit = {}): Response => Response.json(value, init);
const refusal = (
  error: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
  code = 'ACCESS_DENIED',
) => json({ error, code }, { status, headers });

type Part = Uint8Array | string | number | null;

/** A body whose parts come one after the other; a number is a pause in milliseconds, null breaks the connection. */
function slowly(...parts: readonly Part[]): ReadableStream {
  return new ReadableStream({
    async start(controller) {
      for (const part of parts) {
        if (part === null) return controller.error();
        if (typeof part === 'number') await Bun.sleep(part);
        else controller.enqueue(typeof part === 'string' ? new TextEncoder().encode(part) : part);
      }
      controller.close();
    },
  });
}

describe('an install of a stall that misbehaves leaves nothing, and says why', () => {
  test.each<[string, Answer, string]>([
    [
      'stops in the middle',
      () => new Response(slowly(good.subarray(0, 40), 60_000)),
      'has sent nothing for 0.3 s',
    ],
    ['never answers', () => new Promise(() => {}), 'has sent nothing for 0.3 s'],
    ['breaks the connection', () => new Response(slowly(good.subarray(0, 40), 20, null)), 'Cannot'],
    [
      'sends less than it named',
      () =>
        new Response(slowly(good.subarray(0, -20)), { headers: { 'X-Archive-Length': `${good.length}` } }),
      'Cannot',
    ],
    [
      'names less than it sends',
      () => new Response(slowly(good), { headers: { 'X-Archive-Length': '40' } }),
      'longer than the 40 bytes',
    ],
    [
      'answers with a page',
      () => new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } }),
      'not gzip',
    ],
    [
      'answers an error that is no stall’s',
      () => new Response('Bad gateway', { status: 502 }),
      'answered 502',
    ],
    ['answers 204', () => new Response(null, { status: 204 }), 'answered 204'],
    [
      'answers 206',
      () => new Response(good.subarray(0, 40) as Buffer<ArrayBuffer>, { status: 206 }),
      'answered 206',
    ],
    ['answers 304 unasked', () => new Response(null, { status: 304 }), 'sent nothing'],
    [
      'sends an endless error',
      () => new Response(slowly('x'.repeat(70_000)), { status: 500 }),
      'more than 65536 bytes',
    ],
    [
      'steers the terminal',
      () => refusal('\u001b]0;gotcha\u0007\u009b2J\u202E No', 403),
      '?]0;gotcha??2J? No',
    ],
    [
      'echoes the key',
      () => refusal(`No, ${KEY} is not good`, 401, {}, 'UNAUTHENTICATED'),
      'No, svc_… is not good',
    ],
  ])('%s', async (_, scripted, sentence) => {
    const { code, out, err, left } = await ask(['install', 'trap'], scripted, { BOOKSTALL_TIMEOUT: '0.3' });
    expect({ isDone: code === 0, out, left }).toEqual({ isDone: false, out: '', left: [] });
    expect(err).toContain(sentence);
  });
});

describe('the key stays with its stall', () => {
  test.each([301, 302, 303, 307, 308])('when it answers %d to another one', async (status) => {
    const { code, err, left } = await ask(['install', 'trap'], () =>
      Response.redirect(`${other.url.origin}/api/install/trap`, status),
    );
    expect({ code, left, followed: elsewhere.length }).toEqual({ code: 1, left: [], followed: 0 });
    expect(err).toContain(`Cannot follow ${server.url.origin} to ${other.url.origin}`);
  });

  test('when another one is named by a flag', async () => {
    await ask(['install', 'trap', '--url', other.url.origin], () => new Response(''));
    expect(elsewhere.length).toBeGreaterThan(0);
    expect(elsewhere.filter((sent) => sent !== null)).toEqual([]);
  });

  const variable = (url: URL): string => `BOOKSTALL_KEY_${url.host.replaceAll('.', '_').replace(':', '___')}`;
  const home = (current: URL | null): string => {
    const folder = temporaryDirectory();
    const at = (url: URL) => ({ [url.origin]: { key: KEY, email: 'a@example.org' } });
    const stalls = { ...at(server.url), ...(current === null ? {} : at(current)) };
    writeFileSync(join(folder, 'stalls.json'), JSON.stringify({ current: current?.origin ?? null, stalls }));
    return folder;
  };
  const OWN = `svc_${'o'.repeat(38)}`;
  test.each<[string, Readonly<Record<string, string>>, string | null]>([
    ['its own variable', { BOOKSTALL_URL: '', [variable(other.url)]: OWN }, OWN],
    ['its own variable beside the bare one', { [variable(other.url)]: OWN }, OWN],
    ['the bare one for the stall of BOOKSTALL_URL', { BOOKSTALL_URL: other.url.origin }, KEY],
    ['the bare one for the stall of "login"', { BOOKSTALL_URL: '', BOOKSTALL_HOME: home(other.url) }, KEY],
    ['the bare one for no stall', { BOOKSTALL_URL: '' }, null],
    [
      'the bare one for another stall of "login"',
      { BOOKSTALL_URL: '', BOOKSTALL_HOME: home(server.url) },
      null,
    ],
    ['the variable of another', { BOOKSTALL_KEY: '', [variable(server.url)]: OWN }, null],
  ])('and goes there by %s', async (_, environment, sent) => {
    await ask(['install', 'trap', '--url', other.url.origin], () => new Response(''), environment);
    expect(new Set(elsewhere)).toEqual(new Set([sent === null ? null : `Bearer ${sent}`]));
  });

  test('after a sign-out, also if another sign-in is left', async () => {
    const BOOKSTALL_HOME = home(other.url);
    const environment = { BOOKSTALL_URL: '', BOOKSTALL_HOME };
    await ask(['logout'], () => new Response(''), environment);
    const { code, err } = await ask(['whoami'], () => new Response(''), environment);
    expect([code, asked.length, err]).toEqual([4, 0, expect.stringContaining('which stall is meant')]);
  });
});

describe('without a key', () => {
  test.each([
    ['no key', '', 'set BOOKSTALL_KEY_127_0_0_1___'],
    ['the bare variable alone', KEY, 'BOOKSTALL_KEY goes to the stall of BOOKSTALL_URL or of "login" alone'],
  ])('a refusal says how to give it one: %s', async (_, BOOKSTALL_KEY, words) => {
    const words401 = 'Cannot install "trap": send an API key as "Authorization: Bearer svc_…"';
    const { code, err } = await ask(
      ['install', 'trap', '--url', server.url.origin],
      () => refusal(words401, 401, {}, 'UNAUTHENTICATED'),
      { BOOKSTALL_URL: '', BOOKSTALL_KEY },
    );
    expect([code, err]).toEqual([4, expect.stringContaining(words)]);
    expect(err).toContain(`run "bookstall login --url ${server.url.origin}"`);
    expect(err).not.toContain('Authorization');
  });

  test('a refusal names the price and the way to buy, and nothing that moves the cursor', async () => {
    const said =
      'Cannot install "trap": send an API key; or buy it for $9 at https://shop.example.org\u001b[2J/heron';
    const { err } = await ask(
      ['install', 'trap', '--url', server.url.origin],
      () => refusal(said, 401, {}, 'UNAUTHENTICATED'),
      { BOOKSTALL_URL: '', BOOKSTALL_KEY: '' },
    );
    expect(err).toContain('; or buy it for $9 at https://shop.example.org');
    expect(err).not.toContain('\u001b');
  });
});

test('a saved key that was damaged is not sent, nor said', async () => {
  const { code, err } = await ask(['whoami'], () => json({}), {
    BOOKSTALL_KEY: '',
    BOOKSTALL_HOME: damagedHome(),
  });
  expect({ code, asked: asked.length }).toEqual({ code: 4, asked: 0 });
  expect(err).toContain('Cannot use this as an API key');
});

function damagedHome(): string {
  const home = temporaryDirectory();
  const stalls = { [server.url.origin]: { key: `${KEY}\nx`, email: 'ann@example.org' } };
  writeFileSync(join(home, 'stalls.json'), JSON.stringify({ current: server.url.origin, stalls }));
  return home;
}

describe('Retry-After', () => {
  test('is waited for, and then the install succeeds', async () => {
    const startedAt = performance.now();
    const { code, err } = await ask(['install', 'trap'], ({ url }) =>
      url.endsWith('/files?content=false')
        ? refusal('No', 403)
        : asked.length < 3
          ? refusal('Slow down', 429, { 'Retry-After': '1' })
          : new Response(good as Buffer<ArrayBuffer>),
    );
    expect(code).toBe(0);
    expect(err).toContain('waiting 2 s');
    expect(performance.now() - startedAt).toBeGreaterThan(2000);
  });

  test.each([
    ['is not waited for when it is long', '3600', 1],
    ['is not waited for when it is no number', 'soon', 1],
    ['is waited for three times at most', '0', 4],
  ])('%s', async (_, value, requests) => {
    const { code, err } = await ask(['whoami'], () =>
      refusal('Slow down', 429, { 'Retry-After': value }, 'RATE_LIMITED'),
    );
    expect({ code, requests: asked.length }).toEqual({ code: 1, requests });
    expect(err).toEndWith('Slow down\n');
  });
});

const items = { items: [{ kind: 'book', slug: 'trap', id: 'trap-id', title: 'x' }], next: null };
const stream =
  (...parts: readonly Part[]): Answer =>
  (request) =>
    request.method === 'GET'
      ? json(items)
      : new Response(slowly(...parts), { headers: { 'Content-Type': 'text/event-stream' } });
const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

describe('an answer', () => {
  test('is put together from parts cut anywhere, and its citations follow', async () => {
    const done = {
      outcome: 'answered',
      citations: [{ n: 1, path: 'a.md', heading: 'Herons', quote: 'on\none leg' }],
    };
    const text = `: waiting\n\n${event('chunk', { text: 'Grüße' })}${event('chunk', { text: ' 🦉 [1]' })}${event('done', done)}`;
    const bytes = [...Buffer.from(text)].map((byte) => Uint8Array.of(byte));
    const { code, out } = await ask(['ask', 'trap', 'Why?'], stream(...bytes));
    expect({ code, out }).toEqual({ code: 0, out: 'Grüße 🦉 [1]\n\n[1] a.md, Herons\n    “on one leg”\n' });
  });

  test('holds nothing that steers the terminal, and no key', async () => {
    const done = {
      outcome: 'answered',
      citations: [{ n: 1, path: '\u001b[2J', heading: '\u009b', quote: '\u202E' }],
    };
    const { code, out } = await ask(
      ['ask', 'trap', 'Why?'],
      stream(event('chunk', { text: `\u001b[31m${KEY}\r\n` }), event('done', done)),
    );
    expect(code).toBe(0);
    expect(out).toBe('?[31msvc_…\n\n[1] ?[2J, ?\n    “?”\n');
  });

  test.each([[[]], [['--json']]])('holds no key that comes in two pieces: %p', async (flags) => {
    const parts = [`Is ${KEY.slice(0, 9)}`, KEY.slice(9, 30), `${KEY.slice(30)} yours`, '? Yes', ', svc_k'];
    const { code, out } = await ask(
      ['ask', 'trap', 'Why?', ...flags],
      stream(...parts.map((text) => event('chunk', { text })), event('done', { outcome: 'answered' })),
    );
    expect(code).toBe(0);
    const lines =
      flags.length === 0
        ? []
        : out
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as { text?: string });
    const text = flags.length === 0 ? out : lines.map((line) => line.text ?? '').join('');
    expect(text.trim()).toBe('Is svc_… yours? Yes, svc_k');
  });

  test.each<[string, Answer, string]>([
    ['in one endless event', stream(`data: ${'x'.repeat(1000)}\n`.repeat(5000)), 'no end'],
    ['without an end', stream(event('chunk', { text: 'Half' })), 'the connection broke'],
    ['that breaks off', stream(event('chunk', { text: 'Half' }), 20, null), 'the connection broke'],
    [
      'that ends with an error',
      stream(event('error', { error: 'The grant ended', code: 'ACCESS_DENIED' })),
      'The grant ended',
    ],
    ['that falls silent', stream(event('chunk', { text: 'Half' }), 60_000), 'has sent nothing'],
    ['in one endless line', stream('data: ', 'x'.repeat(5_000_000)), 'no end'],
  ])('%s fails', async (_, scripted, sentence) => {
    const { code, err } = await ask(['ask', 'trap', 'Why?'], scripted, { BOOKSTALL_TIMEOUT: '0.3' });
    expect(code).toBe(1);
    expect(err).toContain(sentence);
  });

  test('whose event, outcome or code is a word of every object is read like any unknown word', async () => {
    for (const word of ['constructor', 'toString', '__proto__', 'valueOf']) {
      const { code, out, err } = await ask(
        ['ask', 'trap', 'Why?'],
        stream(event(word, { text: 'no' }), event('chunk', { text: 'a' }), event('done', { outcome: word })),
      );
      expect({ code, out, err }).toEqual({ code: 0, out: 'a\n', err: '' });
      const failed = await ask(['ask', 'trap', 'Why?'], stream(event('error', { error: 'Odd', code: word })));
      expect({ code: failed.code, err: failed.err }).toMatchObject({ code: 1, err: 'Odd\n' });
    }
  });

  test('with --json is the events, a line each', async () => {
    const { code, out } = await ask(
      ['ask', 'trap-id', 'Why?', '--json'],
      stream(event('chunk', { text: 'a\u202e\u009b' }), event('done', { outcome: 'not_covered' })),
    );
    expect(code).toBe(0);
    expect(out).toBe('{"type":"chunk","text":"a\\u202e\\u009b"}\n{"type":"done","outcome":"not_covered"}\n');
  });
});

describe('a catalog is refused', () => {
  const item = { kind: 'skill', slug: 'field-notes', id: null, title: 'x' };
  test.each<[string, object]>([
    ['whose ids steer the terminal', { ...item, kind: 'book', id: 'field\u001b[2Jnote' }],
    ['whose slugs do', { ...item, slug: 'field-note\u001b' }],
    ['whose slugs are paths', { ...item, slug: '../api', id: 'field-note' }],
  ])('%s', async (_, listed) => {
    for (const words of [
      ['open', 'field-note'],
      ['library', '--all'],
    ]) {
      const { code, err } = await ask(words, () => json({ items: [listed], next: null }));
      expect(code).toBe(1);
      expect(err).toContain('Cannot read a list of items');
    }
  });

  test('that has no end', async () => {
    const items = Array<object>(100_000).fill(item);
    const { code, err } = await ask(['library', '--all'], () => json({ items, next: 'more' }));
    expect(code).toBe(1);
    expect(err).toContain('Cannot read the catalog');
  });
});

test.each(['1e300', '-1', 'soon'])('a timeout of %s is no reason to give up at once', async (seconds) => {
  const { err } = await ask(['whoami'], async () => (await Bun.sleep(50), refusal('Not yours', 403)), {
    BOOKSTALL_TIMEOUT: seconds,
  });
  expect(err).toBe('Not yours\n');
});

describe('lists that are none are refused', () => {
  test.each<[string, unknown]>([
    ['text', 'hello'],
    ['null', null],
    ['no account', { items: [] }],
    ['no items', { account: { email: 'a', subscriberId: 'b' } }],
    ['items that are numbers', { account: { email: 'a', subscriberId: 'b' }, items: [1] }],
  ])('%s', async (_, value) => {
    const { code, err } = await ask(['library'], () => json(value));
    expect(code).toBe(1);
    expect(err).toContain('may not be a stall');
  });
});

test('an address without a server is reported in a sentence', async () => {
  const { code, err } = await ask(['whoami'], () => new Response(''), {
    BOOKSTALL_URL: 'http://127.0.0.1:9',
  });
  expect(code).toBe(1);
  expect(err).toContain('Cannot reach http://127.0.0.1:9: ');
});
