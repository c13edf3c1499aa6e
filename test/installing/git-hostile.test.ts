import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { createGitClient } from './git/git-client.ts';
import { itemYaml, openStall, skillMd, until, writeFiles } from '../helpers/harness.ts';
import { openSocket, sendRaw } from '../platform/http/raw-socket.ts';
import { runs } from '../helpers/runs.ts';

const stall = await openStall();
const anna = await stall.reader('anna@example.org', 'paid-skill');
const TYPE = 'application/x-git-upload-pack-request';
const FREE = '/git/free-skill.git';
const PAID = '/git/paid-skill.git';

const line = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;
const fetchOf = (...words: string[]): string =>
  [line('command=fetch'), '0001', ...words.map(line), '0000'].join('');

function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
  headers: Record<string, string> = {},
) {
  const init = {
    method: 'POST',
    body,
    headers: { 'Content-Type': TYPE, 'Git-Protocol': 'version=2', ...headers },
  };
  return stall.fetch(`${path}/git-upload-pack`, init);
}

async function tipOf(path: string, headers: Record<string, string> = {}): Promise<string> {
  const text = await (await post(path, line('command=ls-refs') + '0000', headers)).text();
  return text.slice(4, 44);
}

describe('git is refused', () => {
  test('a commit of a paid item through the repository of a free one', async () => {
    const tip = await tipOf(PAID, anna.headers);
    expect(tip).toMatch(/^[0-9a-f]{40}$/);
    for (const version of [0, 2]) {
      const body =
        version === 2
          ? fetchOf(`want ${tip}`, 'done')
          : `${line(`want ${tip} side-band-64k`)}0000${line('done')}`;
      const answer = await post(FREE, body, { 'Git-Protocol': `version=${version}` });
      expect([answer.status, await answer.text()]).toEqual([
        200,
        line(`ERR upload-pack: not our ref ${tip}`),
      ]);
      const direct = await post(PAID, body, { 'Git-Protocol': `version=${version}` });
      expect(direct.status).toBe(401);
    }
  });

  test('a pack after its grant was revoked between the first request and the second', async () => {
    const bert = await stall.reader('bert@example.org', 'paid-skill');
    const tip = await tipOf(PAID, bert.headers);
    await stall.app.admin.grants.revoke(bert.email, 'paid-skill', null);
    expect((await post(PAID, fetchOf(`want ${tip}`, 'done'), bert.headers)).status).toBe(403);
    await stall.app.admin.keys.revoke(String(bert.keyId));
    expect((await post(PAID, fetchOf(`want ${tip}`, 'done'), bert.headers)).status).toBe(401);
  });

  test('a push, by git itself and by hand', async () => {
    const client = createGitClient(anna.key);
    await client.run('.', 'clone', '-q', `${stall.url}${FREE}`, 'free');
    await client.run(
      'free',
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@b',
      'commit',
      '--allow-empty',
      '-qm',
      'Mine',
    );
    const pushed = await client.run('free', 'push');
    expect(pushed.code).not.toBe(0);
    expect(pushed.err).toContain('remote: Cannot push: the repositories of a stall are read only');
    const direct = await stall.fetch(`${FREE}/git-receive-pack`, {
      method: 'POST',
      body: 'x',
      headers: anna.headers,
    });
    expect([direct.status, await direct.text()]).toEqual([403, expect.stringContaining('Cannot push')]);
  });

  test.each([
    ['without a service', `${FREE}/info/refs`],
    ['with another service', `${FREE}/info/refs?service=git-upload-archive`],
    ['of HEAD', `${FREE}/HEAD`],
    ['of packs', `${FREE}/objects/info/packs`],
    ['of a loose object', `${FREE}/objects/aa/${'b'.repeat(38)}`],
    ['of a path outside', `${FREE}/objects/..%2f..%2f..%2fetc%2fpasswd`],
  ])('the protocol of plain files %s', async (_, path) => {
    const answer = await stall.fetch(path);
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('smart protocol')]);
  });

  test.each([
    ['in upper case', '/git/FREE-SKILL.git'],
    ['in capitals alone', '/GIT/free-skill.git'],
    ['with an encoded slash', '/git/free-skill%2f..%2fpaid-skill.git'],
    ['with a doubled slash', '/git//free-skill.git'],
    ['with .git twice', '/git/free-skill.git.git'],
    ['of a prototype', '/git/__proto__.git'],
    ['with NUL', '/git/free-skill%00.git'],
  ])('a repository %s', async (_, path) => {
    const answer = await stall.fetch(`${path}/info/refs?service=git-upload-pack`, { headers: anna.headers });
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('free-skill.git/');
  });
});

