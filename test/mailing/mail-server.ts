import { afterAll } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { temporaryDirectory } from '../helpers/harness.ts';

/** A mail as the server took it: its envelope, its headers with lines unfolded, and its text decoded. */
export type ReceivedMail = {
  readonly from: string;
  readonly to: readonly string[];
  readonly header: (name: string) => string | null;
  readonly text: string;
  /** The part of HTML; null if the mail is only text. */
  readonly html: string | null;
  readonly source: string;
  readonly user: string | null;
  readonly isEncrypted: boolean;
};

/** A real SMTP server on a free port of this machine; it ends with the file's tests. */
export async function openMailServer(options: SMTPServerOptions = {}) {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    // A connection may wait for one more mail.
    closeTimeout: 10,
    ...options,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const refuse = options.onData;
        if (refuse !== undefined) return refuse.call(server, stream, session, done);
        received.push({
          ...readMail(Buffer.concat(chunks).toString()),
          from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
          to: session.envelope.rcptTo.map(({ address }) => address),
          user: typeof session.user === 'string' ? session.user : null,
          isEncrypted: session.secure,
        });
        done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return {
    port,
    received,
    /** The next mail to an address, once it is there. */
    async waitFor(to: string, count = 1): Promise<ReceivedMail> {
      for (;;) {
        const mails = received.filter((mail) =>
          mail.to.some((one) => one.toLowerCase() === to.toLowerCase()),
        );
        const last = mails[count - 1];
        if (last !== undefined) return last;
        await Bun.sleep(5);
      }
    },
  };
}

/** The parts of a mail: one of text, and perhaps one of HTML. */
function readMail(source: string): Pick<ReceivedMail, 'header' | 'text' | 'html' | 'source'> {
  const [, boundary] = /^Content-Type: multipart\/alternative;\s+boundary="([^"]+)"/m.exec(source) ?? [];
  const { header, text } = readPart(source);
  if (boundary === undefined) return { source, header, text, html: null };
  const [, plain = '', html = ''] = source.split(`--${boundary}`).map((part) => part.replace(/^\r\n/, ''));
  return { source, header, text: readPart(plain).text, html: readPart(html).text };
}

function readPart(source: string): Pick<ReceivedMail, 'header' | 'text'> {
  const [head = '', ...body] = source.split('\r\n\r\n');
  const headers = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const header = (name: string): string | null =>
    headers
      .find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
      ?.slice(name.length + 1)
      .trim() ?? null;
  return {
    header,
    text: decode(body.join('\r\n\r\n'), header('Content-Transfer-Encoding')).replaceAll('\r\n', '\n'),
  };
}

function decode(body: string, encoding: string | null): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

/** A key and a certificate of `localhost` that is its own authority; null without openssl. */
export function makeCertificate(): { readonly key: string; readonly cert: string } | null {
  if (Bun.which('openssl') === null) return null;
  const folder = temporaryDirectory();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = [
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  Bun.spawnSync(['openssl', 'req', ...request, ...name, '-keyout', key, '-out', cert]);
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}
