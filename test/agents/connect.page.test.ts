import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { CONNECT_AGENTS } from '../../src/catalog/connect.rule.ts';
import { openStall } from '../helpers/harness.ts';

const LINKS = '/dashboard/connect';
const stall = await openStall();
const reader = await stall.reader('ann@example.org', 'paid-book', 'paid-skill');
const other = await stall.reader('bob@example.org');
const cookies = { ann: await stall.signIn(reader.email), bob: await stall.signIn(other.email) };
const own = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/x-www-form-urlencoded' };

const textOf = (html: string): string =>
  html.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
const open = async (path: string, headers: object = cookies.ann) => {
  const answer = await stall.fetch(path, { headers: { Accept: 'text/html', ...headers } });
  return { status: answer.status, headers: answer.headers, html: textOf(await answer.text()) };
};
const send = (path: string, fields: Record<string, string>, headers: object = cookies.ann) =>
  stall.fetch(path, {
    method: 'POST',
    headers: { ...own, ...headers },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
const onceIn = (html: string): string => /name="once" value="([^"]+)"/.exec(html)?.[1] ?? '';
const make = async (fields: Record<string, string>) => {
  const once = onceIn((await open(LINKS)).html);
  const answer = await send(`${LINKS}/create`, { name: 'laptop', item: '', expires: '365', once, ...fields });
  const html = textOf(await answer.text());
  return {
    status: answer.status,
    headers: answer.headers,
    html,
    link: /\/i\/(svi_\w+)/.exec(html)?.[0] ?? '',
  };
};

test('a link is made, shown once with its warning and lines, opens what it says, and is revoked', async () => {
  const made = await make({});
  expect(made.status).toBe(200);
  expect(made.html).toContain('Anyone who has this link takes these items as you.');
  expect(made.html).toContain('Opens: Everything you own');
  expect(made.headers.get('cache-control')).toContain('no-store');
  const link = `${stall.url}${made.link}`;
  expect(made.html).toContain('If it is “not found in marketplace” later, the link no longer opens it.');
  for (const { steps } of CONNECT_AGENTS)
    for (const { line } of steps({ origin: stall.url, link, slug: 'paid-book' }))
      expect(made.html).toContain(line);
  const list = await open(LINKS);
  expect(list.html).not.toContain(made.link.slice(0, 20));
  expect(list.html).toContain(`${made.link.slice(3, 11)}…`);
  expect(list.html).toContain('Anyone who has this link');
  const index = (await (await stall.fetch(`${made.link}/.well-known/skills/index.json`)).json()) as {
    skills: { name: string }[];
  };
  expect(index.skills.map(({ name }) => name)).toEqual(['paid-book', 'paid-skill']);
  const [, id] = /connect\/(\d+)\/revoke/.exec(list.html) ?? [];
  expect((await open(`${LINKS}/${id}/revoke`, cookies.bob)).status).toBe(404);
  expect((await send(`${LINKS}/${id}/revoke`, {}, cookies.bob)).status).toBe(404);
  expect((await open(`${LINKS}/${id}/revoke`)).html).toContain('Revoke “laptop”?');
  const revoked = await send(`${LINKS}/${id}/revoke`, {});
  expect([revoked.status, revoked.headers.get('location')]).toEqual([
    303,
    `${LINKS}?said=agent-link-revoked`,
  ]);
  const gone = await open(made.link, {});
  expect([gone.status, gone.html.includes('Cannot open this link')]).toEqual([404, true]);
});

test('a link for one item opens that alone; one for an item of others is refused', async () => {
  const made = await make({ item: 'book paid-id' });
  expect(made.html).toContain('Opens: The paid book');
  expect((await stall.fetch(`${made.link}/paid-skill/.well-known/skills/index.json`)).status).toBe(403);
  for (const item of ['book archived-id', 'skill draft-skill', 'x'])
    expect(await make({ item })).toMatchObject({ status: 404, link: '' });
});

