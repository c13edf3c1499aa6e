import './platform/base/production.ts';
import { runCli } from './stall-program.ts';
import { openTerminal } from './platform/cli/command.ts';

const { terminal, close } = openTerminal((code) => process.exit(code));
process.exit(await close(await runCli(process.argv.slice(2), terminal)));
