import './production.ts';
import { runCli } from './cli/cli.ts';

const code = await runCli(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  environment: process.env,
  exit: (code) => process.exit(code),
});
// A pipe takes 64 KiB; the end of the process would lose what its reader has not taken yet.
for (const stream of [process.stdout, process.stderr]) await new Promise<void>((ended) => stream.end(ended));
process.exit(code);
