import { THRESHOLD } from './threshold.ts';
import { messageOf } from '../../refusal.ts';

/** The answer of a URL, or in a word why there was none. */
type Probe =
  | { readonly answered: true; readonly status: number; readonly body: string }
  | { readonly answered: false; readonly reason: string };

/** Asks a URL once, without credentials. */
export async function probe(url: string): Promise<Probe> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(THRESHOLD.answer) });
    return { answered: true, status: answer.status, body: await answer.text() };
  } catch (error) {
    return { answered: false, reason: reasonOf(error) };
  }
}

/** Whether some program takes connections there; null if that is unknown. */
export async function isListening(hostname: string, port: number): Promise<boolean | null> {
  const connected = Bun.connect({ hostname, port, socket: { data: () => {} } }).then(
    (socket) => {
      socket.end();
      return true;
    },
    (error: unknown) => (codeOf(error) === 'ECONNREFUSED' ? false : null),
  );
  return Promise.race([connected, Bun.sleep(THRESHOLD.connect).then(() => null)]);
}

/** The address at which this machine reaches a server that listens on `host`. */
export function reachable(host: string): string {
  return { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
}

/** The origin of a server on this machine. */
export function originOf(host: string, port: string): string {
  const name = reachable(host);
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (error instanceof Error && error.name === 'TimeoutError')
    return `no answer in ${THRESHOLD.answer / 1000} s`;
  return code ?? messageOf(error);
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
