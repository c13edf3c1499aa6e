// bun run bench [name…] [--json]: measures, and prints the rows of README.md's table.
import { parseArgs } from 'node:util';
import { measureAddresses } from './address-flood.ts';
import { endChildren } from './child.ts';
import { measureBytesInFlight } from './bytes-in-flight.ts';
import { measureCrowd } from './slow-crowd.ts';
import { measureBackup } from './backup.ts';
import { measureCapacity, measureSmallMachine } from './small-machine.ts';
import { formatTable, type Row } from './figure.ts';
import { measureEpub } from './epub.ts';
import { measureGit } from './git.ts';
import { measureMcp } from './mcp.ts';
import { measureNotes } from './notes.ts';
import { measureReload } from './reload.ts';
import { measureSlowDisk } from './slow-disk.ts';
import { measureReading } from './reading.ts';
import { measureSite } from './site.ts';
import { measureSales } from './sales.ts';
import { measureStart } from './start.ts';
import { measureCatalog, measureFileJson, measureInstall, measureLibrary } from './throughput.ts';

const BENCHES: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  install: measureInstall,
  library: measureLibrary,
  catalog: measureCatalog,
  'file-json': measureFileJson,
  'slow-disk': measureSlowDisk,
  backup: measureBackup,
  addresses: measureAddresses,
  crowd: measureCrowd,
  'bytes-in-flight': measureBytesInFlight,
  reload: measureReload,
  small: measureSmallMachine,
  capacity: measureCapacity,
  git: measureGit,
  mcp: measureMcp,
  notes: measureNotes,
  site: measureSite,
  reading: measureReading,
  epub: measureEpub,
  sales: measureSales,
  start: measureStart,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`Cannot measure "${unknown.join('", "')}": choose of ${Object.keys(BENCHES).join(', ')}`);
  process.exit(2);
}

const rows: Row[] = [];
let hasFailed = false;
for (const [name, measure] of Object.entries(BENCHES)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.error(`${name} …`);
  try {
    for (const row of await measure()) {
      rows.push(row);
      console.error(`  ${[row.figure, row.measured, row.ratio].filter((cell) => cell !== '').join(' | ')}`);
    }
  } catch (error) {
    hasFailed = true;
    console.error(`${name}:`, error);
    await endChildren();
  }
}
console.log(values.json ? JSON.stringify(rows, null, 2) : formatTable(rows));
process.exit(hasFailed ? 1 : 0);
