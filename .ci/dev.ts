// `bun run dev [FLAG…]` runs `serve --demo --watch` from the sources, and starts it again after each change below src. Bun's
// own --watch would miss the files of Workers, style sheets and the browser's script.
import { watch } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(import.meta.dir, '..');
const QUIET_MS = 100;

let child = start();
let timer: ReturnType<typeof setTimeout> | undefined;
let isRestarting = false;

watch(join(PROJECT, 'src'), { recursive: true }, () => {
  clearTimeout(timer);
  timer = setTimeout(() => void restart(), QUIET_MS);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void stop().then(() => process.exit(0)));
}

function start() {
  return Bun.spawn(
    [process.execPath, 'src/main.ts', 'serve', '--demo', '--watch', ...process.argv.slice(2)],
    {
      cwd: PROJECT,
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
}

async function stop(): Promise<void> {
  child.kill('SIGTERM');
  await child.exited;
}

/** Restarts the program; a change during a restart restarts it once more. */
async function restart(): Promise<void> {
  if (isRestarting) return void timer?.refresh();
  isRestarting = true;
  await stop();
  child = start();
  isRestarting = false;
}
