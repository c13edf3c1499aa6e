import { readPackageStall } from './installing/client/client-context.ts';
import { openTerminal, type Program } from './platform/cli/command.ts';
import { completionCommand } from './platform/cli/completion.ts';
import { askCommand } from './installing/client/ask.cli.ts';
import { readerCommands } from './reader-commands.ts';
import { runCommand } from './platform/cli/run.ts';

const PROGRAM: Program = {
  first: ['login', 'library', 'install', 'update', 'ask', 'connect'],
  groups: { 'For readers': [...readerCommands, askCommand, completionCommand(() => PROGRAM)] },
};

const { terminal, close } = openTerminal((code) => process.exit(code));
const packageStall = readPackageStall(new URL('stall.json', import.meta.url));
process.exit(await close(await runCommand(PROGRAM, process.argv.slice(2), { ...terminal, packageStall })));
