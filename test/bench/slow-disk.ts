// Other routes while every sync of the disk takes 5 ms longer and rows are written all the time.
import { ms, type Row } from './figure.ts';
import { describe, type Latencies, request, runOpenLoop } from './open-loop.ts';
import { LONG_BOOK, openShop, PAID, type Shop, word } from './shop.ts';
import { quantile } from './stall-process.ts';

const SECONDS = 20;
const DELAY = 5000;

/** seccomp stops the syscalls that are named and no other, so that the tracer slows nothing else. */
const STRACE = [
  'strace',
  '-f',
  '--seccomp-bpf',
  '-qq',
  '-o',
  '/dev/null',
  '-e',
  'trace=fsync,fdatasync',
  '-e',
  `inject=fsync,fdatasync:delay_exit=${DELAY}`,
];

const READERS = 40;
const INSTALLS = 400;
const QUESTIONS = 40;
const PROBES = ['library', 'catalog', '/livez'] as const;

/** Library, catalog and /livez beside questions and installs that write rows; first with the disk as it is, to compare. */
export async function measureSlowDisk(): Promise<readonly Row[]> {
  const usual = await measure([]);
  const slowed = await measure(STRACE);
  if (slowed.question < DELAY / 1000)
    throw new Error(`No sync was slowed: a question took ${ms(slowed.question)}`);
  const questions = `a question itself: p50 ${ms(slowed.question)}, ${ms(usual.question)} without`;
  return PROBES.map((name) => toRow(name, slowed.probes[name], usual.probes[name], questions));
}

async function measure(prefix: readonly string[]) {
  const shop = await openShop({ readers: READERS, prefix });
  const [load, probes] = await Promise.all([
    runOpenLoop({ port: shop.port, seconds: SECONDS + 2, streams: writers(shop) }),
    Bun.sleep(1000).then(() => runOpenLoop({ port: shop.port, seconds: SECONDS, streams: probesOf(shop) })),
  ]);
  await shop.stop();
  return { probes, question: quantile(load.questions.sorted, 0.5) };
}

function toRow(name: string, slowed: Latencies, usual: Latencies, questions: string): Row {
  const [p50, p99] = [quantile(slowed.sorted, 0.5), quantile(slowed.sorted, 0.99)];
  return {
    figure: `${name} while every fsync and fdatasync takes 5 ms longer, under ${INSTALLS} installs and ${QUESTIONS} questions a second (${questions})`,
    bound: 'p50 < 1 ms, p99 < 10 ms',
    measured: `${describe(slowed)}; without: ${describe(usual)}`,
    ratio: '',
    isMet: p50 < 1 && p99 < 10 && slowed.failed === 0,
    command: 'bun run bench slow-disk',
  };
}

function writers({ key }: Shop) {
  const readers = Array.from({ length: READERS }, (_, reader) => key(reader));
  const question = { book_id: LONG_BOOK, query: `What about ${word(77)} and ${word(823)} in ${word(4)}?` };
  return [
    {
      name: 'installs',
      rate: INSTALLS,
      requests: readers.map((headers) => request(`/api/install/${PAID}`, headers)),
    },
    {
      name: 'questions',
      rate: QUESTIONS,
      requests: readers.map((headers) => request('/api/agent/fetch', headers, question)),
    },
  ] as const;
}

function probesOf({ key }: Shop) {
  return [
    { name: PROBES[0], rate: 100, requests: [request('/api/cli/library', key())] },
    { name: PROBES[1], rate: 100, requests: [request('/api/items')] },
    { name: PROBES[2], rate: 100, requests: [request('/livez')] },
  ] as const;
}
