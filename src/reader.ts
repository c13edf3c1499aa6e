import { readPackageStall } from './client/client-context.ts';
import { type Command, openTerminal } from './cli/command.ts';
import { completionCommand } from './cli/completion.ts';
import { askCommand } from './cli/reader/ask.ts';
import { readerCommands } from './cli/reader.ts';
import { runCommand } from './cli/run.ts';

const COMMANDS: readonly Command[] = [...readerCommands, askCommand, completionCommand(() => COMMANDS)];

const { terminal, close } = openTerminal((code) => process.exit(code));
const packageStall = readPackageStall(new URL('stall.json', import.meta.url));
process.exit(await close(await runCommand(COMMANDS, process.argv.slice(2), { ...terminal, packageStall })));
