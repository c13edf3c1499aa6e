import { formatNetworks } from '../../platform/http/address.ts';
import { localOriginOf } from '../../platform/config/config.ts';
import { isLoopback } from '../../platform/config/local-host.ts';
import { messageOf } from '../../platform/base/refusal.ts';
import { readServerState } from '../../platform/store/server-note.ts';
import { VERSION } from '../../platform/base/version.ts';
import { EN } from '../../words/en.ts';
import { LIBRARY } from '../../agents/oauth.rule.ts';
import { readReport } from '../../publishing/publication.ts';
import { databaseFile, fail, noteOf, ok, type Result, skip, type Subject, warn } from './subject.ts';
import { existsSync, statSync } from 'node:fs';

export async function examineServer({ config: { host, port }, server }: Subject): Promise<Result> {
  if (server.state === 'stopped') return examinePort(host, port);
  if (server.state === 'held') return ok('A server is starting, or a reindex is running');
  if (server.state !== 'running')
    return warn(
      'Cannot tell whether a server runs: this user may not read "serve.lock"',
      'Run this as the user the stall runs as',
    );
  const { pid, note } = server;
  if (note === null)
    return warn(
      `A server runs as process ${pid}, and its settings are unknown`,
      'Run this as its user; if it is of an older version, restart it',
    );
  const origin = localOriginOf(note.settings['host'] ?? '', note.settings['port'] ?? '');
  const answer = await probe(`${origin}/readyz`);
  if ('reason' in answer)
    return fail(
      `The server, process ${pid}, does not answer at ${origin} (${answer.reason})`,
      'Look into its log; if it does not come back, end it and start it again',
    );
  if (answer.status !== 200)
    return warn(
      `The server, process ${pid}, is not ready: it starts or stops`,
      'Wait, and look into its log: it says how far compiling is',
    );
  if (note.version !== VERSION)
    return warn(
      `The server is version ${note.version}, this program ${VERSION}`,
      'Restart the server to run the version that is installed',
    );
  const since = new Date(note.startedAt).toISOString();
  return ok(`Version ${note.version}, process ${pid}, ready at ${origin} since ${since}`);
}

function examinePort(hostname: string, port: number): Result {
  try {
    Bun.listen({ hostname, port, socket: { data: () => {} } }).stop(true);
    return ok('No server runs, and one could listen');
  } catch (error) {
    return fail(
      `No server runs, and none could listen on ${hostname}:${port}: ${messageOf(error)}`,
      'Stop the program that listens there, or choose another port with --port',
    );
  }
}

/** Checks that passwords and keys are encrypted on their way, and that the public address leads to this server. */
export async function examineBaseUrl({ config, server, serving }: Subject): Promise<Result> {
  const { baseUrl, host, port, insecureHttp } = config;
  const isOwn = isLoopback(host) && (baseUrl === null || isLocal(new URL(baseUrl)));
  // Only the base URL tells whether the proxy in front speaks TLS.
  if (!isOwn && !baseUrl?.startsWith('https:'))
    return (insecureHttp ? warn : fail)(
      'Readers come by plain http: others on the way can read passwords and keys, and assistants cannot sign in',
      'Put a proxy with TLS in front, and start the server with --base-url https://…',
    );
  if (baseUrl === null) return ok(`Only this machine reaches the stall, at http://${host}:${port}`);
  if (serving !== null) return ok(`Readers come by ${baseUrl}`);
  if (noteOf(server) === null)
    return ok(`${baseUrl}; nothing was asked there, for no server is known to run`);
  // Behind a proxy, asks for the catalog: it has a request limit, for which the server notes how the proxy forwards addresses.
  // Without a proxy, asks for another page: the server would take the doctor for a proxy that forwards none.
  const isDirect = isOwn && new URL(baseUrl).port === String(port);
  const answer = await probe(`${baseUrl}${isDirect ? '/readyz' : '/api/items?limit=1'}`);
  if ('reason' in answer)
    return warn(
      `${baseUrl} does not answer from here (${answer.reason})`,
      'Check the proxy, its certificate and the address of the name; if only others can reach it, ask from there',
    );
  const passesOn = `whether the proxy passes requests on to ${localOriginOf(host, port)}`;
  if (answer.status >= 500) return warn(`${baseUrl} answers ${answer.status}`, `Look ${passesOn}`);
  if (answer.status === 200 && !(await isOurCatalog(answer.body, config.data)))
    return warn(`${baseUrl} is answered by another server`, `Check the address of the name, and ${passesOn}`);
  const header = config.proxySignIn?.header ?? null;
  if (header !== null && (await takesForged(baseUrl, header)))
    return fail(
      `Anybody can sign in as anybody at ${baseUrl}: the proxy passes a forged ${header} on`,
      `Have the proxy remove or replace the ${header} of every request, on each path`,
    );
  const fault = isDirect ? null : await findAssistantFault(baseUrl);
  if (fault !== null)
    return warn(
      `Assistants such as Claude cannot sign in: ${fault}`,
      `Have the proxy pass on /.well-known/, /authorize, /token, /register, /revoke and ${LIBRARY}, with all headers`,
    );
  return ok(`${baseUrl} leads to this server${header === null ? '' : `, and a forged ${header} does not`}`);
}

