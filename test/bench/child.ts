// Programs the benches start, and ports they listen on.
import type { Subprocess } from 'bun';

const children = new Set<Subprocess>();
process.on('exit', () => children.forEach((child) => child.kill('SIGTERM')));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** Makes sure that a program ends with the bench, even if the bench fails. */
export function own<Child extends Subprocess>(child: Child): Child {
  children.add(child);
  child.exited.finally(() => children.delete(child)).catch(() => {});
  return child;
}

/** Ends what a bench left behind. Twice: the second signal spares the stall its drain. Not SIGKILL, which a tracer would not pass on. */
export async function endChildren(): Promise<void> {
  for (const _ of [1, 2]) {
    children.forEach((child) => child.kill('SIGTERM'));
    await Promise.race([Promise.all([...children].map((child) => child.exited)), Bun.sleep(500)]);
  }
}

/** A free port of 127.0.0.1. */
export function freePort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}
