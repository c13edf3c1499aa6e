// A server of documents of OAuth clients, with a certificate of its own authority, behind a public address.
import { afterAll } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from '../helpers/harness.ts';
import { type Json, REDIRECT } from './assistant.ts';

export const canServe = Bun.which('openssl') !== null;
if (!canServe) console.warn('SKIPPED: documents of OAuth clients, for openssl is not installed');

export const HOST = 'client.example';
export const PUBLIC = '93.184.215.14';
export type Answer = (response: ServerResponse) => void;

/** A server of documents at `HOST`, on this machine, whose name leads to a public address. */
export async function openNetwork() {
  const directory = temporaryDirectory();
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const request = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const name = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
  Bun.spawnSync(['openssl', 'req', ...request, ...name, '-keyout', key, '-out', cert]);
  const ca = readFileSync(cert, 'utf8');
  const seen = { asked: 0, resolved: 0, dialled: [] as string[], headers: [] as unknown[] };
  const said: { answer: Answer; addresses: readonly string[] } = {
    answer: (r) => r.end(),
    addresses: [PUBLIC],
  };
  const tls = { key: readFileSync(key), cert: ca };
  const server = createServer(tls, ({ headers }, response) => {
    seen.asked++;
    seen.headers.push(headers);
    said.answer(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  afterAll(() => server.close());
  const id = `https://${HOST}:${(server.address() as AddressInfo).port}/oauth/client.json`;
  const network = {
    ca,
    resolve: async () => {
      seen.resolved++;
      return said.addresses.map((address) => ({ address }));
    },
    dial: (address: string) => {
      seen.dialled.push(address);
      return '127.0.0.1';
    },
  };
  return { network, seen, said, id, tls };
}

export const documentOf = (id: string, more: Json = {}): string =>
  JSON.stringify({ client_id: id, client_name: 'Claude', redirect_uris: [REDIRECT], ...more });

export const send =
  (body: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(body);
