import './production.ts';
import { runCli } from './cli/cli.ts';
import { openStream } from './cli/stream.ts';

const [out, err] = [openStream(process.stdout), openStream(process.stderr)];
const code = await runCli(process.argv.slice(2), {
  out: out.write,
  err: err.write,
  isTerminal: process.stderr.isTTY === true,
  isColoured: process.stdout.isTTY === true && !process.env['NO_COLOR'],
  environment: process.env,
  exit: (code) => process.exit(code),
});
process.exit((await out.end()) && (await err.end()) ? code : code || 1);
