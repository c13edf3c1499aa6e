import { createDeferred } from '../../client/deferred.ts';
import { Refusal } from '../../refusal.ts';
import { UsageError } from '../command.ts';

const LONGEST = 4096;

/** The key from standard input, to its end. */
export async function readStdin(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.length > LONGEST) break;
  }
  return text.trim();
}

/** Asks for a line at the terminal that is not shown; Ctrl-C and Ctrl-D refuse. */
export function promptHidden(question: string, write: (text: string) => void): Promise<string> {
  const { stdin } = process;
  if (!stdin.isTTY)
    throw new UsageError(
      'Cannot ask for the key: this is no terminal; pass it with --key-stdin, as in "bookstall login --key-stdin < FILE"',
    );
  const { promise, resolve, reject } = createDeferred<string>();
  let typed = '';
  const finish = (settle: () => void): void => {
    stdin.off('data', onData);
    stdin.setRawMode(false);
    stdin.pause();
    write('\n');
    settle();
  };
  const onData = (chunk: Buffer): void => {
    for (const character of chunk.toString('utf8')) {
      if (character === '\r' || character === '\n') return finish(() => resolve(typed.trim()));
      if (character === '\u0003' || character === '\u0004')
        return finish(() => reject(new Refusal('invalid-request', 'Stopped: nothing was saved')));
      if (character === '\u007f' || character === '\b') typed = typed.slice(0, -1);
      else if (typed.length < LONGEST) typed += character;
    }
  };
  // Before the question: what is typed at once would be shown.
  stdin.setRawMode(true);
  stdin.on('data', onData);
  stdin.resume();
  write(question);
  return promise;
}