test.each([
  ['a blank name', { name: ' ' }, 400],
  ['another term', { expires: '0' }, 400],
  ['a form sent before', { once: 'x' }, 400],
])('%s makes no link and keeps what was typed', async (_, fields, status) => {
  const before = (await stall.app.admin.tokens.list(reader.email)).length;
  const made = await make({ name: 'typed', ...fields });
  expect([made.status, made.link]).toEqual([status, '']);
  expect(made.html).toContain('Make a link');
  expect(await stall.app.admin.tokens.list(reader.email)).toHaveLength(before);
});

describe('the page of a link', () => {
  test('says what it opens, names no account, and loads nothing from elsewhere', async () => {
    const { link } = await make({ name: 'a secret place' });
    const { status, headers, html } = await open(link, cookies.ann);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'cache-control': 'private, no-store',
    });
    expect(html).toContain('The paid book');
    expect(html).toContain(`${stall.url}${link}`);
    expect(html).not.toMatch(/ann@example|a secret place/);
    for (const [, url = ''] of html.matchAll(/(?:src|href)="([^"]*)"/g)) expect(url).toMatch(/^[/#]/);
    expect(html).toContain('content="noindex"');
  });

  test('has lines for MCP only if the link may read', async () => {
    const request = { name: 'reads', slugs: [], reads: true, term: 'never' } as const;
    const { token } = await stall.app.admin.tokens.create(reader.email, request);
    const { html } = await open(`/i/${token}`, {});
    expect(html).toContain(`/i/${token}/mcp`);
    expect(html).toContain('codex mcp add');
    expect(html).not.toContain('BOOKSTALL_KEY');
    const taking = await open((await make({})).link, {});
    expect(taking.html).not.toContain('/mcp');
  });

  test('an account without items has a link that says so', async () => {
    const request = { name: 'x', slugs: [], reads: false, term: 'never' } as const;
    const { token } = await stall.app.admin.tokens.create(other.email, request);
    expect((await open(`/i/${token}`, {})).html).toContain('This link opens nothing now');
  });
});

test('the public page has the free lines, no key and no link, and is the same address for a crawler', async () => {
  const { status, html } = await open('/connect', {});
  expect(status).toBe(200);
  expect(html).toContain(`DO_NOT_TRACK=1 npx --yes skills add ${stall.url} --agent codex`);
  expect(html).toContain(
    `codex mcp add ${new URL(stall.url).host.replace(/\W/g, '-')} --url ${stall.url}/mcp`,
  );
  expect(html).toContain(`claude plugin marketplace add ${stall.url}/marketplace.json`);
  // No line of the page needs a key.
  expect(html).not.toMatch(/svc_|svi_|\/i\/|shelf\.git|BOOKSTALL_KEY|Bearer|connect git/);
  expect((await open('/robots.txt', {})).html).toContain('Disallow: /i/\n');
});

test('neither log nor database holds a link', async () => {
  const { link } = await make({});
  const secret = link.slice(3);
  for (const path of [
    link,
    `${link}/nothing`,
    `${link}/.well-known/skills/index.json`,
    `/${link}`,
    `/x?link=${link}`,
    `${link}/%zz`,
  ])
    await (
      await stall.fetch(path, { headers: { Accept: 'text/html', Referer: `${stall.url}${link}` } })
    ).text();
  await Bun.sleep(50);
  expect(JSON.stringify(stall.log)).not.toContain(secret.slice(8));
  const routes = stall.log.map(({ route }) => route).filter((route) => String(route).startsWith('/i/'));
  expect(routes).toContain('/i/:token');
  for (const file of new Bun.Glob('**/*').scanSync({ cwd: stall.data, absolute: true, dot: true }))
    expect(readFileSync(file).includes(secret.slice(8))).toBeFalse();
});

test.each(['/connect', LINKS])('%s begins each agent with one line, and leads to the keys', async (path) => {
  const { html } = await open(path);
  for (const name of ['claude', 'codex', 'cursor', 'gemini', 'opencode', 'vscode']) {
    const [, section = ''] = html.split(`<details id="${name}"`);
    const [before = '', others = ''] = section.split('<summary>Other ways</summary>');
    expect([name, before.match(/Recommended/g)?.length, before.match(/class="copy/g)?.length]).toEqual([
      name,
      1,
      1,
    ]);
    expect([name, others === '']).toEqual([name, false]);
  }
  expect(html).toContain('<a href="/dashboard/api-keys">');
});
