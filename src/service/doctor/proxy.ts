import { formatNetworks } from '../../budget/address.ts';
import { isLoopback } from '../../config.ts';
import { readServerState } from '../../store/lock/server-note.ts';
import { readReport } from '../publish/report.ts';
import { originOf, probe, reachable } from './probe.ts';
import { ok, type Result, warn } from './result.ts';
import { noteOf, type Subject } from './subject.ts';

const SHARED = 'all readers share one budget';

/** Whether the public address leads to this server. */
export async function examineBaseUrl({ config, server }: Subject): Promise<Result> {
  const { baseUrl, host, port } = config;
  if (baseUrl === null) return examineDefault(host, port);
  if (noteOf(server) === null)
    return ok(`${baseUrl}; nothing was asked there, for no server is known to run`);
  const answer = await probe(`${baseUrl}${wayThrough(baseUrl, host, port)}`);
  if (!answer.answered)
    return warn(
      `${baseUrl} does not answer from here (${answer.reason})`,
      'Check the proxy, its certificate and the address of the name; if only others can reach it, ask from there',
    );
  if (answer.status >= 500)
    return warn(
      `${baseUrl} answers ${answer.status}`,
      `Look whether the proxy passes requests on to ${originOf(host, String(port))}`,
    );
  if (answer.status === 200 && !(await isOurCatalog(answer.body, config.data)))
    return warn(
      `${baseUrl} is answered by another server`,
      `Check the address of the name, and whether the proxy passes requests on to ${originOf(host, String(port))}`,
    );
  return ok(`${baseUrl} leads to this server`);
}

/** Whether readers behind a proxy are told apart, and none can pretend to be another. */
export function examineProxy({ config }: Subject): Result {
  const { trustedProxies, data } = config;
  // Read again: the request to the base URL may just have come through the proxy.
  const { unlisted, silent, forwarding } = noteOf(readServerState(data))?.proxies ?? {};
  if (trustedProxies.some(([, prefixLength]) => prefixLength === 0))
    return warn(
      'Every address is trusted as a proxy: any reader can choose the address that is counted',
      'Start the server with the addresses of your proxies alone in --trusted-proxies',
    );
  if (unlisted !== undefined)
    return warn(
      `A proxy at ${unlisted} forwards addresses and is not trusted: ${SHARED}`,
      `If it is yours, start the server with --trusted-proxies ${formatNetworks(trustedProxies)}${trustedProxies.length > 0 ? ',' : ''}${unlisted}`,
    );
  if (trustedProxies.length === 0) return examineUntrusting(config);
  if (silent !== undefined && forwarding === undefined)
    return warn(
      `Requests come from the trusted proxy at ${silent} without X-Forwarded-For: ${SHARED}`,
      'Have it add the header: in nginx "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;"',
    );
  const seen =
    forwarding === undefined ? 'no request came through it yet' : `${forwarding} forwards addresses`;
  return ok(`${formatNetworks(trustedProxies)} is trusted; ${seen}`);
}

function examineDefault(host: string, port: number): Result {
  const origin = `http://${host}:${port}`;
  if (reachable(host) === host) return ok(`None is set: install records name ${origin}`);
  return warn(
    `None is set: install records name ${origin}, which no reader can reach`,
    'Start the server with --base-url and the address that readers use',
  );
}

/** A base URL that this server cannot serve by itself means that a proxy is in front. */
function examineUntrusting({ baseUrl, host }: Subject['config']): Result {
  const url = baseUrl === null ? null : new URL(baseUrl);
  const isFronted = url !== null && (url.protocol === 'https:' || (isLoopback(host) && !isLocal(url)));
  if (!isFronted) return ok('No proxy is trusted, and none was seen');
  return warn(
    `${baseUrl} means that a proxy is in front, and none is trusted: ${SHARED}`,
    'Start the server with --trusted-proxies and the address its requests come from, such as 127.0.0.1',
  );
}

/** The catalog, since budgets look at the client's address; not without a proxy, since the request would look like that of a silent one. */
function wayThrough(baseUrl: string, host: string, port: number): string {
  const url = new URL(baseUrl);
  const isDirect = isLocal(url) && isLoopback(host) && url.port === String(port);
  return isDirect ? '/readyz' : '/api/items?limit=1';
}

function isLocal({ hostname }: URL): boolean {
  return isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

async function isOurCatalog(body: string, data: string): Promise<boolean> {
  if (body === 'ready\n') return true;
  const known = (await readReport(data))?.items ?? [];
  try {
    const { items } = JSON.parse(body) as { items: readonly { slug: string; digest: string }[] };
    return items.every((item) =>
      known.some(({ slug, digest }) => slug === item.slug && `sha256:${digest}` === item.digest),
    );
  } catch {
    return false;
  }
}
