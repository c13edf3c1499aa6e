import { readPackageStall } from './client/client-context.ts';
import { openTerminal, type Program } from './cli/command.ts';
import { completionCommand } from './cli/completion.ts';
import { askCommand } from './cli/reader/ask.ts';
import { readerCommands } from './cli/reader.ts';
import { runCommand } from './cli/run.ts';

const PROGRAM: Program = {
  first: ['login', 'library', 'install', 'update', 'ask', 'connect'],
  groups: { 'For readers': [...readerCommands, askCommand, completionCommand(() => PROGRAM)] },
};

const { terminal, close } = openTerminal((code) => process.exit(code));
const packageStall = readPackageStall(new URL('stall.json', import.meta.url));
process.exit(await close(await runCommand(PROGRAM, process.argv.slice(2), { ...terminal, packageStall })));
