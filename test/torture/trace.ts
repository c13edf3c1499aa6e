// Reads the output of `strace -f -tt -y -s … -o FILE`: strace(1), "The format of the output".

/** The calls that make, change or sync a file, send an answer, or start a process or thread. */
export const TRACED =
  'execve,clone,clone3,fork,vfork,openat,write,pwrite64,ftruncate,fsync,fdatasync,rename,link,unlink,unlinkat,mkdir,rmdir,sendto';

/** One system call; it was entered at line `begin` and had returned at line `end`. `result` is NaN if it never returned. */
export type Call = {
  readonly pid: number;
  readonly name: string;
  readonly args: string;
  readonly result: number;
  readonly begin: number;
  readonly end: number;
};

const LINE = /^(\d+) +[\d.:]+ (.*)$/s;
const UNFINISHED = /^(\w+)\((.*) <unfinished \.\.\.>$/s;
const RESUMED = /^<\.\.\. (\w+) resumed>(.*)\) += (-?\d+|\?|0x[0-9a-f]+).*$/s;
const WHOLE = /^(\w+)\((.*)\) += (-?\d+|\?|0x[0-9a-f]+).*$/s;

/** All calls of a trace, in the order they returned. */
export function readTrace(text: string): readonly Call[] {
  const calls: Call[] = [];
  const open = new Map<number, Omit<Call, 'end' | 'result'>>();
  text.split('\n').forEach((line, at) => {
    const [, pid = '', body = ''] = LINE.exec(line) ?? [];
    const [, whole, args = '', result = ''] = WHOLE.exec(body) ?? [];
    if (whole !== undefined)
      return calls.push({ pid: Number(pid), name: whole, args, result: Number(result), begin: at, end: at });
    const [, entered, first = ''] = UNFINISHED.exec(body) ?? [];
    if (entered !== undefined)
      return open.set(Number(pid), { pid: Number(pid), name: entered, args: first, begin: at });
    const [, resumed, rest = '', returned = ''] = RESUMED.exec(body) ?? [];
    const call = open.get(Number(pid));
    if (call === undefined || call.name !== resumed) return;
    open.delete(Number(pid));
    calls.push({ ...call, args: call.args + rest, result: Number(returned), end: at });
  });
  return calls;
}

/** The process that a thread belongs to: the one that was started by execve above it. */
export function processes(calls: readonly Call[]): (pid: number) => number {
  const parents = new Map<number, number>();
  for (const { pid, name, args, result } of calls)
    if (name.startsWith('clone') && args.includes('CLONE_THREAD')) parents.set(result, pid);
  const processOf = (pid: number): number => {
    const parent = parents.get(pid);
    return parent === undefined ? pid : processOf(parent);
  };
  return processOf;
}

/** The path behind a call's file descriptor (`-y`), or ''. */
export function pathOf({ args }: Call): string {
  return /^\d+<([^>]*)>/.exec(args)?.[1] ?? '';
}

/** The quoted texts among a call's arguments: paths, data. */
export function textsOf({ args }: Call): readonly Buffer[] {
  return [...args.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, quoted = '']) => unquote(quoted));
}

/** The last number among a call's arguments: an offset, a length. */
export function lastNumber({ args }: Call): number {
  return Number(/(\d+)$/.exec(args)?.[1]);
}

const LETTERS: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, v: 11, f: 12 };

function unquote(quoted: string): Buffer {
  const bytes = Buffer.alloc(quoted.length);
  let length = 0;
  for (let at = 0; at < quoted.length;) {
    const octal = quoted[at] === '\\' ? /^[0-7]{1,3}/.exec(quoted.slice(at + 1, at + 4))?.[0] : undefined;
    if (octal !== undefined) {
      bytes[length++] = Number.parseInt(octal, 8);
      at += 1 + octal.length;
    } else if (quoted[at] === '\\') {
      const letter = quoted[at + 1] ?? '';
      bytes[length++] = LETTERS[letter] ?? letter.charCodeAt(0);
      at += 2;
    } else bytes[length++] = quoted.charCodeAt(at++);
  }
  return bytes.subarray(0, length);
}
