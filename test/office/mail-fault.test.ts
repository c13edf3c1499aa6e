import { expect, test } from 'bun:test';
import { createServer, type Socket } from 'node:net';
import type { SMTPServerOptions } from 'smtp-server';
import { makeCertificate, openMailServer } from '../mailing/mail-server.ts';
import { openAdmin, wordsOf } from './visit.ts';

const PATH = '/admin/settings/mail';
const { send } = await openAdmin({ files: {} });

const refuse = (responseCode: number) => Object.assign(new Error('Because'), { responseCode });
const portOf = async (options: SMTPServerOptions) => (await openMailServer(options)).port;

/** A server that does with a connection what `listen` does. */
async function portOfRaw(listen: (socket: Socket) => void) {
  const server = createServer(listen).listen(0, '127.0.0.1');
  server.unref();
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as { port: number }).port;
}

test.each([
  ['is not known', { host: 'nowhere.invalid' }, 'no server has this name', /ENOTFOUND|EAI_AGAIN|ENODATA/],
  ['refuses the connection', { port: 9 }, 'nothing answers at this port', 'ECONNREFUSED'],
  ['is silent', { port: () => portOfRaw(() => {}) }, 'it is silent', 'Greeting never received'],
  [
    'speaks no TLS',
    { encryption: 'tls', port: () => portOf({}) },
    'it does not speak this encryption',
    'WRONG_',
  ],
  [
    'has a wrong certificate',
    { encryption: 'tls', port: () => portOf({ secure: true, ...makeCertificate() }) },
    'its certificate is not for this host',
    'self signed',
  ],
  [
    'refuses the login',
    { user: 'ada', secret: 'wrong', port: () => portOf({ onAuth: (_, __, done) => done(refuse(535)) }) },
    'it refuses the user or the password',
    '535 Because',
  ],
  [
    'refuses the sender',
    { port: () => portOf({ onMailFrom: (_, __, done) => done(refuse(550)) }) },
    'it refuses this sender',
    '550 Because',
  ],
  [
    'refuses the recipient',
    { port: () => portOf({ onRcptTo: (_, __, done) => done(refuse(550)) }) },
    'it refuses your address',
    '550 Because',
  ],
  [
    'refuses the mail',
    { port: () => portOf({ onData: (_, __, done) => done(refuse(554)) }) },
    'it refuses the mail itself',
    '554 Because',
  ],
  ['eats the mail', { port: () => portOf({ onData: () => {} }) }, 'it fell silent in the middle', 'Timeout'],
  [
    'breaks off',
    { port: () => portOfRaw((socket) => void socket.end('220 localhost\r\n')) },
    'it broke off',
    'closed',
  ],
] as const)(
  'a mail server that %s is told in its own words, with those that came back',
  async (_, fields, sentence, raw) => {
    const { port = 2525, ...others } = fields as { port?: number | (() => Promise<number>) };
    const number = typeof port === 'number' ? port : await port();
    const server = {
      setting: 'server',
      host: 'localhost',
      encryption: 'starttls',
      from: 'stall@example.org',
    };
    expect((await send(PATH, { ...server, ...others, port: String(number) })).status).toBe(303);
    const { status, html } = await send(`${PATH}/test`);
    expect([status, wordsOf(html)]).toEqual([400, expect.stringContaining(sentence)]);
    expect(wordsOf(html)).toMatch(raw);
  },
);