/**
 * Whether the proxy lets a forged sign-in header through. Its value has a comma, so the stall refuses it and signs nobody in.
 */
async function takesForged(baseUrl: string, header: string): Promise<boolean> {
  const { body } = await probe(`${baseUrl}/`, { [header]: 'the doctor, forged' });
  return body?.includes(EN.refusals.account.proxyHeader({ header })) === true;
}

/** Finds what keeps an assistant from signing in at the public address: a path or header that a proxy does not pass on. */
async function findAssistantFault(baseUrl: string): Promise<string | null> {
  for (const name of ['oauth-authorization-server', `oauth-protected-resource${LIBRARY}`]) {
    const address = `${baseUrl}/.well-known/${name}`;
    const { body } = await probe(address);
    if (body?.includes(`"${baseUrl}"`) !== true) return `${address} is not answered by this server`;
  }
  const { challenge } = await probe(`${baseUrl}${LIBRARY}`);
  const isWhole = challenge?.includes('resource_metadata=') === true;
  return isWhole ? null : `${baseUrl}${LIBRARY} is answered without WWW-Authenticate`;
}

async function isOurCatalog(body: string, data: string): Promise<boolean> {
  if (body === 'ready\n') return true;
  const served = new Set(
    (await readReport(data))?.items.map(({ slug, digest }) => `${slug} sha256:${digest}`),
  );
  try {
    const { items } = JSON.parse(body) as { items: readonly { slug: string; digest: string }[] };
    return items.every(({ slug, digest }) => served.has(`${slug} ${digest}`));
  } catch {
    return false;
  }
}

const SHARED = 'all readers share one budget';

/** Checks that the stall can tell readers behind a proxy apart, and that no reader can pretend to be another. */
export function examineProxy({ config: { trustedProxies, data, baseUrl, host } }: Subject): Result {
  // Reads the note again: the request to the base URL may have just come through the proxy.
  const { unlisted, silent, forwarding } = noteOf(readServerState(data))?.proxies ?? {};
  const listed = formatNetworks(trustedProxies);
  if (trustedProxies.some(([, prefixLength]) => prefixLength === 0))
    return warn(
      'Every address is trusted as a proxy: any reader can choose the address that is counted',
      'Start the server with the addresses of your proxies alone in --trusted-proxies',
    );
  if (unlisted !== undefined)
    return warn(
      `A proxy at ${unlisted} forwards addresses and is not trusted: ${SHARED}`,
      `If it is yours, start the server with --trusted-proxies ${listed}${listed === '' ? '' : ','}${unlisted}`,
    );
  if (trustedProxies.length > 0 && silent !== undefined && forwarding === undefined)
    return warn(
      `Requests come from the trusted proxy at ${silent} without X-Forwarded-For: ${SHARED}`,
      'Have it add the header: in nginx "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;"',
    );
  if (trustedProxies.length > 0) return ok(`${listed} is trusted`);
  // Only a proxy can serve https, or the base URL of another machine while the server listens only on this one.
  const url = baseUrl === null ? null : new URL(baseUrl);
  if (url !== null && (url.protocol === 'https:' || (isLoopback(host) && !isLocal(url))))
    return warn(
      `${baseUrl} means that a proxy is in front, and none is trusted: ${SHARED}`,
      'Start the server with --trusted-proxies and the address its requests come from, such as 127.0.0.1',
    );
  return ok('No proxy is trusted, and none was seen');
}

const isLocal = ({ hostname }: URL): boolean => isLoopback(hostname);

const PATIENCE = 5000;

/** Requests a URL once, without credentials. Returns the answer's status, body and challenge, or the reason why none came. */
async function probe(url: string, headers: Readonly<Record<string, string>> = {}) {
  try {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE) });
    const challenge = answer.headers.get('www-authenticate');
    return { status: answer.status, body: await answer.text(), challenge };
  } catch (error) {
    const { name, code, message } = error as NodeJS.ErrnoException;
    return { reason: name === 'TimeoutError' ? `no answer in ${PATIENCE / 1000} s` : (code ?? message) };
  }
}

/** Checks which system user runs the stall, and that the doctor runs as that user. */
export function examineUser({ config, server }: Subject): Result {
  const own = process.getuid?.();
  if (own === undefined) return skip('This system has no user ids');
  const owned = [databaseFile(config), config.data].find((path) => existsSync(path));
  const runner = noteOf(server)?.uid ?? (owned === undefined ? own : statSync(owned).uid);
  if (runner === 0)
    return warn(
      server.state === 'running' ? 'The server runs as root' : 'The stall belongs to root',
      'Give it a user of its own: "chown -R" the data directory to that user, and start the server as that user',
    );
  if (own !== runner)
    return warn(
      `The doctor runs as user ${own}, the stall as user ${runner}: the doctor may not see all that the stall sees`,
      `Run it as that user: sudo -u '#${runner}' bookstall doctor`,
    );
  return ok(`The stall runs as user ${runner}`);
}
