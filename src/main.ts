import './production.ts';
import { runCli } from './cli/cli.ts';

process.exit(
  await runCli(process.argv.slice(2), {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true,
    environment: process.env,
    exit: (code) => process.exit(code),
  }),
);
