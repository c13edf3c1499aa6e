import { runCli } from '../../../src/stall-program.ts';

/** Types a command line and gives what it said; `environment` replaces the process's own. */
export async function type(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  isTerminal = false,
) {
  let [out, err] = ['', ''];
  const code = await runCli(words, {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    isTerminal,
    isColoured: false,
    environment,
    exit: () => {
      throw new Error('A command ended the process');
    },
  });
  return { code, out, err };
}
