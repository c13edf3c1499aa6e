import type { Command, Terminal } from './cli/command.ts';
import { completionCommand } from './cli/completion.ts';
import { askCommand } from './cli/reader/ask.ts';
import { readerCommands } from './cli/reader.ts';
import { runCommand } from './cli/run.ts';
import { openStream } from './cli/stream.ts';

const COMMANDS: readonly Command[] = [...readerCommands, askCommand, completionCommand(() => COMMANDS)];

const [out, err] = [openStream(process.stdout), openStream(process.stderr)];
const terminal: Terminal = {
  out: out.write,
  err: err.write,
  isTerminal: process.stderr.isTTY === true,
  isColoured: process.stdout.isTTY === true && !process.env['NO_COLOR'],
  environment: process.env,
  exit: (code) => process.exit(code),
};
const code = await runCommand(COMMANDS, process.argv.slice(2), terminal);
process.exit((await out.end()) && (await err.end()) ? code : code || 1);
