import { expect, test } from 'bun:test';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../../..');

/** Whether a process of its own has read the code of imports after it loaded these files of src. */
async function loads(...files: readonly string[]): Promise<boolean> {
  const script = `for (const file of ${JSON.stringify(files)}) await import(file);
    const read = /\\/node_modules\\/(?:turndown|saxes|mammoth)\\/|\\/publishing\\/manuscript\\//;
    console.log(Object.keys(require.cache).some((path) => read.test(path)));
    process.exit();`;
  const child = Bun.spawn([process.execPath, '-e', script], { cwd: ROOT, stdout: 'pipe', stderr: 'inherit' });
  const text = await new Response(child.stdout).text();
  expect(await child.exited).toBe(0);
  return text.trim() === 'true';
}

test('neither the commands nor a stall load what only an import reads manuscripts with', async () => {
  expect(
    await loads(
      './src/stall-program.ts',
      './src/app.ts',
      './src/publishing/compiler.worker.ts',
      './src/renderer.ts',
    ),
  ).toBe(false);
  expect(await loads('./src/publishing/manuscript/import.ts')).toBe(true);
});
