import { afterAll, expect } from 'bun:test';
import { problemsOf, testPages } from './chromium.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; img-src 'self' http://foreign.example; form-action 'self'";

/** The actions of a page with the watcher's findings; an allowed action has none. */
const PAGES: readonly (readonly [what: string, body: string, script: string, said: readonly RegExp[]])[] = [
  ['only talks to itself', '<p>quiet</p>', "console.log('fine')", []],
  [
    'warns and complains',
    '',
    "console.warn('odd'); console.error('broken')",
    [/^console: odd$/, /^console: broken$/],
  ],
  ['throws', '', "throw new Error('thrown')", [/^page: thrown$/]],
  ['loses a promise', '', "Promise.reject(new Error('lost'))", [/^page: lost$/]],
  [
    'runs an inline script',
    '<script>1</script>',
    '',
    [/^policy: script-src-elem blocked inline/, /^console: Executing inline script/],
  ],
  [
    'runs an inline handler',
    '<img src="/missing.png" alt="" onerror="1">',
    '',
    [
      /^response: GET .*\/missing.png: 404$/,
      /^policy: script-src-attr blocked inline/,
      /^console: Executing inline event handler/,
    ],
  ],
  [
    'has an inline style',
    '<p style="color:red">a</p>',
    '',
    [/^policy: style-src-attr/, /^console: Applying inline/],
  ],
  [
    'asks another origin',
    '<img src="http://foreign.example/a.png" alt="">',
    '',
    [
      /^left the origin: GET http:\/\/foreign.example\/a.png$/,
      /^request: .*ERR_NAME_NOT_RESOLVED/,
      /^console: Failed/,
    ],
  ],
  ['alerts', '', 'alert(1)', [/^dialog: alert 1$/]],
];

const scripts = new Map(PAGES.map(([what, , script]) => [`/${encodeURIComponent(what)}.js`, script]));
const bodies = new Map(PAGES.map(([what, body]) => [`/${encodeURIComponent(what)}`, body]));

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) => {
    const { pathname } = new URL(request.url);
    if (scripts.has(pathname))
      return new Response(scripts.get(pathname), { headers: { 'Content-Type': 'text/javascript' } });
    if (pathname === '/missing.png') return new Response('none', { status: 404 });
    const status = Number(/^\/status\/(\d+)$/.exec(pathname)?.[1] ?? 200);
    const body = `<!doctype html><title>A page</title><script src="${pathname}.js"></script>${bodies.get(pathname) ?? ''}`;
    return new Response(status === 200 ? body : 'a page', {
      status,
      headers: { 'Content-Type': 'text/html', 'Content-Security-Policy': POLICY },
    });
  },
});
afterAll(() => server.stop(true));

testPages('every forbidden action is reported, and nothing else', async () => {
  const problems = await problemsOf(async (openPage) => {
    const page = await openPage(server.url.origin);
    for (const [what] of PAGES) await page.goto(`/${encodeURIComponent(what)}`);
  });
  const said = PAGES.flatMap(([, , , patterns]) => patterns);
  expect(problems.filter((problem) => !said.some((pattern) => pattern.test(problem)))).toEqual([]);
  expect(said.filter((pattern) => !problems.some((problem) => pattern.test(problem)))).toEqual([]);
  expect(problems).toHaveLength(said.length);
});

testPages('a 4xx document is an answer, a 5xx document is reported', async () => {
  const problems = await problemsOf(async (openPage) => {
    const page = await openPage(server.url.origin);
    for (const status of [403, 404, 422, 429, 500, 503]) await page.goto(`/status/${status}`);
  });
  expect(problems.map((problem) => problem.slice(-3))).toEqual(['500', '503']);
});

testPages('without JavaScript requests to other origins are reported, and scripts do not run', async () => {
  const problems = await problemsOf(async (openPage) => {
    const page = await openPage(server.url.origin, { javaScript: false });
    await page.goto(`/${encodeURIComponent('asks another origin')}`);
    await page.goto(`/${encodeURIComponent('throws')}`);
  });
  expect(problems.join('\n')).toContain('left the origin: GET http://foreign.example/a.png');
  expect(problems.join('\n')).not.toContain('thrown');
});

testPages('a confirm dialog is accepted and recorded', async () => {
  let asked: readonly string[] = [];
  await problemsOf(async (openPage) => {
    const page = await openPage(server.url.origin);
    await page.goto('/');
    expect(await page.evaluate("confirm('Revoke it?')")).toBe(true);
    asked = page.asked;
  });
  expect(asked).toEqual(['Revoke it?']);
});
