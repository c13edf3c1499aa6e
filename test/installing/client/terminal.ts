const PTY = `
import os, pty, sys
shown, typed, seen = b'', sys.argv[1].encode().decode('unicode_escape').encode(), sys.argv[2].encode()
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[3], sys.argv[3:])
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    shown += part
    if typed and seen in shown:
        os.write(terminal, typed)
        typed = b''
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))`;

/** Runs a program at a terminal of its own; types a text once another one is seen, and gives all that was shown. */
export async function atTerminal(
  typed: string,
  seen: string,
  words: readonly string[],
  more: Readonly<Record<string, string>>,
) {
  const { PATH = '' } = process.env;
  const env = { PATH, TERM: 'xterm', ...more };
  const child = Bun.spawn(['python3', '-c', PTY, typed, seen, ...words], {
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  return { shown: await child.stdout.text(), code: await child.exited };
}