describe('a body sent to git-upload-pack', () => {
  const bomb = new Uint8Array(gzipSync(Buffer.alloc(64 * 1024 * 1024)));
  const lines = (count: number) => new Uint8Array(Buffer.from(line('have x').repeat(count)));
  test.each([
    ['that unpacks to 64 MiB', bomb, { 'Content-Encoding': 'gzip' }, 413],
    ['of more than 1 MiB', new Uint8Array(1024 * 1024 + 1), {}, 413],
    ['that is no gzip', new Uint8Array(100), { 'Content-Encoding': 'gzip' }, 400],
    [
      'that is cut gzip',
      new Uint8Array(gzipSync(randomBytes(1000)).subarray(0, 500)),
      { 'Content-Encoding': 'gzip' },
      400,
    ],
    ['of another encoding', lines(1), { 'Content-Encoding': 'br' }, 415],
    ['of another type', lines(1), { 'Content-Type': 'application/json' }, 415],
    ['without a type', lines(1), { 'Content-Type': '' }, 415],
  ] as const)('%s is refused', async (_, body, headers, status) => {
    const before = process.memoryUsage().rss;
    const answer = await post(FREE, body, headers);
    expect([answer.status, await answer.text()]).toEqual([
      status,
      expect.stringMatching(/^Cannot [^\n]+\n$/),
    ]);
    expect(process.memoryUsage().rss - before).toBeLessThan(48 * 1024 * 1024);
  });

  test.each([
    ['of no bytes', new Uint8Array(0), 'no command'],
    ['of 5,001 lines', lines(5001), 'more than 5000 lines'],
    ['of a million flushes', new Uint8Array(Buffer.from('0000'.repeat(250_000))), 'more than 5000 lines'],
    ['of one endless line', new Uint8Array(Buffer.from(`fff0${'x'.repeat(1000)}`)), 'a line that is cut'],
    ['of a wrong length', new Uint8Array(Buffer.from('zzzz')), 'a line without a length'],
  ] as const)('%s is an error that git prints', async (_, body) => {
    for (const version of ['version=2', '']) {
      const answer = await post(FREE, body, { 'Git-Protocol': version });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toMatch(/^[0-9a-f]{4}ERR upload-pack: [^\n]+$/);
    }
  });

  test('that never ends is cut at 1 MiB', async () => {
    let sent = 0;
    const endless = new ReadableStream({
      async pull(controller) {
        controller.enqueue(new Uint8Array(64 * 1024));
        sent += 64 * 1024;
        await Bun.sleep(0);
      },
    });
    const answer = await post(FREE, endless).catch(() => null);
    if (answer !== null) expect(answer.status).toBe(413);
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  test('of any words gets the tip or an error, and the stall goes on', async () => {
    const tip = await tipOf(FREE);
    const words = fc.constantFrom(
      'done',
      `want ${tip}`,
      `want ${'b'.repeat(40)}`,
      `have ${tip}`,
      'deepen 1',
      'ofs-delta',
      `shallow ${tip}`,
      'want-ref HEAD',
    );
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 100 }).map((bytes) => Uint8Array.from(bytes)),
      fc.array(words).map((some) => new Uint8Array(Buffer.from(fetchOf(...some)))),
    );
    await fc.assert(
      fc.asyncProperty(bodies, fc.constantFrom('version=2', 'version=1', ''), async (body, version) => {
        const answer = await post(FREE, body, { 'Git-Protocol': version });
        expect(answer.status).toBe(200);
        const bytes = Buffer.from(await answer.arrayBuffer());
        if (bytes.includes('PACK') && bytes.length > 200)
          expect(Buffer.from(body).includes(`want ${tip}`)).toBe(true);
      }),
      { numRuns: runs(500) },
    );
    expect(await tipOf(FREE)).toBe(tip);
  });
});

test('a pack is sent to who never made the first request, and counted', async () => {
  const tip = await tipOf(PAID, anna.headers);
  const answer = await post(PAID, fetchOf(`want ${tip}`, 'done'), anna.headers);
  expect(Buffer.from(await answer.arrayBuffer()).includes('PACK')).toBe(true);
  await until(async () =>
    stall.app.admin.logs.downloads(anna.email, null).some(({ door }) => door === 'git'),
  );
});

test('a clone that is under way ends when its grant is revoked, and is no whole pack', async () => {
  writeFiles(stall.content, {
    'skills/large/item.yaml': itemYaml({ unitAmountCents: 500 }),
    'skills/large/SKILL.md': skillMd('large'),
    'skills/large/noise.bin': randomBytes(24 * 1024 * 1024),
  });
  await stall.app.publish();
  const carl = await stall.reader('carl@example.org', 'large');
  const tip = await tipOf('/git/large.git', carl.headers);
  const body = fetchOf(`want ${tip}`, 'done');
  const socket = openSocket(
    stall.url,
    [
      'POST /git/large.git/git-upload-pack HTTP/1.1',
      `Host: ${new URL(stall.url).host}`,
      `Content-Type: ${TYPE}`,
      'Git-Protocol: version=2',
      `Content-Length: ${body.length}`,
      `Authorization: Bearer ${carl.key}`,
    ],
    body,
  );
  await new Promise((resolve) => socket.once('readable', resolve));
  await stall.app.admin.grants.revoke(carl.email, 'large', null);
  await Bun.sleep(2500);
  let received = 0;
  let end = Buffer.alloc(0);
  const taken = (async () => {
    for await (const chunk of socket) {
      received += (chunk as Buffer).length;
      end = Buffer.concat([end, chunk as Buffer]).subarray(-5);
    }
  })();
  // The connection is broken, so that git takes no half for the whole.
  await taken.catch(() => {});
  expect(received).toBeLessThan(24 * 1024 * 1024);
  expect(end.toString()).not.toBe('0\r\n\r\n');
});

test('the sentence of a refusal has no markup of the request, and no header of it', async () => {
  const answer = await sendRaw(stall.url, [
    'GET /git/%3Cscript%3E%0d%0aX-Evil:1.git/info/refs?service=git-upload-pack HTTP/1.1',
    `Host: ${new URL(stall.url).host}`,
    'Connection: close',
  ]);
  expect(answer?.headers['x-evil']).toBeUndefined();
  expect(answer?.headers['content-type']).toBe('text/plain; charset=utf-8');
});

test('a body that ends before its said length is no fault of the stall', async () => {
  const requests = () => stall.log.filter(({ event }) => event === 'request').length;
  const before = requests();
  const lines = [`POST ${FREE}/git-upload-pack HTTP/1.1`, 'Host: x', `Content-Type: ${TYPE}`];
  const socket = openSocket(stall.url, [...lines, 'Content-Length: 100'], '0032');
  await Bun.sleep(50);
  socket.destroy();
  await until(() => requests() > before);
  expect(stall.log.filter(({ event }) => event === 'internal-error')).toEqual([]);
});
